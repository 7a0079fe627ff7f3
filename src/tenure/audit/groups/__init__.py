"""Models of groups, computed from their records, and the events of each change."""
