"""Pipelines on Spark beside Spark's own means: one file for each row of figures, and the two applications."""
