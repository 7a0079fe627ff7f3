"""Pipelines, without Spark, with everything going wrong that can: their invariants by name, and their lives."""
