"""Requests under way, and what several handlers share."""
