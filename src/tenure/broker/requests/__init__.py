"""Requests in progress, and functions that several handlers use."""
