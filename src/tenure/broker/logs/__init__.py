"""Logs as the broker serves them, with requests that wait for them, and work on threads."""
