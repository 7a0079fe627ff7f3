"""What can go wrong around Spark, each in one sentence that names the cause and the remedy."""


class SparkSetupError(RuntimeError):
    """Spark cannot run here: pyspark or a fitting Java runtime is missing."""


class PipelineConfigError(ValueError):
    """A pipeline is declared in a way that cannot work; raised before anything runs."""


class BadSchema(PipelineConfigError):
    """A DDL string does not describe columns."""
