"""`GroupMembership` of `tenure.pipeline`, over the client."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from tenure.client import values
from tenure.client.errors import BrokerUnreachable, CommitRefused, Fenced, RequestTimedOut, UnknownOutcome
from tenure.client.group.group_member import GroupMember
from tenure.pipeline.values.lanes import TopicPartition, Writer
from tenure.pipeline.values.membership import (
    Assigned,
    CommitAnswer,
    CommitOutcome,
    CommittedOffset,
    Lost,
    MemberFenced,
    MembershipEvent,
    Revoked,
    Unreachable,
)
from tenure.protocol.types import (
    GenerationId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicName,
)


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
        """Return the events of up to `timeout_s` seconds.

        Raises MemberFenced, and other errors that ended the membership.
        """
        try:
            return [membership_event(event) for event in self.member.poll(timeout_s)]
        except Fenced as error:
            raise MemberFenced(str(error)) from error

    def acknowledge_revocation(self) -> None:
        self.member.acknowledge_revocation()

    def commit(self, offsets: Mapping[TopicPartition, CommittedOffset], writer: Writer) -> CommitAnswer:
        try:
            self.member.commit(positions_of(offsets), identity_of(writer))
        except Fenced as error:
            return CommitAnswer(CommitOutcome.FENCED, str(error))
        except CommitRefused as error:
            return CommitAnswer(CommitOutcome.REFUSED, str(error))
        except (UnknownOutcome, RequestTimedOut, BrokerUnreachable) as error:
            return CommitAnswer(CommitOutcome.UNKNOWN, str(error))
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, CommittedOffset | None]:
        with translate_client_errors():
            found = self.member.committed(values.TopicPartition(*partition) for partition in partitions)
        return {lane_partition(partition): at and CommittedOffset(*at) for partition, at in found.items()}

    def rejoin_anew(self) -> None:
        self.member.rejoin_anew()

    def close(self, *, leave: bool | None = None) -> None:
        self.member.close(leave)


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
    offsets: Mapping[TopicPartition, CommittedOffset],
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
