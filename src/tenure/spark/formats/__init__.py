"""Formats of record keys and values: records to columns, and columns to records."""
