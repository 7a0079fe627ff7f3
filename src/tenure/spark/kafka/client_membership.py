"""Implementation of `GroupMembership` with the client."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tenure.client.errors import BrokerUnreachable, CommitRefused, Fenced, RequestTimedOut, UnknownOutcome
from tenure.client.group.blocking_member import BlockingMember
from tenure.client.net.cluster import RetriableError
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome, MemberFenced, Unreachable
from tenure.values import Event, OffsetAndMetadata, TopicPartition


class ClientMembership:
    """Membership of an engine, implemented with one `GroupMember` of the client."""

    def __init__(self, member: BlockingMember[Any], group_instance_id: str | None) -> None:
        self.member = member
        self.group_instance_id = group_instance_id

    @property
    def name(self) -> str:
        """Name of the member in messages: its `group.instance.id`, else its member id."""
        return self.group_instance_id or self.member.identity.member_id

    def start(self) -> None:
        self.member.start()

    def poll(self, timeout_s: float) -> list[Event]:
        """Wait up to `timeout_s` for events, and return them.

        Raises MemberFenced, and other errors that ended the membership.
        """
        try:
            return self.member.poll(timeout_s)
        except Fenced as error:
            raise MemberFenced(str(error)) from error

    def acknowledge_revocation(self) -> None:
        self.member.acknowledge_revocation()

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        try:
            self.member.commit(offsets, writer.identity)
        except Fenced as error:
            return CommitAnswer(CommitOutcome.FENCED, str(error))
        except CommitRefused as error:
            return CommitAnswer(CommitOutcome.REFUSED, str(error))
        except (UnknownOutcome, RequestTimedOut, BrokerUnreachable) as error:
            return CommitAnswer(CommitOutcome.UNKNOWN, str(error))
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        with translate_client_errors():
            return self.member.committed(partitions)

    def rejoin_as_new_member(self) -> None:
        self.member.rejoin_as_new_member()

    def close(self, *, leave: bool | None = None) -> None:
        self.member.close(leave)


@contextmanager
def translate_client_errors() -> Iterator[None]:
    """Convert errors of the client to MemberFenced or Unreachable."""
    try:
        yield
    except Fenced as error:
        raise MemberFenced(str(error)) from error
    except (BrokerUnreachable, RequestTimedOut, RetriableError) as error:
        raise Unreachable(str(error)) from error
