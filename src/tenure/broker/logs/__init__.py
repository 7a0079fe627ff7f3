"""Logs as the broker serves them: waiting requests, and work on threads."""
