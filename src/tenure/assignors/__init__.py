"""Partition assignors: pure functions over arrays in which topics, partitions and members are indices.

`group.py` defines the input. The caller keeps the names: for classic groups that is `tenure.client.group.assignment`.
"""
