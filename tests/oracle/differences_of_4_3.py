"""Tests that must fail with Apache Kafka 4.3, because 4.4 behaves differently and Tenure follows 4.4.

The run with 4.3 expects each of them to fail, so it notices an entry that is no longer true. With other versions the
table has no effect.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.kafka_versions import IS_4_3

CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "4.4 writes a target assignment for a consumer group that becomes empty (rule 3.5)": (
        "116-consumers-session-is-not-prolonged-by-commits",
        "122-leave",
        "122-leave-static",
        "128-static-fenced",
        "129-states",
        "144-before-member-epochs",
        "149-a-simple-group-is-replaced",
        "150-a-classic-member-joins-an-empty-consumer-group",
        "150-join-a-consumer-group-that-is-empty",
        "155-the-last-consumer-and-the-last-classic-member-leave",
        "3.10-delete-group",
        "3.10-delete-group-whose-only-member-is-away",
        "3.10-delete-offsets-of-a-consumer-group",
        "4.3-commits-of-unknown-members",
        "6.4.5-consumers-offsets-expire-by-topic",
        "test_random_consumer_groups__on_both_brokers__same_answers_descriptions_and_records",
        "test_random_consumer_groups__session_timeouts_expire__same_members_removed_by_both_brokers",
        "test_restart__of_both_brokers_during_requests__same_state_and_answers",
    ),
    "4.4 bumps the group epoch for every new member, and if another assignor has the most votes (rule 3.4)": (
        "107-join-with-an-empty-regex",
        "107-join-without-existing-topics",
        "118-votes-for-an-assignor",
        "131-regex-async",
        "131-regex-invalid",
        "131-regex-last-leaves",
        "131-regex-of-internal-topics",
        "146-upgrade-by-a-member-that-takes-over-a-seat",
        "146-upgrade-by-a-member-without-topics",
        "3.4-changes-that-leave-the-epoch-unchanged",
    ),
    "4.4 lets a member into a full group if it takes over a seat (rules 3.4 and 3.9)": (
        "119-consumers-max-size",
        "3.9-a-classic-member-finds-the-group-full",
    ),
    "4.4 refuses a classic member whose metadata cannot be parsed with another error (rule 3.9)": (
        "3.9-join-a-consumer-group",
    ),
    "4.4 writes the topic id of an offset that a transaction commits (rule 6.3)": (
        "8.5-zombie-by-instance-id",
        "8.5-zombie-by-transactional-id",
        "93-commit-while-the-group-completes",
        "94-commit-of-an-old-producer",
        "96-fetch-unstable",
        "97-fetch-all-pending-only",
        "98-marker-commit-and-newer-plain",
        "100-delete-offset-pending",
        "105-expire-pending",
        "143-older-epoch-in-a-transaction",
    ),
    "4.4 writes a target assignment for a streams group that becomes empty (rule 5.2)": (
        "5.2-streams-after-an-empty-classic-group",
        "5.2-streams-beside-other-protocols",
        "5.2-streams-shutdown",
        "5.3-streams-tasks-move",
    ),
    "4.3 refuses task offsets, warm-up tasks and static members of streams groups (rule 5.1)": (
        "5.1-streams-validation",
        "5.2-streams-late-heartbeat-after-a-temporary-leave",
        "5.2-streams-standbys-by-task-offsets",
        "5.2-streams-static",
        "5.2-streams-static-returns-after-a-refused-join",
        "5.2-streams-static-returns-while-tasks-move",
        "5.2-streams-static-that-leaves-out-its-instance-id",
        "5.2-streams-static-with-partial-heartbeats",
        "5.6-streams-task-offsets",
        "5.6-streams-task-offsets-of-a-static-member",
        "test_random_streams_groups__on_both_brokers__same_answers_descriptions_and_records",
        "test_refused_join__owner_of_the_instance_id_stays__owner_loses_all_tasks_on_apache_kafka_only",
        "test_refused_join__successor_of_the_instance_id_joins__successor_gets_the_tasks_at_once_on_tenure_only",
    ),
    "4.4 removes the endpoint of a streams member that joins again without one (rule 5.2)": ("5.5-streams-endpoints",),
    "4.4 keeps the state of a task that changes its role inside a member (rule 5.3)": ("5.2-streams-standby",),
    "4.4 refuses a quota that is no finite number (rule 1.10)": (
        "test_client_quotas__altered_and_described__same_answers_from_both_brokers[not finite]",
    ),
}
"""Change of 4.4 -> scenarios, without their client versions, and names of other tests."""

SCENARIO: Final = re.compile(r"test_scenario__\w+\[(.+)-v\d+\]")
CHANGE_BY_TEST: Final = {name: change for change, names in CHANGES.items() for name in names}


def expect_differences(items: list[pytest.Item]) -> None:
    """Expect the tests of the table to fail, if Apache Kafka 4.3 runs."""
    for item in items if IS_4_3 else ():
        change = CHANGE_BY_TEST.get(SCENARIO.sub(r"\1", item.name))
        if change:
            item.add_marker(pytest.mark.xfail(raises=AssertionError, reason=change, strict=True))
