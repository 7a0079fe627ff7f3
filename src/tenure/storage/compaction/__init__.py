"""Compaction of logs (`cleanup.policy=compact`)."""
