"""Observers of a running pipeline: status, metrics, log lines, and JSON lines for programs."""
