"""The scripted day, run once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from tenure.admin import Admin
from tenure.client.queries.blocking import describe_topic
from tenure.testing import Broker
from tests.audit import scripted_day
from tests.audit.scripted_groups import Record, Script
from tests.spark.conftest import spark

__all__ = ["spark"]
"""A process has one Spark session, which all its tests share."""

LOG_PARTITIONS = 4
RECORDS = 1_000
"""Records in each partition of the topic at the end of the day, more than any group has processed."""


class Day(NamedTuple):
    address: str
    record: Record

    def groups(self) -> set[str]:
        """Return the groups that the broker knows."""
        with Admin(self.address) as admin:
            return {group.group_id for group in admin.list_groups()}


@pytest.fixture(scope="session")
def day() -> Iterator[Day]:
    with run_day() as played:
        yield played


@contextmanager
def run_day() -> Iterator[Day]:
    """Run the script on a broker with virtual time, and yield the day while the broker runs."""
    with Broker({"offsets.topic.num.partitions": str(LOG_PARTITIONS)}) as broker:
        broker.create_topic("t", partitions=scripted_day.PARTITIONS)
        broker.stop_time()
        script = Script(broker.address, "t", broker.advance)
        try:
            scripted_day.play(script, describe_topic(broker.address, "t").topic_id)
        finally:
            script.close()
        for partition in range(scripted_day.PARTITIONS):
            broker.produce("t", [b""] * RECORDS, partition=partition)
        yield Day(broker.address, script.record)
