"""Joins within a lane: of a stream with a table, and of two streams. The key of the lane is the join key."""
