"""What can go wrong around Spark, each in one sentence that names the cause and the remedy."""

from tenure.pipeline.errors import BadSchema, PipelineConfigError

__all__ = ["BadSchema", "PipelineConfigError", "SparkSetupError"]


class SparkSetupError(RuntimeError):
    """Spark cannot run here: pyspark or a fitting Java runtime is missing."""
