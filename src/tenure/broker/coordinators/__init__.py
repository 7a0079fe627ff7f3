"""Shards of the coordinators, and the effects of their decisions."""
