"""Differences between the versions of Spark that pipelines run on: 3.5 and 4.0 to 4.3.

Each function is one difference, with the reason. `make matrix` runs pipelines on the newest patch of each version.
"""

from typing import TYPE_CHECKING, Final

from tenure.spark.errors import SparkSetupError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.errors import PySparkException
    from pyspark.sql.types import StructType

OLDEST: Final = (3, 5)


def spark_version() -> tuple[int, int]:
    """Return the installed version of pyspark, without the patch."""
    from pyspark import __version__ as version

    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def require_pyspark() -> None:
    """Raise `SparkSetupError` if pyspark is missing or too old."""
    try:
        from pyspark import __version__ as version
    except ImportError:
        raise SparkSetupError(
            "pipelines need pyspark, which is not installed: run `pip install 'tenure[spark]'`, or in a clone of the"
            " repository `pip install -e '.[spark]'`"
        ) from None
    if spark_version() < OLDEST:
        raise SparkSetupError(
            f"pipelines need pyspark 3.5 or later, but {version} is installed: run `pip install -U pyspark`"
        )


def supported_java_versions() -> tuple[int, ...]:
    """Return the versions of Java that Spark runs on: Arrow in Spark 3.5 does not start on Java 21."""
    return (17, 21) if spark_version() >= (4, 0) else (17,)


def require_python_data_sources() -> None:
    """Raise `SparkSetupError` for Spark 3.5, which cannot read from a data source that is written in Python."""
    if spark_version() < (4, 0):
        from pyspark import __version__ as version

        raise SparkSetupError(
            f'format("tenure") needs Spark 4.0 or later, because Spark {version} has no data sources in Python: write a'
            " pipeline, or use Spark's Kafka source"
        )


def passes_read_limits() -> bool:
    """Return whether Spark passes the start and the limit of each batch to a Python data source.

    True since Spark 4.2. Earlier versions request only the newest offset.
    """
    return spark_version() >= (4, 2)


def arrow_schema(columns: "StructType", timezone: str) -> "pa.Schema":
    """Return the Arrow schema in which tasks return these columns to Spark.

    Timestamps must have the time zone of the session since Spark 4.2, and UTC in earlier versions.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(columns, timezone=timezone) if spark_version() >= (4, 2) else to_arrow_schema(columns)


def error_condition(error: "PySparkException") -> str | None:
    """Return the name of the condition that PySpark's error reports; None if it reports none."""
    condition: str | None = error.getCondition() if spark_version() >= (4, 0) else error.getErrorClass()
    return condition
