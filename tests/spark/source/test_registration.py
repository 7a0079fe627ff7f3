"""`tenure.spark.register` in a process of its own, without an activated environment."""

import pytest

from tenure.testing import Broker
from tests.spark.source.query import produce
from tests.spark.source.registered import run_without_environment


@pytest.mark.spark
def test_register__virtual_environment_not_activated__program_reads_and_streams() -> None:
    with Broker() as broker:
        broker.create_topic("records", partitions=4)
        produce(broker.address, "records", 40)
        assert run_without_environment(broker.address, "records") == ["40", "40"]
