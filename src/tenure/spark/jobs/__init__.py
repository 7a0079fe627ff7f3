"""Spark jobs that stage the batches of a pipeline."""
