"""Observations of a cluster: the present state of its groups, and their last hour."""
