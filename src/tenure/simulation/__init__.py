"""Simulated life of a consumer group, and what each fencing policy makes of its commits: see docs/fencing.md."""
