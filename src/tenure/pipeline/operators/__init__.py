"""Functions over the rows of a lane: stateful functions, timers, windows and joins."""
