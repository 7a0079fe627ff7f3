"""Groups: their members, their committed offsets, and the checks by which commits are fenced."""
