"""A stateful pipeline over the flights that left New York in 2013.

Every flight gets a row with its aircraft's figures up to and including it: flights so far, total and worst arrival
delay, distinct destinations, last airport. Two decisions:

- A flight without an arrival delay was cancelled or diverted: it changes no figure, and its row shows them as they are.
- A flight without a tail number belongs to no aircraft: its row has no figures.

Start it twice, with two names, and the two share the work:

    python examples/flight_delays.py --bootstrap-servers localhost:9092 --group-instance-id host-a --threads 2
"""

import argparse
import sys

import pandas as pd
import pyarrow as pa

from tenure.spark import (
    KeyedState,
    Parquet,
    Pipeline,
    PipelineConfigError,
    PipelineStopped,
    Topic,
    json,
    json_lines,
    schema,
    stateful,
)

FLIGHT = "time_hour string, carrier string, flight long, tailnum string, origin string, dest string, arr_delay double"
STATE = "flights long, total_delay double, worst_delay double, destinations array<string>, last_airport string"
ROW = schema(f"{FLIGHT}, flights long, total_delay double, worst_delay double, destinations long, last_airport string")


def running_delay(rows: pa.Table, aircraft: KeyedState) -> pa.Table:
    """Return each flight with its aircraft's running figures."""
    tails = rows["tailnum"].combine_chunks().drop_null().unique()
    known = aircraft.get(tails).append_column("tailnum", tails)
    # What is known of an aircraft stands above its new flights, as if it were one: so every running figure goes on.
    log = pa.concat_tables([known, rows], promote_options="default").to_pandas()
    tail, delay, arrived = log["tailnum"], log["arr_delay"], log["arr_delay"].notna()
    places = log["dest"].where(arrived, log["destinations"]).explode().dropna()
    places = places[~pd.DataFrame({"tail": tail.reindex(places.index), "place": places}).duplicated()]
    new_places = places.groupby(level=0).size().reindex(log.index, fill_value=0)

    log["flights"] = (arrived + log["flights"].fillna(0)).groupby(tail).cumsum()
    log["total_delay"] = delay.where(arrived, log["total_delay"]).fillna(0).groupby(tail).cumsum()
    log["worst_delay"] = delay.where(arrived, log["worst_delay"]).groupby(tail).cummax().groupby(tail).ffill()
    log["destinations"] = new_places.groupby(tail).cumsum()
    log["last_airport"] = log["dest"].where(arrived, log["last_airport"]).groupby(tail).ffill()

    latest = log[log["flights"] > 0].groupby("tailnum").tail(1).set_index("tailnum")
    latest["destinations"] = places.groupby(tail).agg(list)
    now = pa.Table.from_pandas(latest.reset_index(), aircraft.schema, preserve_index=False)
    aircraft.put(now["tailnum"], now)
    return pa.Table.from_pandas(log[len(known) :], ROW, preserve_index=False)


def pipeline(directory: str, topic: str = "flights", name: str = "flight-delays") -> Pipeline:
    return Pipeline(
        name,
        source=Topic(topic, value=json(FLIGHT)).keyed_by("tailnum"),
        process=stateful(running_delay, state=STATE),
        sink=Parquet(directory),
    )


def main() -> None:
    options = argparse.ArgumentParser(description="Running figures of every aircraft, exactly once.")
    options.add_argument("--bootstrap-servers", default="localhost:9092")
    options.add_argument("--group-instance-id", help="name of this application: its members are static; else dynamic")
    options.add_argument("--client-id", help="what a dynamic application is called in listings of the group")
    options.add_argument("--threads", type=int, default=2, help="members of the group in this application")
    options.add_argument("--topic", default="flights")
    options.add_argument("--output", default="out/flights", help="directory of Parquet files")
    options.add_argument("--max-records", type=int, default=1_000_000, help="of one member in one batch")
    options.add_argument("--session-timeout-ms", type=int, default=45_000)
    options.add_argument("--until", choices=["stopped", "caught-up"], default="stopped")
    options.add_argument("--progress", action="store_true", help="each step as a line of JSON on standard output")
    chosen = vars(options.parse_args())
    work = pipeline(chosen.pop("output"), chosen.pop("topic"))
    observer = json_lines() if chosen.pop("progress") else None
    try:
        work.run(observer=observer, **chosen)
    except (PipelineStopped, PipelineConfigError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
