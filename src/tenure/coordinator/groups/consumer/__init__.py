"""Consumer groups: members send heartbeats, and the coordinator assigns partitions (KIP-848)."""
