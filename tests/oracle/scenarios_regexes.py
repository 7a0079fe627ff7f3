"""Subscriptions by regular expression (rule 3.8; 9.5).

What one matches is found out beside the requests: members go on asking until they hear of it.

A group looks no more often than every ten seconds, and other scenarios' topics come and go: each has names of its own.
"""

from __future__ import annotations

import time

from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionKey
from tests.oracle.actors import OWN, TOPIC
from tests.oracle.consumers import NOTHING, Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.side import PATIENCE_S

NEW = (10,)
"""A heartbeat of version 0 has no regular expression."""
INVALID = ("(", "[a", "x)", "*", "a**", "a{2,1}", "[z-a]", r"\q", r"(a)\1", "(?=a)", "a\\")


@scenario("131", NEW)
def regex_invalid(group: Consumers) -> None:
    for pattern in INVALID:
        group.come("A", names=None, regex=pattern)
    group.come("A", names=[])
    group.beat("A", regex="(", names=[TOPIC])
    group.beat("A", 7, regex="(")
    group.beat("A", member_id="nobody", regex="(")
    group.look()


@scenario("131", NEW)
def regex_async(group: Consumers) -> None:
    group.come("A", names=None, regex="oracl[e]")
    group.hear_news("A")
    group.look()
    group.come("B", names=None, regex="oracl[e]")
    for actor in "ABBA":
        group.go_on(actor)
    group.look()
    group.beat("B", regex="", owned=OWN)
    group.beat("B", owned=NOTHING)
    group.look()


@scenario("131", NEW)
def regex_and_names(group: Consumers) -> None:
    group.come("A", names=[TOPIC], regex="nobody-[h]as-it")
    wait_until_resolved(group)
    group.go_on("A")
    group.look()
    group.beat("A", names=[], owned=OWN)
    group.beat("A", owned=NOTHING)
    group.look()


@scenario("131", NEW, B="b")
def regex_last_leaves(group: Consumers) -> None:
    group.come("A", names=None, regex="orac(le)")
    group.hear_news("A")
    group.come("B", names=None, regex="orac(le)")
    group.go("A")
    group.go_on("B")
    group.go("B")
    group.look()


@scenario("131", NEW)
def regex_of_internal_topics(group: Consumers) -> None:
    group.come("A", names=None, regex="__consumer_offset[s]")
    group.hear_news("A")
    group.look()


def wait_until_resolved(group: Consumers) -> None:
    """An expression without matches changes no assignment, but it is logged."""
    log = group.session.side.log
    deadline = time.monotonic() + PATIENCE_S
    while not any(isinstance(one.key, ConsumerGroupRegularExpressionKey) for one in log.of(group.id)):
        assert time.monotonic() < deadline, "the expression was never resolved"
        time.sleep(0.02)
