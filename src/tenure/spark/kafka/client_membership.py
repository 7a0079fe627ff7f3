"""A group member of the client, and a topic's log, as the engine wants to see them."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from tenure.client import values
from tenure.client.errors import BrokerUnreachable, CommitRefused, Fenced, RequestTimedOut, UnknownOutcome
from tenure.client.group.group_member import GroupMember
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.queries.blocking import EARLIEST, LATEST, describe_topic, list_offsets
from tenure.pipeline.values.lanes import TopicPartition, Writer
from tenure.pipeline.values.membership import (
    Assigned,
    Bounds,
    CommitAnswer,
    Committed,
    Lost,
    MemberFenced,
    MembershipEvent,
    Outcome,
    Revoked,
    Unreachable,
)
from tenure.protocol.types import (
    ZERO_TOPIC_ID,
    GenerationId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
    topic_id_text,
)

READ_UNCOMMITTED: Final = 0
READ_COMMITTED: Final = 1
"""Rows of a transaction that may yet be aborted would be worked on and never have been there."""


class ClientMembership:
    """`GroupMembership` of an engine, over one `GroupMember` of the client."""

    def __init__(self, member: GroupMember, group_instance_id: str | None) -> None:
        self.member = member
        self.group_instance_id = group_instance_id

    @property
    def name(self) -> str:
        return self.group_instance_id or self.member.identity.member_id

    def poll(self, timeout_s: float) -> list[MembershipEvent]:
        """Raises what ended the seat, too: a broker that was away when it was to be taken has."""
        try:
            return [membership_event(event) for event in self.member.poll(timeout_s)]
        except Fenced as error:
            raise MemberFenced(str(error)) from error

    def acknowledge_revocation(self) -> None:
        self.member.acknowledge_revocation()

    def commit(self, offsets: Mapping[TopicPartition, Committed], writer: Writer) -> CommitAnswer:
        try:
            self.member.commit(positions_of(offsets), identity_of(writer))
        except Fenced as error:
            return CommitAnswer(Outcome.FENCED, str(error))
        except CommitRefused as error:
            return CommitAnswer(Outcome.REFUSED, str(error))
        except (UnknownOutcome, RequestTimedOut, BrokerUnreachable) as error:
            return CommitAnswer(Outcome.UNKNOWN, str(error))
        return CommitAnswer(Outcome.ACCEPTED)

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Committed | None]:
        with translate_client_errors():
            found = self.member.committed(values.TopicPartition(*partition) for partition in partitions)
        return {lane_partition(partition): at and Committed(*at) for partition, at in found.items()}

    def rejoin_anew(self) -> None:
        self.member.rejoin_anew()

    def close(self, *, leave: bool | None = None) -> None:
        self.member.close(leave)


class TopicLog:
    """`Log` of `tenure.pipeline`, over a cluster."""

    def __init__(self, cluster: ClusterConfig, isolation_level: int = READ_COMMITTED) -> None:
        self.cluster = cluster
        self.isolation_level = isolation_level
        self.partition_counts: dict[str, int] = {}
        """As they were after the ends of the logs were asked for last."""

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        wanted = [values.TopicPartition(*partition) for partition in partitions]
        with translate_client_errors():
            first = list_offsets(self.cluster, dict.fromkeys(wanted, EARLIEST))
            last = list_offsets(self.cluster, dict.fromkeys(wanted, LATEST), isolation_level=self.isolation_level)
            ids = {topic: self.described(topic) for topic in {partition.topic for partition in wanted}}
        return {
            lane_partition(at): Bounds(first[at].offset, last[at].offset, last[at].leader_epoch, ids[at.topic])
            for at in wanted
        }

    def described(self, topic: str) -> str | None:
        """Its id; None from a broker that has none. Asked each time: a topic may grow, or be deleted and made anew."""
        found = describe_topic(self.cluster, topic)
        self.partition_counts[topic] = len(found.partitions)
        topic_id = TopicId(found.topic_id)
        return None if topic_id == ZERO_TOPIC_ID else topic_id_text(topic_id)

    def partition_count(self, topic: str) -> int:
        if topic not in self.partition_counts:
            with translate_client_errors():
                self.described(topic)
        return self.partition_counts[topic]


@contextmanager
def translate_client_errors() -> Iterator[None]:
    try:
        yield
    except Fenced as error:
        raise MemberFenced(str(error)) from error
    except (BrokerUnreachable, RequestTimedOut) as error:
        raise Unreachable(str(error)) from error


def positions_of(
    offsets: Mapping[TopicPartition, Committed],
) -> dict[values.TopicPartition, values.OffsetAndMetadata]:
    return {
        values.TopicPartition(*partition): values.OffsetAndMetadata(at.offset, at.metadata, at.leader_epoch)
        for partition, at in offsets.items()
    }


def identity_of(writer: Writer) -> values.Identity:
    return values.Identity(writer.member_id, writer.group_instance_id, writer.generation_id)


def membership_event(event: values.Event) -> MembershipEvent:
    match event:
        case values.Assigned(identity, partitions, added):
            return Assigned(writer(identity), lane_partitions(partitions), lane_partitions(added))
        case values.Revoked(partitions):
            return Revoked(lane_partitions(partitions))
        case values.Lost(partitions):
            return Lost(lane_partitions(partitions))


def writer(identity: values.Identity) -> Writer:
    instance = identity.group_instance_id
    return Writer(
        MemberId(identity.member_id),
        GenerationId(identity.generation_id),
        None if instance is None else InstanceId(instance),
    )


def lane_partitions(partitions: tuple[values.TopicPartition, ...]) -> tuple[TopicPartition, ...]:
    return tuple(lane_partition(partition) for partition in partitions)


def lane_partition(partition: values.TopicPartition) -> TopicPartition:
    return TopicPartition(TopicName(partition.topic), PartitionId(partition.partition))
