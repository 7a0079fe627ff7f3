"""What members of a group do, in one line each; who they are is looked up on the side where they do it."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from tenure.protocol.codec import encode
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription
from tenure.protocol.messages import (
    DeleteGroupsRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    LeaveGroupRequest,
    MemberIdentity,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tests.oracle.side import Session

OWN = "own"
"""As a member id: the newest that the actor was given, or "" if there is none."""

TOPIC = "oracle"


def subscription(*topics: str) -> bytes:
    return struct.pack(">h", 1) + encode(ConsumerProtocolSubscription(topics=list(topics)), 1)


class Group:
    """A group on one side. Actors are named A, B, C; an actor with an instance is static in all that it says."""

    def __init__(self, session: Session, group_id: str, instances: Mapping[str, str] | None = None) -> None:
        self.session = session
        self.id = group_id
        self.instances = dict(instances or {})
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
        version: int = 9,
        instance: str | None = OWN,
        protocols: Mapping[str, bytes] | None = None,
        protocol_type: str = "consumer",
        session_timeout_ms: int = 1_800_000,
        rebalance_timeout_ms: int = 1_800_000,
        wait: bool = True,
    ) -> Any:
        """`wait=False` sends only: the answer comes later, by `hear`."""
        offered = {"range": subscription(TOPIC)} if protocols is None else protocols
        request = JoinGroupRequest(
            group_id=self.id,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=rebalance_timeout_ms,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 5 else None,
            protocol_type=protocol_type,
            protocols=[JoinGroupRequestProtocol(name, metadata) for name, metadata in offered.items()],
        )
        self.session.send(actor, request, version)
        return self.hear(actor) if wait else None

    def hear(self, actor: str) -> Any:
        answer = self.session.hear(actor)
        self.generation = max(self.generation, getattr(answer, "generation_id", 0))
        return answer

    def parked(self, actor: str) -> bool:
        return self.session.parked(actor)

    def sync(
        self,
        actor: str,
        assignments: Mapping[str, bytes] | None = None,
        member_id: str | int = OWN,
        *,
        version: int = 5,
        generation: int | None = None,
        instance: str | None = OWN,
        protocol_type: str | None = "consumer",
        protocol_name: str | None = "range",
        wait: bool = True,
    ) -> Any:
        """`assignments`: bytes by actor, as the leader sends them."""
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
        self.session.send(actor, request, version)
        return self.hear(actor) if wait else None

    def heartbeat(
        self,
        actor: str,
        member_id: str | int = OWN,
        *,
        version: int = 4,
        generation: int | None = None,
        instance: str | None = OWN,
    ) -> Any:
        request = HeartbeatRequest(
            group_id=self.id,
            generation_id=self.generation if generation is None else generation,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 3 else None,
        )
        return self.session.ask(actor, request, version)

    def leave(self, actor: str, leavers: Sequence[tuple[str, str | None]] | None = None, *, version: int = 5) -> Any:
        """`leavers`: (member id, instance id) pairs; without them the actor leaves by its own id."""
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
        version: int = 9,
        generation: int | None = None,
        instance: str | None = OWN,
        topic: str = TOPIC,
        metadata: str | None = "",
        leader_epoch: int = -1,
        retention_ms: int = -1,
    ) -> Any:
        request = OffsetCommitRequest(
            group_id=self.id,
            generation_id_or_member_epoch=self.generation if generation is None else generation,
            member_id=self.member_id(actor, member_id),
            group_instance_id=self.instance(actor, instance) if version >= 7 else None,
            retention_time_ms=retention_ms,
            topics=[
                OffsetCommitRequestTopic(
                    name=topic,
                    partitions=[
                        OffsetCommitRequestPartition(
                            partition_index=partition,
                            committed_offset=offset,
                            committed_leader_epoch=leader_epoch,
                            committed_metadata=metadata,
                        )
                        for partition, offset in ({0: 1} if offsets is None else offsets).items()
                    ],
                )
            ],
        )
        return self.session.ask(actor, request, version)

    def fetch(
        self, actor: str, partitions: Sequence[int] | None = (0, 1), *, version: int = 9, topic: str = TOPIC
    ) -> Any:
        """Committed offsets; `partitions=None` asks for all there are."""
        indexes = list(partitions or [])
        if version < 8:
            old = [OffsetFetchRequestTopic(topic, indexes)] if partitions is not None else None
            return self.session.ask(actor, OffsetFetchRequest(group_id=self.id, topics=old), version)
        topics = [OffsetFetchRequestTopics(name=topic, partition_indexes=indexes)] if partitions is not None else None
        group = OffsetFetchRequestGroup(group_id=self.id, topics=topics)
        return self.session.ask(actor, OffsetFetchRequest(groups=[group]), version)

    def describe(self, actor: str = "admin", *, version: int = 6) -> Any:
        return self.session.ask(actor, DescribeGroupsRequest(groups=[self.id]), version)

    def delete(self, actor: str = "admin", *, version: int = 2) -> Any:
        return self.session.ask(actor, DeleteGroupsRequest(groups_names=[self.id]), version)

    # --- often --------------------------------------------------------------------------------------------------

    def settle(self, leader: str, *others: str) -> None:
        """Make the group Stable with these members, all of them static, one after another; the first one leads."""
        self.join(leader)
        self.sync(leader, {leader: b"all"})
        joined = [leader]
        for newcomer in others:
            self.join(newcomer, wait=False)
            self.parked(newcomer)
            for member in joined:
                self.join(member, wait=False)
            joined.append(newcomer)
            for member in joined:
                self.hear(member)
            for member in joined[1:]:
                self.sync(member, wait=False)
            self.sync(leader, {member: f"part of {member}".encode() for member in joined})
            for member in joined[1:]:
                self.hear(member)
