"""Entries of the rebalance journal when a group changes its protocol, and back."""

from typing import Any

import pytest

from tenure.coordinator.groups.journal.entries import RebalanceBegan, RebalanceEnded
from tenure.coordinator.metadata.topics import Topic
from tests.coordinator.journaled import JournaledHost
from tests.coordinator.test_migration import ALL, T, ask, assigned, beat, classic_group, join, settings_with


@pytest.fixture
def host() -> JournaledHost:
    found = JournaledHost(settings_with())
    found.topics.put(Topic("t", T, len(ALL)))  # type: ignore[arg-type]
    return found


def new_entries(host: JournaledHost) -> list[Any]:
    found, host.entries[:] = list(host.entries), []
    return found


def test_journal__consumer_member_joins_a_stable_classic_group__epoch_continues_from_the_generation(
    host: JournaledHost,
) -> None:
    classic_group(host, {"a": assigned(*ALL)})
    new_entries(host)
    ask(host, beat("K", 0))
    began = new_entries(host)[0]
    assert isinstance(began, RebalanceBegan)
    assert (began.group_type, began.generation_before, began.trigger, began.cause) == (
        "consumer",
        1,
        "joined",
        "member K joined",
    )


def test_journal__upgrade_during_a_rebalance__outcome_is_converted(host: JournaledHost) -> None:
    classic_group(host, {"a": assigned(*ALL)})
    host.ask(join("", "b"))
    assert [type(entry) for entry in new_entries(host)][-1] is RebalanceBegan
    ask(host, beat("K", 0))
    ended, began = new_entries(host)[:2]
    assert isinstance(ended, RebalanceEnded)
    assert (ended.group_type, ended.outcome) == ("classic", "converted")
    assert (began.group_type, began.trigger) == ("consumer", "joined")


def test_journal__downgrade_during_a_rebalance__entries_for_both_group_types(host: JournaledHost) -> None:
    classic_group(host, {"a": assigned(*ALL)})
    ask(host, beat("K", 0))
    new_entries(host)
    ask(host, beat("K", -1))
    converted, began = new_entries(host)[:2]
    assert (converted.group_type, converted.outcome) == ("consumer", "converted")
    assert (began.group_type, began.trigger, began.cause) == ("classic", "left", "member K left")
