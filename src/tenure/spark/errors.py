"""What can go wrong around Spark, in one sentence that names the cause and the remedy."""

from tenure.pipeline.errors import Code, PipelineStopped


class SparkSetupError(PipelineStopped):
    """Spark cannot run here: pyspark or a fitting Java runtime is missing."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.NO_SPARK, message)
