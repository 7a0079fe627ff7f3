"""Event loop: clock, turns, and fair scheduling."""
