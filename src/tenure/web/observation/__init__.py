"""Observations of a cluster: its groups now, and their last hour."""
