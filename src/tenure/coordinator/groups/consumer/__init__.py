"""Consumer groups: members heartbeat, the coordinator assigns (KIP-848)."""
