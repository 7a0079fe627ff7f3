"""Queries and changes of groups, partitions and configurations, by a client that does not join a group."""
