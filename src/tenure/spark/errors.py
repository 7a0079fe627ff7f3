"""What can go wrong around Spark, in one sentence that names the cause and the remedy."""

from tenure.pipeline.errors import Code, PipelineStopped


class SparkSetupError(PipelineStopped):
    """Spark cannot run here: pyspark or a fitting Java runtime is missing."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.NO_SPARK, message)


class SparkEnded(PipelineStopped):
    """Spark ran, and its Java process is gone: killed with this one, alone, or for want of memory."""

    def __init__(self) -> None:
        super().__init__(
            Code.NO_SPARK,
            "Spark's Java process ended: find the cause above or in the system's log (often out of memory) and start"
            " the pipeline again; nothing is lost",
        )
