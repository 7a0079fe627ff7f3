"""Process of `tenure serve`: start, log lines, memory, stop."""
