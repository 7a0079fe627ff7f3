"""Pipelines beside Spark's own connector and operators: one file for each benchmark, and the two applications."""
