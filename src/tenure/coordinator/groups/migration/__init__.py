"""Migration between the two protocols: groups that change while they work, and groups that speak both."""
