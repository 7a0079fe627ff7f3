"""Rebalance journal: rebalances of groups with their causes, computed from the records that a groups shard applies."""
