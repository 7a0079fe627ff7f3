"""Requests of members of a classic group, each as a method of one call.

Member ids are looked up by client on the broker to which the request goes.
"""

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
from tests.oracle.client_versions import CLIENT_VERSIONS
from tests.oracle.side import Session

OWN: Final = "own"
"""Member id of a request: the newest that the client got, or "" if it has none."""

TOPIC: Final = "oracle"
MIN_SESSION_TIMEOUT_MS: Final = 500
LONG_MS: Final = 1_800_000
SHORT_MS: Final = 5_000
"""Timeout whose end a scenario waits for. The steps before it take less time, even on a busy machine."""
SHORT_SESSION_MS: Final = 8_000
"""Session timeout of consumer groups on the strict brokers."""
INITIAL_DELAY_MS: Final = 6_000
"""Delay of the first rebalance of a group on the strict brokers."""
PASSED_S: Final = 8.0
"""Time after which a short timeout has certainly expired."""
PART_S: Final = 2.0
"""Part of a short timeout: several of them are longer than the timeout, one is much shorter."""


def subscription(*topics: str, version: int = 1) -> bytes:
    return struct.pack(">h", version) + encode(ConsumerProtocolSubscription(topics=list(topics)), version)


RANGE: Final = {"range": subscription(TOPIC)}
WIDER: Final = {"range": subscription(TOPIC, "more")}
STICKY: Final = {"sticky": subscription(TOPIC)}
BOTH: Final = STICKY | RANGE


class Group:
    """Group on one broker. Clients are named A, B, C; a client with an instance id sends it in all requests."""

    def __init__(
        self, session: Session, group_id: str, instances: Mapping[str, str] | None = None, client_version: int = 9
    ) -> None:
        self.session = session
        self.id = group_id
        self.instances = dict(instances or {})
        self.versions = CLIENT_VERSIONS[client_version]
        self.generation = 0

    # --- identity -----------------------------------------------------------------------------------------------------

    def member_id(self, client: str, which: str | int = OWN) -> str:
        """Return a member id. `which` is OWN, the number of an id of the client (1 is the oldest), or the id itself."""
        ids = self.session.member_ids.get(client, [])
        if isinstance(which, int):
            return ids[which - 1]
        if which == OWN:
            return ids[-1] if ids else ""
        return which

    def instance(self, client: str, given: str | None) -> str | None:
        return self.instances.get(client) if given == OWN else given

    # --- requests -----------------------------------------------------------------------------------------------------

    def join(
        self,
        client: str,
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
        """Send JoinGroup. With `wait=False`, call `receive` later for the answer."""
        version = self.versions.join if version is None else version
        offered = RANGE if protocols is None else protocols
        request = JoinGroupRequest(
            group_id=self.id,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=rebalance_timeout_ms,
            member_id=self.member_id(client, member_id),
            group_instance_id=self.instance(client, instance) if version >= 5 else None,
            protocol_type=protocol_type,
            protocols=[JoinGroupRequestProtocol(name, metadata) for name, metadata in offered.items()],
        )
        return self.ask(client, request, version, wait)

    def join_with_id(self, client: str, *, wait: bool = True, **how: Any) -> Any:
        """Join without a member id, and again with the id of the answer if the coordinator requires one (KIP-394)."""
        if self.versions.join >= 4 and self.instances.get(client) is None:
            asked = self.join(client, "", **how)
            if asked.error_code != ErrorCode.MEMBER_ID_REQUIRED:
                return asked
            return self.join(client, wait=wait, **how)
        return self.join(client, "", wait=wait, **how)

    def ask(self, client: str, request: Message, version: int, wait: bool) -> Any:
        """Send a request. Without `wait`, return as soon as the broker has processed it, before the answer."""
        self.session.send(client, request, version)
        if wait:
            return self.receive(client)
        if self.session.listening:
            self.session.let_settle(self.id)
        return None

    def receive(self, client: str) -> Any:
        answer = self.session.receive(client)
        self.generation = max(self.generation, getattr(answer, "generation_id", 0))
        return answer

    def record_if_parked(self, client: str) -> bool:
        return self.session.record_if_parked(client, self.id)

    def sync(
        self,
        client: str,
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
        """Send SyncGroup. `assignments` has the bytes that the leader sends for each client."""
        version = self.versions.sync if version is None else version
        request = SyncGroupRequest(
            group_id=self.id,
            generation_id=self.generation if generation is None else generation,
            member_id=self.member_id(client, member_id),
            group_instance_id=self.instance(client, instance) if version >= 3 else None,
            protocol_type=protocol_type if version >= 5 else None,
            protocol_name=protocol_name if version >= 5 else None,
            assignments=[
                SyncGroupRequestAssignment(self.member_id(whose), assignment)
                for whose, assignment in (assignments or {}).items()
            ],
        )
        return self.ask(client, request, version, wait)

    def heartbeat(
        self,
        client: str,
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
            member_id=self.member_id(client, member_id),
            group_instance_id=self.instance(client, instance) if version >= 3 else None,
        )
        return self.session.ask(client, request, version)

    def leave(
        self, client: str, leavers: Sequence[tuple[str, str | None]] | None = None, *, version: int | None = None
    ) -> Any:
        """Send LeaveGroup. `leavers` are (member id, instance id) pairs; by default the client's own."""
        version = self.versions.leave if version is None else version
        if version < 3:
            request = LeaveGroupRequest(group_id=self.id, member_id=self.member_id(client))
        else:
            pairs = [(self.member_id(client), None)] if leavers is None else leavers
            request = LeaveGroupRequest(group_id=self.id, members=[MemberIdentity(*pair) for pair in pairs])
        return self.session.ask(client, request, version)

    def commit(
        self,
        client: str,
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
            member_id=self.member_id(client, member_id),
            group_instance_id=self.instance(client, instance) if version >= 7 else None,
            retention_time_ms=retention_ms,
            topics=[OffsetCommitRequestTopic(partitions=partitions, **named)],
        )
        return self.session.ask(client, request, version)

    def named(self, topic: str, *, by_id: bool) -> dict[str, Any]:
        """Return the field of a request that names the topic."""
        return {"topic_id": self.session.side.topic_id(topic)} if by_id else {"name": topic}

    def commit_anonymously(self, client: str, offsets: Mapping[int, int] | None = None, **how: Any) -> Any:
        """Commit without member id and generation, as a consumer outside of the group or an administrator does."""
        return self.commit(client, offsets, "", generation=-1, instance=None, **how)

    def fetch(
        self,
        client: str = "admin",
        partitions: Sequence[int] | None = (0, 1),
        *,
        version: int | None = None,
        topic: str = TOPIC,
        others: Sequence[str] = (),
        require_stable: bool = False,
    ) -> Any:
        """Fetch committed offsets. `partitions=None` fetches all; `others` names more groups."""
        version = self.versions.fetch if version is None else version
        indexes = list(partitions or [])
        everything = partitions is None
        if version < 8:
            old = None if everything else [OffsetFetchRequestTopic(topic, indexes)]
            request = OffsetFetchRequest(
                group_id=self.id, topics=old, require_stable=require_stable if version >= 7 else False
            )
            return self.session.ask(client, request, version)
        named = self.named(topic, by_id=version >= 10)
        topics = None if everything else [OffsetFetchRequestTopics(partition_indexes=indexes, **named)]
        groups = [OffsetFetchRequestGroup(group_id=one, topics=topics) for one in (self.id, *others)]
        return self.session.ask(client, OffsetFetchRequest(groups=groups, require_stable=require_stable), version)

    def delete_offsets(
        self, client: str = "admin", partitions: Sequence[int] = (0, 1), *, topics: Sequence[str] = (TOPIC,)
    ) -> Any:
        """Send OffsetDelete, which has one version only."""
        named = [
            OffsetDeleteRequestTopic(topic, [OffsetDeleteRequestPartition(one) for one in partitions])
            for topic in topics
        ]
        return self.session.ask(client, OffsetDeleteRequest(group_id=self.id, topics=named), 0)

    def describe(self, client: str = "admin", *, version: int | None = None) -> Any:
        version = self.versions.describe if version is None else version
        return self.session.ask(client, DescribeGroupsRequest(groups=[self.id]), version)

    def list(
        self,
        client: str = "admin",
        *,
        states: Sequence[str] = (),
        types: Sequence[str] = (),
        version: int | None = None,
    ) -> Any:
        """List groups, and return only this one: other scenarios have groups on the broker, too."""
        version = self.versions.list if version is None else version
        answer = self.session.ask(
            client, ListGroupsRequest(states_filter=list(states), types_filter=list(types)), version
        )
        if answer is not None:
            answer.groups[:] = [one for one in answer.groups if one.group_id == self.id]
        return answer

    def delete(self, client: str = "admin", *, version: int | None = None, others: Sequence[str] = ()) -> Any:
        version = self.versions.delete if version is None else version
        return self.session.ask(client, DeleteGroupsRequest(groups_names=[self.id, *others]), version)

    # --- common sequences ---------------------------------------------------------------------------------------------

    def stabilize(self, leader: str, *others: str, **how: Any) -> None:
        """Make the group Stable with these members, one after another; the first one leads."""
        self.join_with_id(leader, **how)
        self.sync(leader, {leader: b"all"})
        joined = [leader]
        for newcomer in others:
            self.join_with_id(newcomer, wait=False, **how)
            self.record_if_parked(newcomer)
            self.rejoin_all(*joined, wait=False, **how)
            joined.append(newcomer)
            for member in joined:
                self.receive(member)
            self.sync_all(*joined)

    def rejoin_all(self, *members: str, wait: bool = True, **how: Any) -> None:
        """Let all members join again in this order; the last join completes the join phase."""
        for member in members:
            self.join(member, wait=False, **how)
        for member in members if wait else ():
            self.receive(member)

    def sync_all(self, leader: str, *others: str) -> None:
        """Let all members sync, the leader last, with an assignment for each."""
        for member in others:
            self.sync(member, wait=False)
        self.sync(leader, {member: f"part of {member}".encode() for member in (leader, *others)})
        for member in others:
            self.receive(member)
