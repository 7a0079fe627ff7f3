"""State of groups as their records show it, and the events between two states."""
