"""Findings that are derived from the tables of an audit."""
