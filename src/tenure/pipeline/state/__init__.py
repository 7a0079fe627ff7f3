"""Keyed state of a lane: in memory, as files of the state directory, and as copies on a host."""
