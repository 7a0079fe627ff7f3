"""Partition assignors: pure functions over arrays in which topics, partitions and members are indices.

`group.py` defines the input. Callers convert names to indices and back; for classic groups that is
`tenure.client.group.assignment`.
"""
