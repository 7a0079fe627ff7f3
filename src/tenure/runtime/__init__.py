"""Host of a shard: handle, append, apply, hold replies until durable. No I/O."""
