"""Pipeline of the benchmark `pipeline-start`; its directory is in the environment."""

import os
from pathlib import Path

from bench.pipelines.functions import count
from tenure.spark import Parquet, Pipeline, Topic, raw, stateful

DIRECTORY = Path(os.environ["TENURE_BENCH_DIRECTORY"])

pipeline = Pipeline(
    DIRECTORY.name,
    source=Topic("started", value=raw()).keyed_by("key"),
    process=stateful(count, state="records long"),
    sink=Parquet(str(DIRECTORY / "rows")),
)
