"""Hosts a shard: handle, append, apply, hold replies until durable. Sans-I/O."""
