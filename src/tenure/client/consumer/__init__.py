"""Consumers: positions, fetching ahead, and records or Arrow tables for the user."""
