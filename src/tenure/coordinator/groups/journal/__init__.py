"""The rebalance journal: what became of a group's seats and why, told from the records that its shard applies."""
