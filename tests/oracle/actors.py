"""Actions of members of a group, in one line each; their identity is looked up on the side where they act."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tenure.protocol.codec import encode
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    DeleteGroupsRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    LeaveGroupRequest,
    ListGroupsRequest,
    MemberIdentity,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tests.oracle.side import Session
from tests.oracle.vintages import VINTAGES

OWN: Final = "own"
"""As a member id: the newest that the actor was given, or "" if there is none."""

TOPIC: Final = "oracle"
MIN_SESSION_TIMEOUT_MS: Final = 500
LONG_MS: Final = 1_800_000
SHORT_MS: Final = 5_000
"""A timeout that a scenario waits for, and that what comes before it does not reach on a busy machine."""
SHORT_SESSION_MS: Final = 8_000
"""Session timeout of consumer groups on the strict brokers."""
INITIAL_DELAY_MS: Final = 6_000
"""Delay of a group's first rebalance there."""
PASSED_S: Final = 8.0
"""After so long a short timeout has run out."""
PART_S: Final = 2.0
"""Several of these are longer than a short timeout, one is far from it."""


def subscription(*topics: str, version: int = 1) -> bytes:
    return struct.pack(">h", version) + encode(ConsumerProtocolSubscription(topics=list(topics)), version)


RANGE: Final = {"range": subscription(TOPIC)}
WIDER: Final = {"range": subscription(TOPIC, "more")}
STICKY: Final = {"sticky": subscription(TOPIC)}
BOTH: Final = STICKY | RANGE


class Group:
    """A group on one side. Actors are named A, B, C; an actor with an instance is static in all that it says."""

    def __init__(
        self, session: Session, group_id: str, instances: Mapping[str, str] | None = None, vintage: int = 9
    ) -> None:
        self.session = session
        self.id = group_id
        self.instances = dict(instances or {})
        self.versions = VINTAGES[vintage]
        self.generation = 0

    # --- who -----------------------------------------------------------------------------------------------------

    def member_id(self, actor: str, which: str | int = OWN) -> str:
        """`which`: OWN, the n-th id of the actor (1 is the oldest), or a text that is taken as it is."""
        ids = self.session.member_ids.get(actor, [])
        if isinstance(which, int):
            return ids[which - 1]
        if which == OWN:
            return ids[-1] if ids else ""
        return which

    def instance(self, actor: str, given: str | None) -> str | None:
        return self.instances.get(actor) if given == OWN else given

    # --- what ----------------------------------------------------------------------------------------------------

    def join(
        self,
        actor: str,
        member_id: str | int = OWN,
        *,
        version: int | None = None,
        instance: str | None = OWN,
        protocols: Mapping[str, bytes] | None = None,
        protocol_type: str = "consumer",
        session_timeout_ms: int = LONG_MS,
        rebalance_timeout_ms: int = LONG_MS,
        wait: bool = True,
    ) -> Any:
        """`wait=False`: the answer comes later, by `hear`."""
        version = self.versions.join if version is None else version
        offered = RANGE if protocols is None else protocols
        request = JoinGroupRequest(
            group_id=self.id,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=rebalance_timeout_ms,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 5 else None,
            protocol_type=protocol_type,
            protocols=[JoinGroupRequestProtocol(name, metadata) for name, metadata in offered.items()],
        )
        return self.ask(actor, request, version, wait)

    def enter(self, actor: str, *, wait: bool = True, **how: Any) -> Any:
        """Joins as a newcomer: who needs an id of his own first (KIP-394) asks for it."""
        if self.versions.join >= 4 and self.instances.get(actor) is None:
            asked = self.join(actor, "", **how)
            if asked.error_code != ErrorCode.MEMBER_ID_REQUIRED:
                return asked
            return self.join(actor, wait=wait, **how)
        return self.join(actor, "", wait=wait, **how)

    def ask(self, actor: str, request: Message, version: int, wait: bool) -> Any:
        """Send a request. Without `wait`, wait until the broker has processed it, so that the next one follows it."""
        self.session.send(actor, request, version)
        if wait:
            return self.hear(actor)
        if self.session.listening:
            self.session.let_settle(self.id)
        return None

    def hear(self, actor: str) -> Any:
        answer = self.session.hear(actor)
        self.generation = max(self.generation, getattr(answer, "generation_id", 0))
        return answer

    def parked(self, actor: str) -> bool:
        return self.session.parked(actor, self.id)

    def sync(
        self,
        actor: str,
        assignments: Mapping[str, bytes] | None = None,
        member_id: str | int = OWN,
        *,
        version: int | None = None,
        generation: int | None = None,
        instance: str | None = OWN,
        protocol_type: str | None = "consumer",
        protocol_name: str | None = "range",
        wait: bool = True,
    ) -> Any:
        """`assignments`: bytes by actor, as the leader sends them."""
        version = self.versions.sync if version is None else version
        request = SyncGroupRequest(
            group_id=self.id,
            generation_id=self.generation if generation is None else generation,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 3 else None,
            protocol_type=protocol_type if version >= 5 else None,
            protocol_name=protocol_name if version >= 5 else None,
            assignments=[
                SyncGroupRequestAssignment(self.member_id(whose), assignment)
                for whose, assignment in (assignments or {}).items()
            ],
        )
        return self.ask(actor, request, version, wait)

    def heartbeat(
        self,
        actor: str,
        member_id: str | int = OWN,
        *,
        version: int | None = None,
        generation: int | None = None,
        instance: str | None = OWN,
    ) -> Any:
        version = self.versions.heartbeat if version is None else version
        request = HeartbeatRequest(
            group_id=self.id,
            generation_id=self.generation if generation is None else generation,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 3 else None,
        )
        return self.session.ask(actor, request, version)

    def leave(
        self, actor: str, leavers: Sequence[tuple[str, str | None]] | None = None, *, version: int | None = None
    ) -> Any:
        """`leavers`: (member id, instance id) pairs; without them the actor leaves by its own id."""
        version = self.versions.leave if version is None else version
        if version < 3:
            request = LeaveGroupRequest(group_id=self.id, member_id=self.member_id(actor))
        else:
            pairs = [(self.member_id(actor), None)] if leavers is None else leavers
            request = LeaveGroupRequest(group_id=self.id, members=[MemberIdentity(*pair) for pair in pairs])
        return self.session.ask(actor, request, version)

    def commit(
        self,
        actor: str,
        offsets: Mapping[int, int] | None = None,
        member_id: str | int = OWN,
        *,
        version: int | None = None,
        generation: int | None = None,
        instance: str | None = OWN,
        topic: str = TOPIC,
        metadata: str | None = "",
        leader_epoch: int = -1,
        retention_ms: int = -1,
    ) -> Any:
        version = self.versions.commit if version is None else version
        partitions = [
            OffsetCommitRequestPartition(
                partition_index=partition,
                committed_offset=offset,
                committed_leader_epoch=leader_epoch,
                committed_metadata=metadata,
            )
            for partition, offset in ({0: 1} if offsets is None else offsets).items()
        ]
        named = self.named(topic, by_id=version >= 10)
        request = OffsetCommitRequest(
            group_id=self.id,
            generation_id_or_member_epoch=self.generation if generation is None else generation,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 7 else None,
            retention_time_ms=retention_ms,
            topics=[OffsetCommitRequestTopic(partitions=partitions, **named)],
        )
        return self.session.ask(actor, request, version)

    def named(self, topic: str, *, by_id: bool) -> dict[str, Any]:
        """Return the field of a request that names the topic."""
        return {"topic_id": self.session.side.topic_id(topic)} if by_id else {"name": topic}

    def commit_anonymously(self, actor: str, offsets: Mapping[int, int] | None = None, **how: Any) -> Any:
        """As who consumes without a group, or an administrator: no member id, no generation."""
        return self.commit(actor, offsets, "", generation=-1, instance=None, **how)

    def fetch(
        self,
        actor: str = "admin",
        partitions: Sequence[int] | None = (0, 1),
        *,
        version: int | None = None,
        topic: str = TOPIC,
        others: Sequence[str] = (),
        require_stable: bool = False,
    ) -> Any:
        """Committed offsets; `partitions=None` asks for all there are, `others` for those of more groups."""
        version = self.versions.fetch if version is None else version
        indexes = list(partitions or [])
        everything = partitions is None
        if version < 8:
            old = None if everything else [OffsetFetchRequestTopic(topic, indexes)]
            request = OffsetFetchRequest(
                group_id=self.id, topics=old, require_stable=require_stable if version >= 7 else False
            )
            return self.session.ask(actor, request, version)
        named = self.named(topic, by_id=version >= 10)
        topics = None if everything else [OffsetFetchRequestTopics(partition_indexes=indexes, **named)]
        groups = [OffsetFetchRequestGroup(group_id=one, topics=topics) for one in (self.id, *others)]
        return self.session.ask(actor, OffsetFetchRequest(groups=groups, require_stable=require_stable), version)

    def forget(
        self, actor: str = "admin", partitions: Sequence[int] = (0, 1), *, topics: Sequence[str] = (TOPIC,)
    ) -> Any:
        """OffsetDelete, which has one version only."""
        named = [
            OffsetDeleteRequestTopic(topic, [OffsetDeleteRequestPartition(one) for one in partitions])
            for topic in topics
        ]
        return self.session.ask(actor, OffsetDeleteRequest(group_id=self.id, topics=named), 0)

    def describe(self, actor: str = "admin", *, version: int | None = None) -> Any:
        version = self.versions.describe if version is None else version
        return self.session.ask(actor, DescribeGroupsRequest(groups=[self.id]), version)

    def list(
        self, actor: str = "admin", *, states: Sequence[str] = (), types: Sequence[str] = (), version: int | None = None
    ) -> Any:
        """List this group only, because others exist beside it."""
        version = self.versions.list if version is None else version
        answer = self.session.ask(
            actor, ListGroupsRequest(states_filter=list(states), types_filter=list(types)), version
        )
        if answer is not None:
            answer.groups[:] = [one for one in answer.groups if one.group_id == self.id]
        return answer

    def delete(self, actor: str = "admin", *, version: int | None = None, others: Sequence[str] = ()) -> Any:
        version = self.versions.delete if version is None else version
        return self.session.ask(actor, DeleteGroupsRequest(groups_names=[self.id, *others]), version)

    # --- often --------------------------------------------------------------------------------------------------

    def settle(self, leader: str, *others: str, **how: Any) -> None:
        """Make the group Stable with these members, one after another; the first one leads."""
        self.enter(leader, **how)
        self.sync(leader, {leader: b"all"})
        joined = [leader]
        for newcomer in others:
            self.enter(newcomer, wait=False, **how)
            self.parked(newcomer)
            self.gather(*joined, wait=False, **how)
            joined.append(newcomer)
            for member in joined:
                self.hear(member)
            self.share(*joined)

    def gather(self, *members: str, wait: bool = True, **how: Any) -> None:
        """All of them join again, in this order; the last one to come completes the join phase."""
        for member in members:
            self.join(member, wait=False, **how)
        for member in members if wait else ():
            self.hear(member)

    def share(self, leader: str, *others: str) -> None:
        """Let all members sync, the leader last, with an assignment for each."""
        for member in others:
            self.sync(member, wait=False)
        self.sync(leader, {member: f"part of {member}".encode() for member in (leader, *others)})
        for member in others:
            self.hear(member)
