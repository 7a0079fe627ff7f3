"""Observers of a running pipeline: status, metrics, and lines for people and programs."""
