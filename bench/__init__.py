"""The figures that this project promises, taken here and now. `python -m bench` runs them all."""
