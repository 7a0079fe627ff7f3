"""Decoding of the records of `__consumer_offsets` into columns."""
