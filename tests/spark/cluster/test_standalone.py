"""An example, as it stands, on a cluster of two workers, with Apache Kafka as the broker and an object store."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.dataset
import pytest

from examples.flights_data import PARTITIONS, TOPIC, expected_rows, records
from tenure.admin import Admin
from tenure.client.producer import Producer
from tests.apache_kafka import ApacheKafka, apache_kafka
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.spark.cluster.standalone import Cluster, cluster

pytestmark = [pytest.mark.spark, pytest.mark.oracle, pytest.mark.timeout(900)]

FLIGHTS = 20_000
BUCKET = "flights"
EXAMPLE = "examples/flight_delays.py"


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka")) as broker:
        wait_for_coordinator(broker.host, broker.port)
        yield broker


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The address of an object store."""
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


def run(on: Cluster, kafka: ApacheKafka, output: str) -> "tuple[int, str]":
    known = ("--bootstrap-servers", kafka.address, "--output", output, "--until", "caught-up")
    done = on.submit(EXAMPLE, *known, "--group-instance-id", "host-a", "--threads", "2")
    return done.returncode, done.stdout


def test_example__on_two_workers_and_an_object_store__the_same_rows_as_everywhere(
    two_workers: Cluster, kafka: ApacheKafka, store: str
) -> None:
    import s3fs

    bucket = s3fs.S3FileSystem(endpoint_url=store, key="key", secret="secret")
    bucket.mkdir(BUCKET)
    flights = list(records(FLIGHTS))
    with Admin(kafka.address) as admin:
        admin.create_topics([TOPIC], partitions=PARTITIONS)
    for batch in (flights[: FLIGHTS // 2], flights[FLIGHTS // 2 :]):
        with Producer(kafka.address) as producer:
            for key, value in batch:
                producer.send(TOPIC, key, value)
        status, told = run(two_workers, kafka, f"s3://{BUCKET}/out")
        assert status == 0, told
    rows = pyarrow.dataset.dataset(f"{BUCKET}/out", format="parquet", filesystem=bucket).to_table()
    expected = pa.Table.from_pandas(expected_rows(FLIGHTS), rows.schema, preserve_index=False)
    order = [(name, "ascending") for name in ("time_hour", "carrier", "flight", "tailnum", "origin", "dest")]
    assert rows.sort_by(order).equals(expected.sort_by(order))
