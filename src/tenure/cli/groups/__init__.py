"""Commands of `tenure groups`."""
