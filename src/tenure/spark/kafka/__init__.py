"""Implementations of the interfaces of `tenure.pipeline` to Kafka, with `tenure.client`."""
