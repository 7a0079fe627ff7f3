"""Groups: their members, their committed offsets, and the checks that fence commits."""
