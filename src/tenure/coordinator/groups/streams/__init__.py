"""Streams groups: members run tasks of a topology, and the coordinator assigns the tasks (KIP-1071)."""
