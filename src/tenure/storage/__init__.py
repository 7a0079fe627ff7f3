"""Storage of partitions as logs on disk, in Kafka's layout, and their recovery after a crash."""
