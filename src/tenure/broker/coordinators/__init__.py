"""Coordinators: their shards, and the threads and markers that perform what the rules decide."""
