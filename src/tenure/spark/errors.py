"""Errors of Spark's installation and Java process. Each message is one sentence with cause and remedy."""

from tenure.pipeline.errors import Code, PipelineStopped


class SparkSetupError(PipelineStopped):
    """Spark cannot start on this host: pyspark or a suitable Java runtime is missing."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.NO_SPARK, message)


class SparkEnded(PipelineStopped):
    """The Java process of Spark has ended while the application ran, for example because it ran out of memory."""

    def __init__(self) -> None:
        super().__init__(
            Code.NO_SPARK,
            "Spark's Java process ended: find the cause above or in the system's log (often out of memory) and start"
            " the pipeline again; nothing is lost",
        )
