"""Committed offsets of groups, and the checks that fence commits."""
