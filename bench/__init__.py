"""Benchmarks of the speed and memory that this project promises. `python -m bench` runs all of them."""
