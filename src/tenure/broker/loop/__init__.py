"""The event loop: its clock, and whose turn it is."""
