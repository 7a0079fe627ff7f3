"""Scenarios of subscriptions by regular expression (rule 3.8; 9.5).

An expression is resolved outside of the requests, so members send heartbeats until they see the result. A group
resolves at most every ten seconds. Topics of other scenarios appear and disappear, so each scenario has topic names of
its own.
"""

from __future__ import annotations

import time

from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionKey
from tests.oracle.classic_requests import OWN, TOPIC
from tests.oracle.consumer_requests import NOTHING, Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.side import PATIENCE_S

NEW = (10,)
"""Client versions with regular expressions; a heartbeat of version 0 has none."""
INVALID = ("(", "[a", "x)", "*", "a**", "a{2,1}", "[z-a]", r"\q", r"(a)\1", "(?=a)", "a\\")


@scenario("131", NEW)
def regex_invalid(group: Consumers) -> None:
    for pattern in INVALID:
        group.consumer_join("A", names=None, regex=pattern)
    group.consumer_join("A", names=[])
    group.consumer_heartbeat("A", regex="(", names=[TOPIC])
    group.consumer_heartbeat("A", 7, regex="(")
    group.consumer_heartbeat("A", member_id="nobody", regex="(")
    group.consumer_describe()


@scenario("131", NEW)
def regex_async(group: Consumers) -> None:
    group.consumer_join("A", names=None, regex="oracl[e]")
    group.wait_for_new_epoch("A")
    group.consumer_describe()
    group.consumer_join("B", names=None, regex="oracl[e]")
    for client in "ABBA":
        group.proceed(client)
    group.consumer_describe()
    group.consumer_heartbeat("B", regex="", owned=OWN)
    group.consumer_heartbeat("B", owned=NOTHING)
    group.consumer_describe()


@scenario("131", NEW)
def regex_and_names(group: Consumers) -> None:
    group.consumer_join("A", names=[TOPIC], regex="nobody-[h]as-it")
    wait_until_resolved(group)
    group.proceed("A")
    group.consumer_describe()
    group.consumer_heartbeat("A", names=[], owned=OWN)
    group.consumer_heartbeat("A", owned=NOTHING)
    group.consumer_describe()


@scenario("131", NEW, B="b")
def regex_last_leaves(group: Consumers) -> None:
    group.consumer_join("A", names=None, regex="orac(le)")
    group.wait_for_new_epoch("A")
    group.consumer_join("B", names=None, regex="orac(le)")
    group.consumer_leave("A")
    group.proceed("B")
    group.consumer_leave("B")
    group.consumer_describe()


@scenario("131", NEW)
def regex_of_internal_topics(group: Consumers) -> None:
    group.consumer_join("A", names=None, regex="__consumer_offset[s]")
    group.wait_for_new_epoch("A")
    group.consumer_describe()


def wait_until_resolved(group: Consumers) -> None:
    """Wait for the record of an expression, because one without matches changes no assignment."""
    log = group.session.side.log
    deadline = time.monotonic() + PATIENCE_S
    while not any(isinstance(one.key, ConsumerGroupRegularExpressionKey) for one in log.of(group.id)):
        assert time.monotonic() < deadline, "the expression was never resolved"
        time.sleep(0.02)
