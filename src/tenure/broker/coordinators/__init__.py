"""Coordinators: their shards, the threads that perform effects of the rules, and the writer of transaction markers."""
