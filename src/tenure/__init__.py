"""Kafka-compatible broker, clients, and exactly-once Spark pipelines."""
