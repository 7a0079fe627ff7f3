"""`GroupMembership` and `Log` of `tenure.pipeline`, over the client."""

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
"""The default: rows of a transaction that is aborted later must not be read."""


class ClientMembership:
    """`GroupMembership` of an engine, over one `GroupMember` of the client."""

    def __init__(self, member: GroupMember, group_instance_id: str | None) -> None:
        self.member = member
        self.group_instance_id = group_instance_id

    @property
    def name(self) -> str:
        """Name of the member for users: its `group.instance.id`, else its member id."""
        return self.group_instance_id or self.member.identity.member_id

    def poll(self, timeout_s: float) -> list[MembershipEvent]:
        """Return the events of up to `timeout_s` seconds. Raises MemberFenced, and other errors that ended the
        membership.
        """
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
    """`Log` of the topics of a cluster."""

    def __init__(self, cluster: ClusterConfig, isolation_level: int = READ_COMMITTED) -> None:
        self.cluster = cluster
        self.isolation_level = isolation_level
        self.partition_counts: dict[str, int] = {}
        """Numbers of partitions by topic, as of the last call of `bounds`."""

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        wanted = [values.TopicPartition(*partition) for partition in partitions]
        with translate_client_errors():
            first = list_offsets(self.cluster, dict.fromkeys(wanted, EARLIEST))
            last = list_offsets(self.cluster, dict.fromkeys(wanted, LATEST), isolation_level=self.isolation_level)
            ids = {topic: self.topic_id(topic) for topic in {partition.topic for partition in wanted}}
        return {
            lane_partition(at): Bounds(first[at].offset, last[at].offset, last[at].leader_epoch, ids[at.topic])
            for at in wanted
        }

    def topic_id(self, topic: str) -> str | None:
        """Return the id of the topic; None if the broker has no topic ids.

        Asked each time, because a topic may grow, or be deleted and created again.
        """
        found = describe_topic(self.cluster, topic)
        self.partition_counts[topic] = len(found.partitions)
        found_id = TopicId(found.topic_id)
        return None if found_id == ZERO_TOPIC_ID else topic_id_text(found_id)

    def partition_count(self, topic: str) -> int:
        if topic not in self.partition_counts:
            with translate_client_errors():
                self.topic_id(topic)
        return self.partition_counts[topic]


@contextmanager
def translate_client_errors() -> Iterator[None]:
    """Raise errors of the client as MemberFenced or Unreachable."""
    try:
        yield
    except Fenced as error:
        raise MemberFenced(str(error)) from error
    except (BrokerUnreachable, RequestTimedOut) as error:
        raise Unreachable(str(error)) from error


def positions_of(
    offsets: Mapping[TopicPartition, Committed],
) -> dict[values.TopicPartition, values.OffsetAndMetadata]:
    """Return the offsets as the client takes them."""
    return {
        values.TopicPartition(*partition): values.OffsetAndMetadata(at.offset, at.metadata, at.leader_epoch)
        for partition, at in offsets.items()
    }


def identity_of(writer: Writer) -> values.Identity:
    """Return the identity of the writer as the client takes it."""
    return values.Identity(writer.member_id, writer.group_instance_id, writer.generation_id)


def membership_event(event: values.Event) -> MembershipEvent:
    """Return the client's event as one of `tenure.pipeline`."""
    match event:
        case values.Assigned(identity, partitions, added):
            return Assigned(writer(identity), lane_partitions(partitions), lane_partitions(added))
        case values.Revoked(partitions):
            return Revoked(lane_partitions(partitions))
        case values.Lost(partitions):
            return Lost(lane_partitions(partitions))


def writer(identity: values.Identity) -> Writer:
    """Return the identity of a member as the writer of manifests."""
    instance = identity.group_instance_id
    return Writer(
        MemberId(identity.member_id),
        GenerationId(identity.generation_id),
        None if instance is None else InstanceId(instance),
    )


def lane_partitions(partitions: tuple[values.TopicPartition, ...]) -> tuple[TopicPartition, ...]:
    """Return the partitions as `tenure.pipeline` has them."""
    return tuple(lane_partition(partition) for partition in partitions)


def lane_partition(partition: values.TopicPartition) -> TopicPartition:
    """Return the partition as `tenure.pipeline` has it."""
    return TopicPartition(TopicName(partition.topic), PartitionId(partition.partition))
