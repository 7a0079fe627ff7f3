"""Queries and changes of groups, partitions and configurations, without group membership."""
