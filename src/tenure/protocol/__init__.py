"""Conversion of bytes to messages and back, without I/O and without rules of groups."""
