"""Compaction of logs."""
