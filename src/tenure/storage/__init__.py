"""Bytes that survive: partitions in Kafka's own layout, and what is true of them after a crash."""
