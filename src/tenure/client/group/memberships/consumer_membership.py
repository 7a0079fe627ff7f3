"""State machine of a consumer group member, without I/O and clock (KIP-848; rule 3.13).

`epoch_membership.py` describes its states. The coordinator identifies topics by id, so the member requests the topic
names from a broker.
"""

from collections.abc import Callable, Mapping
from typing import Final

from tenure.client.group.memberships import consumer_requests
from tenure.client.group.memberships.consumer_requests import HeartbeatFields
from tenure.client.group.memberships.epoch_membership import EpochMembership, HeartbeatResponse
from tenure.client.group.memberships.membership_outputs import QueryTopicNames, Request
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.ownership import Ownership, RebalanceProtocol
from tenure.client.values import Assigned, Lost, Revoked, TopicPartition
from tenure.limits.client import TOPIC_NAMES_BACKOFF_MS
from tenure.protocol.messages import ConsumerGroupHeartbeatResponse
from tenure.protocol.types import MemberId, PartitionId, TopicId


class ConsumerMembership(EpochMembership[TopicPartition, HeartbeatFields]):
    """State machine of one member of a consumer group."""

    def __init__(self, settings: MembershipSettings, draw_member_id: Callable[[], str]) -> None:
        super().__init__(
            settings, Ownership(RebalanceProtocol.COOPERATIVE, settings.revocation_timeout_ms), draw_member_id
        )
        self.pattern = settings.topic_pattern or ""
        self._target: dict[TopicId, list[PartitionId]] | None = None
        """Target assignment; None once it is owned."""
        self._names: Final[dict[TopicId, str]] = {}
        self._topic_ids: Mapping[str, TopicId] = {}
        """Last owned id by topic name. A topic that is created again has another id. Replaced, never mutated."""
        self._since: Final[dict[TopicPartition, int]] = {}

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Member epoch in which this member got each partition.

        This epoch is never less than the coordinator's assignment epoch, so a commit with this epoch is not refused as
        too old (rule 4.6).
        """
        return {partition: self._since[partition] for partition in self.partitions}

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        return self._topic_ids

    @property
    def _has_unowned_target(self) -> bool:
        return self._target is not None

    # --- inputs -------------------------------------------------------------------------------------------------------

    def received_topic_names(self, question: QueryTopicNames, names: Mapping[TopicId, str], now_ms: int) -> None:
        self._names.update(names)
        if question is self._question:
            self._question = None
            self._question_due_ms = now_ms + TOPIC_NAMES_BACKOFF_MS
            self._advance(now_ms)

    def resubscribe(self, topics: tuple[str, ...], now_ms: int, pattern: str | None = None) -> None:
        if not self._is_ended:
            self.topics, self.pattern = topics, pattern or ""
            self._advance(now_ms)

    # --- requests -----------------------------------------------------------------------------------------------------

    def _current_fields(self) -> HeartbeatFields:
        return HeartbeatFields(self.topics, self.pattern, self.partitions, self._topic_ids)

    def _heartbeat(self, epoch: int, fields: HeartbeatFields, now_ms: int) -> Request:  # noqa: ARG002
        return consumer_requests.heartbeat(self.settings, self.member_id, epoch, fields, self._acknowledged)

    def _leave(self, member_id: MemberId, epoch: int) -> Request:
        return consumer_requests.leave(self.settings, member_id, epoch)

    def _describe(self) -> Request:
        return consumer_requests.describe(self.settings)

    # --- assignment ---------------------------------------------------------------------------------------------------

    def _accept(self, response: HeartbeatResponse, now_ms: int) -> None:
        assert isinstance(response, ConsumerGroupHeartbeatResponse)
        if response.assignment is not None:
            self._target = {topic.topic_id: topic.partitions for topic in response.assignment.topic_partitions}
            self._question, self._question_due_ms = None, now_ms

    def _take_target(self, now_ms: int) -> None:
        assert self._target is not None
        unnamed = frozenset(self._target.keys() - self._names.keys())
        if unnamed and self._emit_query(QueryTopicNames(unnamed), now_ms):
            return
        self._own(
            self._target, {name: topic_id for topic_id, name in self._names.items() if topic_id in self._target}, now_ms
        )
        if not unnamed and not self.is_revoking:
            self._target = None

    def _own(self, target: Mapping[TopicId, list[PartitionId]], topic_ids: Mapping[str, TopicId], now_ms: int) -> None:
        """Change the owned partitions to those of the target assignment whose topic names are known.

        If the target lacks an owned partition, only start its revocation; otherwise add the new partitions.

        A topic that was deleted and created again has the old name and a new id. Its old partitions are revoked first.
        """
        wanted = sorted(
            TopicPartition(name, number) for name, topic_id in topic_ids.items() for number in target[topic_id]
        )
        had = frozenset(self.partitions)
        kept = tuple(
            partition
            for partition in wanted
            if partition in had and self._topic_ids[partition.topic] == topic_ids[partition.topic]
        )
        if len(kept) < len(had):
            self._outputs.append(Revoked(self._owns.assign(kept, now_ms).revoked))
            return
        added = self._owns.assign(tuple(wanted), now_ms).added
        if added:
            self._topic_ids = {**self._topic_ids, **topic_ids}
        self._since.update(dict.fromkeys(added, self.generation_id))
        self._emit_assigned(added)

    def _assigned_event(self, added: tuple[TopicPartition, ...]) -> Assigned:
        return Assigned(self.identity, self.partitions, added)

    def _lost_event(self, lost: tuple[TopicPartition, ...]) -> Lost:
        return Lost(lost)

    def _forget_assignment(self) -> None:
        self._target = None
        self._since.clear()
