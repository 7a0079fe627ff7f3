"""Transaction coordinator: one shard per partition of `__transaction_state` (rules 8.1-8.4)."""
