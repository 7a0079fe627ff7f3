"""Groups of three static members of kafka-python, aiokafka or confluent-kafka keep their partitions.

A restarted member gets its partitions, and a restarted broker has its members: every record is read, and the generation
in `__consumer_offsets` stays the same. A member whose instance id another process uses is fenced, and an operator can
remove all members.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.command_line import app
from tests.consumer_offsets import generations, leading_instance
from tests.interop.group_of_three import group_of_three
from tests.interop.member import LIBRARIES
from tests.interop.producing import create_topic, produce
from tests.serving import Serving, serving

PARTITIONS = 6
RECORDS = 300
NOTICES_FENCING = ("kafka-python", "confluent-kafka")
"""Libraries that notice fencing. aiokafka 0.14 sends no instance id in heartbeats and takes its instance id back."""

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_three_static_members__two_killed_and_broker_restarted__same_partitions_and_all_records_read(
    library: str, tmp_path: Path
) -> None:
    with serving(tmp_path, "offsets.topic.num.partitions=1", "group.initial.rebalance.delay.ms=1000") as broker:
        create_topic(broker.address, "work", PARTITIONS)
        with group_of_three(library, broker.address, "group", "work", tmp_path) as group:
            group.wait_until_shared(PARTITIONS)
            written = produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)
            assignments = group.assignments
            before = generations(broker.host, broker.port, "group")

            leader = leading_instance(broker.host, broker.port, "group")
            follower = next(one.instance for one in group.members if one.instance != leader)
            for member in group.members:
                if member.instance in (leader, follower):
                    member.kill()
                    member.start()
            group.wait("each has its own partitions again", lambda: group.assignments == assignments)
            written |= produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)

            broker.restart()
            written |= produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)
            assert group.assignments == assignments
            assert len(written) == 3 * RECORDS
            assert generations(broker.host, broker.port, "group") == before


@pytest.mark.parametrize("library", LIBRARIES)
def test_three_static_members__one_fenced_all_removed_and_offsets_reset__all_records_read_again(
    library: str, tmp_path: Path
) -> None:
    with (
        serving(tmp_path, "offsets.topic.num.partitions=1", "group.initial.rebalance.delay.ms=1000") as broker,
        contextlib.ExitStack() as running,
    ):
        create_topic(broker.address, "work", PARTITIONS)
        with group_of_three(library, broker.address, "group", "work", tmp_path) as group:
            group.wait_until_shared(PARTITIONS)
            written = produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)
            if library in NOTICES_FENCING:
                assignments, before = group.assignments, generations(broker.host, broker.port, "group")
                first = group.members[0]
                second = first.member_with_same_instance(tmp_path / "second.txt")
                running.callback(second.stop)
                group.wait("the second has the partitions", lambda: second.assigned == assignments[first.instance])
                written |= produce(library, broker.address, "work", RECORDS)
                group.wait("the first is fenced", lambda: first.fenced)
                group.wait("the second reads what the first cannot commit", lambda: written <= group.read | second.read)
                assert generations(broker.host, broker.port, "group") == before
                second.stop()

            for member in group.members:
                member.stop()
            removed = tenure(broker, "remove-members", "group", "--all").splitlines()
            assert removed == [f"Removed instance 'instance-{number}' from group 'group'." for number in (1, 2, 3)]
            tenure(broker, "reset-offsets", "group", "--to-earliest", "--all-topics", "--execute")
            for member in group.members:
                member.read.clear()
                member.start()
            group.wait_until_read(written)


def tenure(broker: Serving, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["groups", *arguments], env={"TENURE_BOOTSTRAP_SERVERS": broker.address})
    assert done.exit_code == 0, done.stderr
    return str(done.stdout)
