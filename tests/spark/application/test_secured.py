"""Pipeline with TLS and SASL, against Apache Kafka."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.queries.blocking import end_offsets
from tenure.client.values import TopicPartition
from tenure.pipeline.errors import Code, PipelineConfigError
from tenure.spark import DeadLetter, PipelineStopped
from tests.oracle.conftest import require_kafka
from tests.secured_kafka import config, secured_kafka
from tests.spark.counting import PARTITIONS, counting, create_topic, expected, produce, visible, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.mark.oracle
def test_run__tls_and_sasl__members_tasks_and_dead_letters_connect(
    spark: "SparkSession", tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    require_kafka()
    with secured_kafka(tmp_path_factory.mktemp("secured")) as secured:
        for topic in ("secret", "secret-dead"):
            create_topic(secured.kafka.address, topic)
        produce(secured.kafka.address, "secret", [*words(0, 200), (b"w1", b"no JSON")])
        keys = config(secured, "SASL_SSL", "SCRAM-SHA-256")
        at = keys.pop("bootstrap.servers")
        pipeline = counting("secret", tmp_path, DeadLetter("secret-dead"))
        with pytest.raises(PipelineStopped, match=r"for 'alice' with SCRAM-SHA-256") as stopped:
            pipeline.run(bootstrap_servers=at, security=keys | {"sasl.password": "guess"}, spark=spark)
        assert stopped.value.code is Code.REFUSED_BY_BROKER
        pipeline.run(bootstrap_servers=at, security=keys, group_instance_id="host-a", until="caught-up", spark=spark)
        assert visible(tmp_path) == expected(words(0, 200))
        cluster = {"bootstrap.servers": at, **keys}
        dead = [TopicPartition("secret-dead", number) for number in range(PARTITIONS)]
        ends = end_offsets(cluster, dead)
        read = [fetch_arrow(cluster, *partition, 0, ends[partition]) for partition in dead]
        letters = [letter for batches in read for batch in batches for letter in batch.to_pylist()]
        assert [letter["value"] for letter in letters] == [b"no JSON"]


def test_run__invalid_security_keys__refused_before_anything_runs(tmp_path: Path) -> None:
    pipeline = counting("never-read", tmp_path)
    for security, why in (
        ({"security.protocol": "SASL_SSL"}, r"'sasl\.mechanism': it is required"),
        ({"sasl.user": "alice"}, r"did you mean 'sasl\.username'"),
    ):
        with pytest.raises(PipelineConfigError, match=why):
            pipeline.run(bootstrap_servers="127.0.0.1:1", security=security)
