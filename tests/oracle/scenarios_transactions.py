"""Scenarios of offsets committed in transactions, and of zombies (rules 2.14, 4.3 to 4.5, 8.5 and 8.6; 9.4).

A zombie that is fenced by transactional id, generation, instance id or member epoch commits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tenure.protocol.apis import ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tests.kafka_versions import versions_in_kafka
from tests.oracle.classic_requests import OWN, TOPIC, Group
from tests.oracle.consumer_requests import Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.scenarios_epochs import regained
from tests.oracle.scenarios_strict import CHECKED_S, RETENTION_S

NAMELESS = -1
LONGEST_MS = 900_000
PASSING = {
    ErrorCode.CONCURRENT_TRANSACTIONS,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
}
EXPLICIT = 3
"""Version of TxnOffsetCommit before which the producer has to send AddOffsetsToTxn."""
VERSIONS = tuple(versions_in_kafka(ApiKey.TXN_OFFSET_COMMIT))
"""Versions of TxnOffsetCommit; version 6 has topic ids."""


class Transactional:
    """Producer that commits offsets of a group, under a transactional id with the name of the group."""

    def __init__(self, group: Group, client: str = "P") -> None:
        self.group = group
        self.client = client
        self.id = f"of {group.id}"
        self.producer_id, self.epoch = -1, -1
        find = FindCoordinatorRequest(key_type=1, coordinator_keys=[self.id])
        wire = group.session.wire(client)
        while wire.ask(find, 4).coordinators[0].error_code:
            pass
        self.init()

    def ask(
        self, request: Message, version: int, code_of: Callable[[Any], int] = lambda answer: answer.error_code
    ) -> Any:
        """Repeat a request while its error is temporary; answers with such errors are not recorded."""
        answers: list[Any] = []

        def again() -> Any:
            answers.append(self.group.session.ask(self.client, request, version))
            return answers[-1]

        self.group.session.ask_until(again, lambda answer: code_of(answer) not in PASSING)
        return answers[-1]

    def init(self, producer_id: int = -1, epoch: int = -1) -> None:
        answer = self.ask(InitProducerIdRequest(self.id, LONGEST_MS, producer_id, epoch), 5)
        if not answer.error_code:
            self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch

    def add_group(self) -> None:
        self.ask(AddOffsetsToTxnRequest(self.id, self.producer_id, self.epoch, self.group.id), EXPLICIT)

    def consumer_commit(
        self,
        client: str | None = None,
        offset: int = 7,
        partitions: Sequence[int] = (0,),
        *,
        generation: int | None = None,
        member_id: str | int = OWN,
        instance: str | None = OWN,
        version: int = 5,
    ) -> None:
        """Send TxnOffsetCommit for a member, or without one."""
        group = self.group
        if version <= EXPLICIT:
            self.add_group()
        of_member = client is not None
        request = TxnOffsetCommitRequest(
            transactional_id=self.id,
            group_id=group.id,
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            generation_id_or_member_epoch=(group.generation if generation is None else generation)
            if of_member
            else NAMELESS,
            member_id=group.member_id(client, member_id) if client is not None else "",
            group_instance_id=group.instance(client, instance) if client is not None else None,
            topics=[
                TxnOffsetCommitRequestTopic(
                    **group.named(TOPIC, by_id=version >= 6),
                    partitions=[TxnOffsetCommitRequestPartition(number, offset, -1, "") for number in partitions],
                )
            ],
        )
        self.ask(request, version, lambda answer: answer.topics[0].partitions[0].error_code)

    def end(self, *, commit: bool, version: int = 5, leaves_nothing: bool = False) -> None:
        """End the transaction, and wait until no offset is pending; with `leaves_nothing`, until there is no offset."""
        answer = self.ask(EndTxnRequest(self.id, self.producer_id, self.epoch, commit), min(version, 5))
        if not answer.error_code and version >= 5:
            self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch
        self.group.session.ask_until(
            lambda: self.group.fetch(partitions=range(4), version=8, require_stable=True),
            lambda answer: all(
                part.error_code == 0 and not (leaves_nothing and part.committed_offset >= 0)
                for topic in answer.groups[0].topics
                for part in topic.partitions
            ),
        )


@scenario("93")
def commit_while_the_group_completes(group: Group) -> None:
    group.join_with_id("A")
    producer = Transactional(group)
    for version in (EXPLICIT, *VERSIONS[5:]):
        producer.consumer_commit("A", version=version)
        group.commit("A", {0: 8})
        producer.end(commit=True, version=version)
    group.fetch()


@scenario("94")
def commit_of_an_old_producer(group: Group) -> None:
    group.stabilize("A")
    producer = Transactional(group)
    producer.consumer_commit(version=2)
    producer.end(commit=True, version=3)
    producer.consumer_commit(offset=8)
    producer.end(commit=False)
    group.fetch()


@scenario("96")
def fetch_unstable(group: Group) -> None:
    group.commit_anonymously("A", {0: 3, 1: 4})
    producer = Transactional(group)
    producer.consumer_commit()
    for stable in (True, False):
        group.fetch(require_stable=stable)
    producer.end(commit=True)


@scenario("97")
def fetch_all_pending_only(group: Group) -> None:
    producer = Transactional(group)
    producer.consumer_commit()
    for stable in (True, False):
        group.fetch(partitions=None, require_stable=stable)
    group.list()
    group.describe()
    producer.end(commit=False)
    group.list()


@scenario("98")
def marker_commit_and_newer_plain(group: Group) -> None:
    producer = Transactional(group)
    producer.consumer_commit(partitions=(0, 1))
    group.commit_anonymously("A", {0: 9})
    producer.end(commit=True)


@scenario("100")
def delete_offset_pending(group: Group) -> None:
    group.commit_anonymously("A", {0: 3, 1: 4})
    producer = Transactional(group)
    producer.consumer_commit()
    group.delete_offsets("A", (0,))
    group.fetch(partitions=None, require_stable=True)
    producer.end(commit=True)


@scenario("105", strict=True, long=True)
def expire_pending(group: Group) -> None:
    group.commit_anonymously("A", {0: 3, 1: 4})
    producer = Transactional(group)
    producer.consumer_commit()
    group.session.rest(RETENTION_S + CHECKED_S)
    group.fetch(partitions=None)
    group.list()
    producer.end(commit=False, leaves_nothing=True)


@scenario("143")
def older_epoch_in_a_transaction(group: Consumers) -> None:
    producer = Transactional(group)
    producer.consumer_commit("A", generation=1, member_id="nobody")
    regained(group)
    for version in VERSIONS[EXPLICIT:]:
        if version == 4:
            producer.add_group()
        for epoch in (3, 5):
            producer.consumer_commit("A", partitions=(0, 2), generation=epoch, version=version)
        producer.consumer_commit("A", generation=4, member_id="nobody", version=version)
        producer.consumer_commit("A", offset=version, generation=3, version=version)
        producer.consumer_commit("A", offset=version, partitions=(2,), generation=4, version=version)
        producer.end(commit=True, version=version)


@scenario("8.5")
def zombie_by_generation(group: Group) -> None:
    group.stabilize("A", "B")
    producer = Transactional(group)
    for version in (EXPLICIT, *VERSIONS[5:]):
        producer.consumer_commit("A", generation=group.generation - 1, version=version)
        producer.consumer_commit("A", generation=group.generation + 1, version=version)
        producer.consumer_commit("A", member_id="nobody", version=version)
        producer.end(commit=False, version=version)
    group.fetch(require_stable=True)


@scenario("8.5", A="seat", B="seat")
def zombie_by_instance_id(group: Group) -> None:
    group.stabilize("A")
    group.join("B", "")
    producer = Transactional(group)
    for version in (EXPLICIT, *VERSIONS[5:]):
        producer.consumer_commit("A", version=version)
        producer.consumer_commit("A", member_id="nobody", version=version)
        producer.consumer_commit("A", instance="no-seat", version=version)
        producer.consumer_commit("A", instance=None, version=version)
        producer.consumer_commit("B", offset=version, version=version)
        producer.end(commit=True, version=version)
    group.fetch(require_stable=True)


@scenario("8.5")
def zombie_by_transactional_id(group: Group) -> None:
    group.stabilize("A")
    zombie = Transactional(group)
    zombie.consumer_commit("A", offset=66)
    living = Transactional(group, "Q")
    for version in VERSIONS[EXPLICIT:]:
        zombie.consumer_commit("A", offset=66, version=version)
        zombie.end(commit=True, version=version)
    zombie.init(zombie.producer_id, zombie.epoch)
    group.fetch(require_stable=True)
    living.consumer_commit("A")
    living.end(commit=True)


@scenario("8.5")
def commit_to_an_empty_group_id(group: Group) -> None:
    """Check the name of the group before the transaction."""
    producer = Transactional(group)
    group.id = ""
    partition = TxnOffsetCommitRequestPartition(0, 7, -1, "")
    for version in VERSIONS[2:]:
        request = TxnOffsetCommitRequest(
            transactional_id=producer.id,
            group_id="",
            producer_id=producer.producer_id,
            producer_epoch=producer.epoch,
            topics=[TxnOffsetCommitRequestTopic(**group.named(TOPIC, by_id=version >= 6), partitions=[partition])],
        )
        producer.ask(request, version, lambda answer: answer.topics[0].partitions[0].error_code)
