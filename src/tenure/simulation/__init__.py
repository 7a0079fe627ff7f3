"""Simulated history of a consumer group, and the commits that each fencing policy accepts (docs/fencing.md)."""
