"""Partitions to members, as pure functions over arrays: topics, partitions and members are indices here.

Objects appear in `members.py` only, which orders members and translates between names and indices.
"""
