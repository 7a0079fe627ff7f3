"""A refused join changes the tasks of a static streams member on Apache Kafka only (docs/differences.md)."""

from __future__ import annotations

import pytest

from tenure.protocol.errors import ErrorCode
from tests.kafka_versions import IS_4_3
from tests.oracle.consumer_requests import LEAVES, LEAVES_TEMPORARILY
from tests.oracle.side import Side
from tests.oracle.streams_requests import Streams, Tasks

pytestmark = pytest.mark.oracle

HALF: Tasks = {"0": (0, 1)}


def group_with_a_refused_join(side: Side, name: str) -> Streams:
    """Return a group in which A has to give tasks to C, and B was refused because A has its instance id."""
    group = Streams(side.session(), name, {"A": "a", "B": "a"})
    group.streams_join("A", process="one")
    group.streams_join("C")
    assert group.streams_join("B", process="one").error_code == ErrorCode.UNRELEASED_INSTANCE_ID
    return group


def test_refused_join__owner_of_the_instance_id_stays__owner_loses_all_tasks_on_apache_kafka_only(
    kafka: Side, tenure: Side
) -> None:
    groups = [group_with_a_refused_join(side, "refused-join-and-heartbeat") for side in (kafka, tenure)]
    for group in groups:
        group.streams_heartbeat("A")
    assert [group.target_tasks("A")["active"] for group in groups] == [{}, HALF]


def test_refused_join__successor_of_the_instance_id_joins__successor_gets_the_tasks_at_once_on_tenure_only(
    kafka: Side, tenure: Side
) -> None:
    groups = [group_with_a_refused_join(side, "refused-join-and-return") for side in (kafka, tenure)]
    for group in groups:
        group.streams_heartbeat("A", LEAVES_TEMPORARILY)
        group.streams_join("B", process="one")
    assert [group.target_tasks("B")["active"] for group in groups] == [{}, HALF]


def test_member_that_left__joins_again_before_the_next_target__gets_its_former_tasks_on_apache_kafka_only(
    kafka: Side, tenure: Side
) -> None:
    groups = [Streams(side.session(), "joins-again", {}) for side in (kafka, tenure)]
    for group in groups:
        group.stabilize_streams("A", "C")
        group.configure(streams_assignment_interval_ms=15_000)
        group.streams_heartbeat("A", LEAVES)
        group.streams_join("A", again=True)
    assert [group.target_tasks("A")["active"] for group in groups] == [{} if IS_4_3 else HALF, {}]
