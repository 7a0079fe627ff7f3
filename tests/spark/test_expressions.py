"""Expressions against Spark: each case of `tests/pipeline` has the result that Spark returns in ANSI mode."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.pipeline.expression_cases import CASES, ROWS, SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.spark
def test_sql_expressions__all_cases__same_results_as_spark(spark: "SparkSession") -> None:
    from pyspark.sql.pandas.types import from_arrow_schema

    spark.conf.set("spark.sql.ansi.enabled", "true")
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    try:
        frame = spark.createDataFrame([tuple(row.values()) for row in ROWS], from_arrow_schema(SCHEMA))
        made = frame.coalesce(1).selectExpr(*(f"{text} as c{number}" for number, text in enumerate(CASES)))
        rows = made.toArrow() if hasattr(made, "toArrow") else None
        columns = rows.to_pydict() if rows is not None else columns_of(made)
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)
    found = {text: columns[f"c{number}"] for number, text in enumerate(CASES)}
    assert {text: found[text] for text in CASES if found[text] != CASES[text]} == {}


def columns_of(frame: Any) -> dict[str, list[Any]]:
    """Return the columns, for Spark 3.5."""
    rows = frame.collect()
    return {name: [row[name] for row in rows] for name in frame.columns}
