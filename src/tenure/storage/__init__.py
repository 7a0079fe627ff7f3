"""Storage: partitions in Kafka's layout, and their recovery after a crash."""
