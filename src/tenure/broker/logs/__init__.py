"""Logs as they are served: who waits for them, and what threads do with them."""
