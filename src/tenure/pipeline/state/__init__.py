"""Keyed state of a lane: in memory, as files in the state directory, and as cached copies on a host."""
