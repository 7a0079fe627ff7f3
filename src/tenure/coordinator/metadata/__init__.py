"""Metadata: topics with their ids and partitions, and blocks of producer ids."""
