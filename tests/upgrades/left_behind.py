"""Files that an earlier commit has written: a broker's data directory, and a pipeline's output and state.

The code of that commit makes them: it is unpacked into a directory, and runs this file:

    git archive 36d3972 | tar -x -C OLD
    cd OLD && PYTHONPATH=src:. python .../tests/upgrades/left_behind.py make .../tests/upgrades/36d3972.tar.gz

The pipeline has processed `FIRST` records in batches, and was killed during the next batch: each lane has a commit that
is not published, and the member has not left its group. This file may use only what that commit has.
"""

import json as text
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

import pyarrow as pa

from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, stateful

TOPIC, GROUP, INSTANCE, PARTITIONS = "words", "count-words", "host-a", 4
FIRST, THEN = 400, 480


def count(rows: pa.Table, words: KeyedState) -> pa.Table:
    table = rows.select(["word", "number"]).to_pandas()
    known = words.get(rows["word"].combine_chunks())["seen"].fill_null(0).to_pandas()
    table["seen"] = table.groupby("word").cumcount() + 1 + known
    latest = pa.Table.from_pandas(table.groupby("word").tail(1), preserve_index=False)
    words.put(latest["word"], latest)
    return pa.Table.from_pandas(table, preserve_index=False)


def counting(sink: Path) -> Pipeline:
    source = Topic(TOPIC, value=json("word string, number long")).keyed_by("word")
    return Pipeline(GROUP, source, stateful(count, state="seen long"), Parquet(str(sink)))


def records(first: int, end: int) -> list[tuple[bytes, bytes]]:
    named = [(f"w{number * number % 41}", number) for number in range(first, end)]
    return [(word.encode(), text.dumps({"word": word, "number": number}).encode()) for word, number in named]


def expected(end: int) -> list[tuple[str, int, int]]:
    """Return word and number of each of the first `end` records, with the count of the word so far."""
    seen: Counter[str] = Counter()
    rows = []
    for word, value in records(0, end):
        seen[word.decode()] += 1
        rows.append((word.decode(), text.loads(value)["number"], seen[word.decode()]))
    return sorted(rows)


def produce(address: str, first: int, end: int) -> None:
    from tenure.client.producer.producer import Producer

    with Producer(address) as producer:
        for key, value in records(first, end):
            producer.send(TOPIC, key, value)


def make(archive: str) -> None:
    from tenure.admin import Admin
    from tests.serving import serving

    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "data").mkdir()
        with serving(Path(place) / "data") as broker:
            with Admin(broker.address) as admin:
                admin.create_topics([TOPIC], partitions=PARTITIONS)
            for end, killed in ((FIRST, "no"), (THEN, "yes")):
                produce(broker.address, 0 if end == FIRST else FIRST, end)
                command = [sys.executable, __file__, "work", broker.address, f"{place}/out", killed]
                status = subprocess.run(command, check=False).returncode
                assert status == (-signal.SIGKILL if killed == "yes" else 0), status
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(f"{place}/data", "data")
            tar.add(f"{place}/out", "out")


def work(address: str, sink: str, killed: str) -> None:
    """Run the pipeline with one task, so that one commit covers all lanes. With `killed`, kill it after a commit."""

    def observer(progress: Progress) -> None:
        if progress.step is ProgressStep.COMMITTED and killed == "yes":
            os.kill(os.getpid(), signal.SIGKILL)

    counting(Path(sink)).run(
        bootstrap_servers=address,
        group_instance_id=INSTANCE,
        until="caught-up",
        max_records=120,
        session_timeout_ms=1_800_000,  # The member is still in the group when a test runs.
        observer=observer,
    )


if __name__ == "__main__":
    {"make": make, "work": work}[sys.argv[1]](*sys.argv[2:])
