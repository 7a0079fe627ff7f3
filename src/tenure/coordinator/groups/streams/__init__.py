"""Streams groups: members run tasks of a topology, the coordinator assigns the tasks (KIP-1071)."""
