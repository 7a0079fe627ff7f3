"""Python workers of Spark: the daemon that forks them, their warm-up, and the functions that they run."""
