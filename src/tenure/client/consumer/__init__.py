"""Consumers: they keep positions, fetch ahead, and return records or Arrow tables."""
