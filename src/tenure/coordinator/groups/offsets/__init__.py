"""Committed offsets of groups, and the fences for commits."""
