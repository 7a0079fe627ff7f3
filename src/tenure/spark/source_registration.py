"""Registration of `format("tenure")` with a session.

Spark finds the format without registration if the first `python3` on its PATH has Tenure installed, as in an activated
environment. Otherwise Spark needs the format's class, and the Python in which it is installed.
"""

import os
import sys
from typing import TYPE_CHECKING

from tenure.spark.spark_versions import require_pyspark, require_python_data_sources

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: "SparkSession") -> None:
    """Register `format("tenure")` with a session, so that it works without an activated environment.

    Spark runs the format with the Python of `spark.pyspark.python` or `PYSPARK_PYTHON`, and by default with the one of
    this process. On a cluster, this Python needs Tenure on every host.

    Args:
        spark: Session. Other sessions of the application have to be registered separately.

    Raises:
        SparkSetupError: Spark is older than 4.0.
    """
    require_pyspark()
    require_python_data_sources()
    from tenure.spark.source.data_source import TenureSource

    if type(spark).__module__.startswith("pyspark.sql.connect"):
        spark.dataSource.register(TenureSource)
        return
    context = spark.sparkContext
    before = context.pythonExec
    configured = context.getConf().get("spark.pyspark.python") or os.environ.get("PYSPARK_PYTHON")
    # The registration stores this path for the format. Then the session gets its path back, for the user's functions.
    context.pythonExec = configured or sys.executable
    try:
        spark.dataSource.register(TenureSource)
    finally:
        context.pythonExec = before
