"""Joins within a lane: of a stream with a table, and of two streams. Both sides are keyed by what the lane is."""
