"""Shards of the coordinators at work, and what their decisions lead to."""
