"""Requests of members of a consumer group (KIP-848), each as a method of one call, and those of classic members.

Each member chooses its own id, so that both brokers get the same one: the n-th id of client A is `A.n`. Members vote
for `range` unless a scenario says otherwise, because its assignment follows from their names alone.
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
    StreamsGroupHeartbeatResponse,
)
from tests.kafka_versions import without_new_keys
from tests.oracle.classic_requests import LONG_MS, OWN, TOPIC, Group

Parts = Mapping[str, Sequence[int]]
"""Partitions by topic."""

NOTHING: Final[Parts] = {}
JOINS, LEAVES, LEAVES_TEMPORARILY = 0, -1, -2
GROUP_RESOURCE, SET = 32, 0
CHANGES: Final = count()
HEARTBEATS_MS: Final = range(5_001, 15_000)
"""Heartbeat intervals for groups. Each change of configs uses another one, whose arrival shows that the change is in
force."""
ALL: Final[Parts] = {TOPIC: (0, 1, 2, 3)}


AFTER: Final = {
    ErrorCode.FENCED_MEMBER_EPOCH: "consumer_rejoin",
    ErrorCode.UNRELEASED_INSTANCE_ID: "take_over",
    ErrorCode.UNKNOWN_MEMBER_ID: "consumer_join",
    ErrorCode.FENCED_INSTANCE_ID: "consumer_join",
    ErrorCode.GROUP_ID_NOT_FOUND: "consumer_join",
    ErrorCode.GROUP_MAX_SIZE_REACHED: "consumer_join",
}
"""Next step of a member by error code; after any other error its step stays the same."""


class ConsumerState:
    """State of a client of a consumer group."""

    def __init__(self) -> None:
        self.epoch = 0
        self.next = "consumer_join"
        """Next step: `consumer_join` with a new id, `consumer_rejoin` with the present one, `take_over` the instance id
        of the earlier process, or `member` for the requests of a member."""
        self.holder = ""
        """Id under which the client was last a member."""
        self.target: Parts = NOTHING
        """Target assignment in the last answer that had one."""
        self.owned: Parts = NOTHING
        """Partitions that the client last reported as owned."""


class Consumers(Group):
    """Group on one broker with members of both protocols. Request versions follow from the version of OffsetCommit."""

    learns = True
    """True if the states of clients follow the answers; False while requests are sent that no client would send."""

    @property
    def newest(self) -> int:
        return 1 if self.versions.commit >= 10 else 0

    def consumer_state(self, client: str) -> ConsumerState:
        return self.__dict__.setdefault("_states", {}).setdefault(client, ConsumerState())

    def draw_id(self, client: str) -> str:
        ids = self.session.member_ids.setdefault(client, [])
        ids.append(f"{client}.{len(ids) + 1}")
        return ids[-1]

    # --- heartbeats ---------------------------------------------------------------------------------------------------

    def consumer_heartbeat(
        self,
        client: str,
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
        """Send ConsumerGroupHeartbeat.

        By default the epoch is the one of the last answer. `owned=OWN` reports the whole target. Omitted fields are
        null.
        """
        consumer_state = self.consumer_state(client)
        if owned == OWN:
            owned = consumer_state.target
        assert not isinstance(owned, str)
        if owned is not None:
            consumer_state.owned = owned
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.id,
            member_id=self.member_id(client, member_id),
            member_epoch=consumer_state.epoch if epoch is None else epoch,
            instance_id=self.instance(client, instance),
            rack_id=rack,
            rebalance_timeout_ms=rebalance_timeout_ms,
            subscribed_topic_names=None if names is None else list(names),
            subscribed_topic_regex=regex,
            server_assignor=assignor,
            topic_partitions=None if owned is None else self.partitions(owned),
        )
        return self.ask(client, request, self.newest if version is None else version, wait=self.session.listening)

    def partitions(self, parts: Parts) -> list[HeartbeatTopicPartitions]:
        topic_id = self.session.side.topic_id
        return [HeartbeatTopicPartitions(topic_id(topic), list(numbers)) for topic, numbers in parts.items()]

    def consumer_join(self, client: str, *, again: bool = False, **how: Any) -> Any:
        """Join as a new member with a new id, or with `again` under the present id."""
        consumer_state = self.consumer_state(client)
        consumer_state.owned = NOTHING
        if not again:
            self.draw_id(client)
        fields = {
            "owned": NOTHING,
            "names": [TOPIC],
            "assignor": "range",
            "rebalance_timeout_ms": LONG_MS,
        }
        return self.consumer_heartbeat(client, JOINS, **(fields | how))

    def proceed(self, client: str) -> Any:
        """Take a member's next step: report its partitions if the target has changed, else send a plain heartbeat."""
        consumer_state = self.consumer_state(client)
        return self.consumer_heartbeat(client, owned=OWN if consumer_state.target != consumer_state.owned else None)

    def consumer_leave(self, client: str, *, epoch: int = LEAVES, **how: Any) -> Any:
        return self.consumer_heartbeat(client, epoch, **how)

    def stabilize_consumers(self, *clients: str, **how: Any) -> None:
        """Let the clients join one after another, and send heartbeats until each has its assignment."""
        for at, newcomer in enumerate(clients):
            self.consumer_join(newcomer, **how)
            for client in (*clients[: at + 1], *clients[: at + 1], newcomer):
                self.proceed(client)

    def receive(self, client: str) -> Any:
        answer = self.session.receive(client, self.session.connection)
        self.generation = max(self.generation, getattr(answer, "generation_id", 0))
        if isinstance(answer, ConsumerGroupHeartbeatResponse | StreamsGroupHeartbeatResponse) and self.learns:
            self.learn(client, answer)
        return answer

    def learn(self, client: str, answer: Any) -> None:
        """Update the state of a client from the answer to a heartbeat."""
        self.learn_state(client, answer)
        if not answer.error_code and answer.assignment is not None:
            name_of = self.session.side.topic_of
            self.consumer_state(client).target = {
                name_of(topic.topic_id).partition("#")[0]: tuple(topic.partitions)
                for topic in answer.assignment.topic_partitions
            }

    def learn_state(self, client: str, answer: Any) -> None:
        """Update the next step and the epoch, which answers of all protocols have."""
        consumer_state = self.consumer_state(client)
        if answer.error_code:
            consumer_state.next = AFTER.get(answer.error_code, consumer_state.next)
            return
        consumer_state.next = "member" if answer.member_epoch > 0 else "consumer_join"
        consumer_state.holder = answer.member_id or consumer_state.holder
        consumer_state.epoch = max(answer.member_epoch, 0)

    def wait_for_new_epoch(self, client: str) -> None:
        """Send heartbeats until the epoch changes after a change of a topic."""
        client_states = self.consumer_state(client).epoch
        self.session.ask_until(lambda: self.proceed(client), lambda answer: answer.member_epoch != client_states)

    # --- offsets, and observers ---------------------------------------------------------------------------------------

    def consumer_commit(
        self, client: str, *partitions: int, epoch: int | None = None, offset: int = 7, **how: Any
    ) -> Any:
        """Send OffsetCommit of a member; the default epoch is that of the last answer."""
        generation = self.consumer_state(client).epoch if epoch is None else epoch
        return self.commit(client, dict.fromkeys(partitions or (0,), offset), generation=generation, **how)

    def consumer_fetch(
        self,
        client: str,
        epoch: int | None = None,
        member_id: str | int | None = OWN,
        *,
        version: int | None = None,
        partitions: Sequence[int] | None = (0, 1, 2, 3),
    ) -> Any:
        """Send OffsetFetch of a member."""
        version = self.versions.fetch if version is None else version
        named = {"topic_id": self.session.side.topic_id(TOPIC)} if version >= 10 else {"name": TOPIC}
        asked = OffsetFetchRequestGroup(
            self.id,
            None if member_id is None else self.member_id(client, member_id),
            self.consumer_state(client).epoch if epoch is None else epoch,
            None if partitions is None else [OffsetFetchRequestTopics(partition_indexes=list(partitions), **named)],
        )
        return self.session.ask(client, OffsetFetchRequest(groups=[asked]), version)

    def make_topic(self, name: str, partitions: int = 2) -> None:
        """Create a topic, and wait until the coordinator sends it to a subscribed member of another group."""
        watcher = Consumers(self.session.side.session(), f"{self.id}-watcher")
        watcher.consumer_join("A", names=[name])
        wanted = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
        watcher.session.ask("admin", CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7)
        self.session.side.wait_for_topic(name)
        watcher.wait_for_new_epoch("A")
        watcher.consumer_leave("A")
        watcher.session.close()

    def configure(self, *others: str, **configs: int) -> None:
        """Change configs of this group or of others; keys have underscores for dots.

        Apache Kafka's controller answers before its broker knows the change. It is in force once a member of another
        group sees a later change.
        """
        barrier = Consumers(self.session.side.session(), f"{self.id}-barrier")
        barrier.alter([*others] or [self.id], configs)
        barrier.wait_for_new_interval()
        barrier.wait_for_new_interval()  # then the changes that were sent together with the first one are in force, too
        barrier.consumer_leave("A")
        barrier.session.close()

    def wait_for_new_interval(self) -> None:
        """Change the heartbeat interval, and wait until a member gets it.

        The member has no assignment, because other members get a shorter interval while they wait
        (docs/differences.md).
        """
        heartbeat_ms = HEARTBEATS_MS[next(CHANGES) % len(HEARTBEATS_MS)]
        self.alter([self.id], {"consumer_session_timeout_ms": 60_000, "consumer_heartbeat_interval_ms": heartbeat_ms})
        self.session.ask_until(
            lambda: self.consumer_join("A", again=bool(self.session.member_ids), names=[]),
            lambda answer: answer.heartbeat_interval_ms == heartbeat_ms,
        )

    def alter(self, groups: Sequence[str], configs: Mapping[str, int]) -> None:
        """Set configs of groups, except for those that the version of Apache Kafka under test does not have."""
        named = {key.replace("_", "."): str(value) for key, value in configs.items()}
        known = without_new_keys(named) if self.session.side.name == "kafka" else named
        altered = [IncrementalAlterableConfig(key, SET, value) for key, value in known.items()]
        resources = [IncrementalAlterConfigsResource(GROUP_RESOURCE, group, altered) for group in groups]
        answer = self.session.ask("admin", IncrementalAlterConfigsRequest(resources))
        assert all(one.error_code == 0 for one in answer.responses), answer

    def consumer_describe(
        self, client: str = "admin", *, version: int | None = None, others: Sequence[str] = ()
    ) -> Any:
        """Send ConsumerGroupDescribe."""
        request = ConsumerGroupDescribeRequest([self.id, *others])
        return self.session.ask(client, request, self.newest if version is None else version)
