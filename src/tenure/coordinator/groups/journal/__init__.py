"""The rebalance journal: changes of a group's seats and their causes, from the records that its shard applies."""
