"""Commands of `tenure pipeline`."""
