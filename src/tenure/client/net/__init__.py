"""Connections to a Kafka cluster: addresses, security, sockets, metadata, and one event loop per process."""
