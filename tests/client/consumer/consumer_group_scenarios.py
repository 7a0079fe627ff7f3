"""Scenarios of a KIP-848 consumer, for any broker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from time import monotonic
from typing import Any

import pytest

from tenure.client import Consumer, OffsetAndMetadata, SubscriptionPattern, TopicPartition
from tenure.client.errors import Fenced, MembershipRefused, StaleIdentity
from tenure.protocol.errors import ErrorCode

PATIENCE_S = 60.0
INSTANCE = "group.instance.id"


class RecordedConsumer:
    """Consumer that records the calls of its rebalance callbacks, without automatic commits."""

    def __init__(self, address: str, group: str, topic: str | SubscriptionPattern, **keys: Any) -> None:
        self.events: list[tuple[str, frozenset[TopicPartition]]] = []
        config = {
            "bootstrap.servers": address,
            "group.id": group,
            "group.protocol": "consumer",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            **{key.replace("_", "."): value for key, value in keys.items()},
        }
        self.consumer = Consumer(config)
        self.consumer.subscribe(
            topic if isinstance(topic, SubscriptionPattern) else [topic],
            on_assigned=lambda partitions: self.events.append(("assigned", frozenset(partitions))),
            on_revoked=lambda partitions: self.events.append(("revoked", frozenset(partitions))),
            on_lost=lambda partitions: self.events.append(("lost", frozenset(partitions))),
        )

    @property
    def owned(self) -> set[TopicPartition]:
        return self.consumer.assignment()

    def reported(self, what: str) -> set[TopicPartition]:
        return {partition for kind, partitions in self.events if kind == what for partition in partitions}

    def close(self) -> None:
        self.consumer.close()


def poll_until(holds: Callable[[], bool], *members: RecordedConsumer) -> None:
    give_up_at = monotonic() + PATIENCE_S
    while not holds():
        assert monotonic() < give_up_at, [(member.owned, member.events) for member in members]
        for member in members:
            member.consumer.poll(0.05)


def take_over(address: str, topic: str, partitions: int) -> None:
    """Join with an instance id in use, whose session lasts 45 s: be refused or take over, as configured."""
    everything = {TopicPartition(topic, number) for number in range(partitions)}
    with ExitStack() as running:

        def member(**keys: Any) -> RecordedConsumer:
            recorded = RecordedConsumer(address, f"take-over-{topic}", topic, group_instance_id="i", **keys)
            running.callback(recorded.close)
            return recorded

        first = member(client_id="the-first")
        poll_until(lambda: first.owned == everything, first)
        epoch = first.consumer.identity.generation_id

        refused = member(on_unreleased="fail")
        with pytest.raises(MembershipRefused, match=r"client 'the-first' on host 127\.0\.0\.1") as failure:
            poll_until(lambda: False, refused)
        assert failure.value.error_code is ErrorCode.UNRELEASED_INSTANCE_ID

        second = member(client_id="the-second")
        poll_until(lambda: second.owned == everything, second)
        assert second.consumer.identity.generation_id == epoch
        with pytest.raises(Fenced, match="client 'the-second'"):
            poll_until(lambda: False, first)
        assert first.events[-1] == ("lost", frozenset(everything))
        second.consumer.commit({TopicPartition(topic, 0): OffsetAndMetadata(1)})


class Committer(threading.Thread):
    """Thread that commits a consumer's partitions without pause."""

    def __init__(self, member: RecordedConsumer) -> None:
        super().__init__()
        self.done: dict[TopicPartition, int] = {}
        self.refused: set[TopicPartition] = set()
        self.error: Exception | None = None
        self._member = member
        self._ending = threading.Event()
        self.start()

    def run(self) -> None:
        number = 0
        while not self._ending.is_set() and self.error is None:
            number += 1
            for partition in sorted(self._member.owned):
                self._commit(partition, number)

    def _commit(self, partition: TopicPartition, number: int) -> None:
        try:
            self._member.consumer.commit({partition: OffsetAndMetadata(number)})
        except StaleIdentity:
            self.refused.add(partition)
        except Exception as error:
            self.error = error
        else:
            self.done[partition] = number

    def end(self) -> None:
        self._ending.set()
        self.join(PATIENCE_S)
        assert not self.is_alive()


def commit_through_rebalances(address: str, topic: str, partitions: int) -> None:
    """Commit on another thread during rebalances: only commits of partitions that were given up are refused."""
    everything = {TopicPartition(topic, number) for number in range(partitions)}
    with ExitStack() as running:
        first = RecordedConsumer(address, f"stream-{topic}", topic)
        running.callback(first.close)
        poll_until(lambda: first.owned == everything, first)
        committer = Committer(first)
        running.callback(committer.end)
        for _ in range(3):
            with closing(RecordedConsumer(address, f"stream-{topic}", topic)) as another:
                poll_until(lambda it=another: bool(it.owned) and not first.owned & it.owned, first, another)
            poll_until(lambda: first.owned == everything, first)
        regained = dict(committer.done)
        poll_until(lambda: all(committer.done.get(at, 0) > regained.get(at, 0) + 5 for at in everything), first)
        committer.end()
        assert committer.error is None
        assert committer.refused <= first.reported("revoked")
        assert not first.reported("lost")
        committed = first.consumer.committed(everything)
        assert {partition: at and at.offset for partition, at in committed.items()} == committer.done


def match_a_pattern(address: str, topic: str) -> None:
    """Subscribe to a pattern, and wait until the topics that match it are assigned."""
    pattern = SubscriptionPattern(f"{topic[:-1]}[{topic[-1]}]")
    with closing(RecordedConsumer(address, f"pattern-{topic}", pattern)) as member:
        poll_until(lambda: {partition.topic for partition in member.owned} == {topic}, member)
    with closing(RecordedConsumer(address, f"broken-{topic}", SubscriptionPattern("(?=look)ahead"))) as broken:
        with pytest.raises(MembershipRefused) as failure:
            poll_until(lambda: False, broken)
        assert failure.value.error_code is ErrorCode.INVALID_REGULAR_EXPRESSION
