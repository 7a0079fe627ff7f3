"""Benchmarks of the figures that this project promises. `python -m bench` runs all of them."""
