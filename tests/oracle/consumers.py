"""Actions of members of a consumer group (KIP-848), in one line each, besides those of classic members.

Each member draws its own id, so that both sides get the same: the n-th id of actor A is `A.n`. Members vote for `range`
unless a scenario says otherwise: its assignment follows from their names alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    CreatableTopic,
    CreateTopicsRequest,
    HeartbeatTopicPartitions,
    IncrementalAlterableConfig,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tests.oracle.actors import LONG_MS, OWN, TOPIC, Group

Parts = Mapping[str, Sequence[int]]
"""Partitions by topic."""

NOTHING: Final[Parts] = {}
JOINS, LEAVES, STEPS_OUT = 0, -1, -2
GROUP_RESOURCE, SET = 32, 0
CHANGES: Final = count()
HEARTBEATS_MS: Final = range(5_001, 15_000)
"""Heartbeat intervals for groups: every change of configs has another one, which shows that it has arrived."""
ALL: Final[Parts] = {TOPIC: (0, 1, 2, 3)}


AFTER: Final = {
    ErrorCode.FENCED_MEMBER_EPOCH: "come_again",
    ErrorCode.UNRELEASED_INSTANCE_ID: "seize",
    ErrorCode.UNKNOWN_MEMBER_ID: "come",
    ErrorCode.FENCED_INSTANCE_ID: "come",
    ErrorCode.GROUP_ID_NOT_FOUND: "come",
    ErrorCode.GROUP_MAX_SIZE_REACHED: "come",
}
"""Next step of a member after an error; after any other error it continues as planned."""


class Seat:
    """Beliefs of an actor."""

    def __init__(self) -> None:
        self.epoch = 0
        self.next = "come"
        """A step of its life: come, come_again with the id that it has, seize the seat of an earlier self, or live."""
        self.holder = ""
        """The id under which it was a member last."""
        self.told: Parts = NOTHING
        """Target that it was told last."""
        self.owned: Parts = NOTHING
        """Partitions that it has reported as owned."""


class Consumers(Group):
    """A group on one side that members of both protocols may belong to. Versions follow from those of commits."""

    heeds = True
    """True if actors believe the answers; False after requests that no client would send."""

    @property
    def newest(self) -> int:
        return 1 if self.versions.commit >= 10 else 0

    def seat(self, actor: str) -> Seat:
        return self.__dict__.setdefault("_seats", {}).setdefault(actor, Seat())

    def draw_id(self, actor: str) -> str:
        ids = self.session.member_ids.setdefault(actor, [])
        ids.append(f"{actor}.{len(ids) + 1}")
        return ids[-1]

    # --- heartbeats ----------------------------------------------------------------------------------------------

    def beat(
        self,
        actor: str,
        epoch: int | None = None,
        member_id: str | int = OWN,
        *,
        owned: Parts | str | None = None,
        names: Sequence[str] | None = None,
        regex: str | None = None,
        assignor: str | None = None,
        rack: str | None = None,
        instance: str | None = OWN,
        rebalance_timeout_ms: int = -1,
        version: int | None = None,
    ) -> Any:
        """ConsumerGroupHeartbeat.

        Without an epoch: the one that the actor heard last. `owned=OWN`: all that it was told; what is left out is
        null.
        """
        seat = self.seat(actor)
        if owned == OWN:
            owned = seat.told
        assert not isinstance(owned, str)
        if owned is not None:
            seat.owned = owned
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.id,
            member_id=self.member_id(actor, member_id),
            member_epoch=seat.epoch if epoch is None else epoch,
            instance_id=self.instance(actor, instance),
            rack_id=rack,
            rebalance_timeout_ms=rebalance_timeout_ms,
            subscribed_topic_names=None if names is None else list(names),
            subscribed_topic_regex=regex,
            server_assignor=assignor,
            topic_partitions=None if owned is None else self.partitions(owned),
        )
        return self.ask(actor, request, self.newest if version is None else version, wait=self.session.listening)

    def partitions(self, parts: Parts) -> list[HeartbeatTopicPartitions]:
        topic_id = self.session.side.topic_id
        return [HeartbeatTopicPartitions(topic_id(topic), list(numbers)) for topic, numbers in parts.items()]

    def come(self, actor: str, *, again: bool = False, **how: Any) -> Any:
        """Joins as a newcomer, with an id of its own; `again`: with the id that it has."""
        seat = self.seat(actor)
        seat.owned = NOTHING
        if not again:
            self.draw_id(actor)
        fields = {
            "owned": NOTHING,
            "names": [TOPIC],
            "assignor": "range",
            "rebalance_timeout_ms": LONG_MS,
        }
        return self.beat(actor, JOINS, **(fields | how))

    def go_on(self, actor: str) -> Any:
        """Take a member's next step: report its partitions if the target has changed, else send a plain heartbeat."""
        seat = self.seat(actor)
        return self.beat(actor, owned=OWN if seat.told != seat.owned else None)

    def go(self, actor: str, *, epoch: int = LEAVES, **how: Any) -> Any:
        return self.beat(actor, epoch, **how)

    def settle_consumers(self, *actors: str, **how: Any) -> None:
        """They come one after another, and go on until all of them have what they should have."""
        for at, newcomer in enumerate(actors):
            self.come(newcomer, **how)
            for actor in (*actors[: at + 1], *actors[: at + 1], newcomer):
                self.go_on(actor)

    def hear(self, actor: str) -> Any:
        answer = self.session.hear(actor, self.session.ear)
        self.generation = max(self.generation, getattr(answer, "generation_id", 0))
        if isinstance(answer, ConsumerGroupHeartbeatResponse) and self.heeds:
            self.learn(actor, answer)
        return answer

    def learn(self, actor: str, answer: ConsumerGroupHeartbeatResponse) -> None:
        seat = self.seat(actor)
        if answer.error_code:
            seat.next = AFTER.get(answer.error_code, seat.next)
            return
        seat.next = "live" if answer.member_epoch > 0 else "come"
        seat.holder = answer.member_id or seat.holder
        seat.epoch = max(answer.member_epoch, 0)
        if answer.assignment is not None:
            name_of = self.session.side.topic_of
            seat.told = {
                name_of(topic.topic_id).partition("#")[0]: tuple(topic.partitions)
                for topic in answer.assignment.topic_partitions
            }

    def hear_news(self, actor: str) -> None:
        """Goes on until there is a newer epoch: something has happened to a topic."""
        known = self.seat(actor).epoch
        self.session.ask_until(lambda: self.go_on(actor), lambda answer: answer.member_epoch != known)

    # --- offsets, and observers ----------------------------------------------------------------------------------

    def save(self, actor: str, *partitions: int, epoch: int | None = None, offset: int = 7, **how: Any) -> Any:
        """OffsetCommit of a member, with the epoch that it heard last."""
        generation = self.seat(actor).epoch if epoch is None else epoch
        return self.commit(actor, dict.fromkeys(partitions or (0,), offset), generation=generation, **how)

    def read(
        self,
        actor: str,
        epoch: int | None = None,
        member_id: str | int | None = OWN,
        *,
        version: int | None = None,
        partitions: Sequence[int] | None = (0, 1, 2, 3),
    ) -> Any:
        """OffsetFetch of a member."""
        version = self.versions.fetch if version is None else version
        named = {"topic_id": self.session.side.topic_id(TOPIC)} if version >= 10 else {"name": TOPIC}
        asked = OffsetFetchRequestGroup(
            self.id,
            None if member_id is None else self.member_id(actor, member_id),
            self.seat(actor).epoch if epoch is None else epoch,
            None if partitions is None else [OffsetFetchRequestTopics(partition_indexes=list(partitions), **named)],
        )
        return self.session.ask(actor, OffsetFetchRequest(groups=[asked]), version)

    def make_topic(self, name: str, partitions: int = 2) -> None:
        """Returns once the coordinator knows of it: it tells a member of another group, who waits for the topic."""
        watcher = Consumers(self.session.side.session(), f"{self.id}-watcher")
        watcher.come("A", names=[name])
        wanted = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
        watcher.session.ask("admin", CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7)
        self.session.side.wait_for_topic(name)
        watcher.hear_news("A")
        watcher.go("A")
        watcher.session.close()

    def configure(self, *others: str, **configs: int) -> None:
        """Configs of this group, or of others, with underscores for dots.

        Apache Kafka's controller answers before its broker knows: they are in force once a member of another group
        hears of a change that came after them.
        """
        barrier = Consumers(self.session.side.session(), f"{self.id}-barrier")
        barrier.alter([*others] or [self.id], configs)
        barrier.hear_of_a_change()
        barrier.hear_of_a_change()  # what came together with the first one is in force, too
        barrier.go("A")
        barrier.session.close()

    def hear_of_a_change(self) -> None:
        """Without an assignment, no member gets a shorter interval (docs/differences.md)."""
        heartbeat_ms = HEARTBEATS_MS[next(CHANGES) % len(HEARTBEATS_MS)]
        self.alter([self.id], {"consumer_session_timeout_ms": 60_000, "consumer_heartbeat_interval_ms": heartbeat_ms})
        self.session.ask_until(
            lambda: self.come("A", again=bool(self.session.member_ids), names=[]),
            lambda answer: answer.heartbeat_interval_ms == heartbeat_ms,
        )

    def alter(self, groups: Sequence[str], configs: Mapping[str, int]) -> None:
        altered = [IncrementalAlterableConfig(key.replace("_", "."), SET, str(value)) for key, value in configs.items()]
        resources = [IncrementalAlterConfigsResource(GROUP_RESOURCE, group, altered) for group in groups]
        answer = self.session.ask("admin", IncrementalAlterConfigsRequest(resources))
        assert all(one.error_code == 0 for one in answer.responses), answer

    def look(self, actor: str = "admin", *, version: int | None = None, others: Sequence[str] = ()) -> Any:
        """ConsumerGroupDescribe."""
        request = ConsumerGroupDescribeRequest([self.id, *others])
        return self.session.ask(actor, request, self.newest if version is None else version)
