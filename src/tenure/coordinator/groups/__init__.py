"""Groups: membership, offsets and their fences."""
