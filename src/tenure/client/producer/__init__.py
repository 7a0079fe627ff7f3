"""Producers: batching, delivery, partitioning and transactions."""
