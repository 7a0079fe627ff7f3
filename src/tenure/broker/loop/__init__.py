"""Event loop of the broker: clock, turns, and fair scheduling of requests."""
