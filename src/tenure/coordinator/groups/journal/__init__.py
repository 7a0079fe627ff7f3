"""Rebalance journal: changes of a group's members and their causes, from the records that its shard applies."""
