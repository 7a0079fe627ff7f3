"""Bytes to messages and back. Knows no rules of groups, does no I/O."""
