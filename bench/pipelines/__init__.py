"""Pipelines on Spark beside what Spark has itself: one file for each row of figures, and the two applications."""
