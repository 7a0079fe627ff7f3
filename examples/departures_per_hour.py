"""Flights of each airport by the hour, in windows of event time: each hour is returned once, when it is over.

    tenure pipeline run examples/departures_per_hour.py:pipeline --bootstrap-servers localhost:9092

The topic is keyed by airport. Flights come in the order in which they left, not in that of their schedule, so an hour
stays open until flights come that were due a day later. A flight that comes after that goes to the output `late`,
rather than into an hour that was given out already.
"""

from tenure.spark import Parquet, Pipeline, Topic, json, tumbling, windowed

departures = Topic("departures", value=json("origin string, time_hour timestamp, arr_delay double"))

pipeline = Pipeline(
    "departures-per-hour",
    source=departures.keyed_by("origin").with_watermark("time_hour", "1 day"),
    process=windowed(tumbling("1 hour"), "count(*) as flights, avg(arr_delay) as delay"),
    sink=Parquet("out/departures-per-hour"),
    side={"late": Parquet("out/late-departures")},
)
