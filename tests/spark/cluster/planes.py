"""Example application as `spark-submit` runs it, with output and state at URLs."""

import sys
from dataclasses import replace

from examples.planes_of_flights import FLIGHT, pipeline
from tenure.spark import Parquet, Topic, json

bootstrap_servers, topic, output = sys.argv[1:]
source = Topic(topic, value=json(FLIGHT))
side = {"unknown": Parquet(f"{output}/unknown")}
on_a_cluster = replace(pipeline, source=source, sink=Parquet(f"{output}/known"), side=side)
on_a_cluster.run(bootstrap_servers=bootstrap_servers, until="caught-up", max_bytes=1_000_000)  # three batches
