"""Partitions to members, as pure functions over arrays: topics, partitions and members are indices, claims are columns.

`group.py` says what an assignor is asked. Names and objects belong to whoever asks: `tenure.client.assignment` does it
for the members of a classic group.
"""
