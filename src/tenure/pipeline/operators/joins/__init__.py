"""Joins within a lane: of a stream with a table, and of two streams. Both sides have the key of the lane."""
