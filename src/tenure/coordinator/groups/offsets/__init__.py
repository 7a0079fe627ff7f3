"""Committed offsets: the positions of groups, and the fence in front of them."""
