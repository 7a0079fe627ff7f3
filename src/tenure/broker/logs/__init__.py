"""Logs that the broker serves, the requests that wait for them, and the threads that work on logs."""
