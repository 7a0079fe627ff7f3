"""State machine of a member of a streams group, without I/O and clock (KIP-1071; section 5 of the rules).

`epoch_membership.py` describes its states. The assignment consists of tasks with roles: active, standby or warm-up. A
standby or warm-up task gets another role without a revocation, because the task keeps its state open. An active task is
always revoked before it gets another role, because its work has to be committed (rule 5.3).

Commits are for the partitions that the active tasks read. The member queries the ids and partition counts of the topics
once per member epoch, because a change of the topics causes a new epoch.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from tenure.client.group.memberships.epoch_membership import EpochMembership, HeartbeatResponse
from tenure.client.group.memberships.membership_outputs import QueryTopics, Request, SendTopologyDescription
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.ownership import Ownership, RebalanceProtocol
from tenure.client.streams import streams_requests, topology_description
from tenure.client.streams.streams_requests import (
    ACTIVE,
    OwnedTask,
    ReportedFields,
    StreamsSettings,
    TaskOffsets,
    assigned_tasks,
    owned_tasks,
    tasks_of,
)
from tenure.client.tasks import (
    Endpoint,
    EndpointPartitions,
    GroupStatus,
    StatusChanged,
    Task,
    Tasks,
    TasksAssigned,
    TasksLost,
    TasksRevoked,
)
from tenure.client.values import TopicDescription, TopicPartition
from tenure.limits.client import TOPIC_NAMES_BACKOFF_MS
from tenure.protocol.messages import (
    StreamsGroupHeartbeatResponse,
    StreamsGroupTopologyDescriptionUpdateRequest,
    StreamsHeartbeatTopicPartition,
)
from tenure.protocol.special_values import NO_GENERATION
from tenure.protocol.types import MemberId, TopicId

UNKNOWN_ENDPOINTS: Final = -1


class StreamsMembership(EpochMembership[OwnedTask, ReportedFields]):
    """State machine of one member of a streams group."""

    def __init__(
        self, settings: MembershipSettings, streams: StreamsSettings, draw_member_id: Callable[[], str]
    ) -> None:
        super().__init__(
            settings, Ownership(RebalanceProtocol.COOPERATIVE, settings.revocation_timeout_ms), draw_member_id
        )
        self.streams: Final = streams
        self.statuses: tuple[GroupStatus, ...] = ()
        """Statuses of the last response."""
        self.endpoints: Mapping[Endpoint, EndpointPartitions] = {}
        """Partitions by endpoint of the group's processes. Replaced, never mutated."""
        self._endpoint_epoch = UNKNOWN_ENDPOINTS
        self._shuts_down = False
        self._offsets: TaskOffsets | None = None
        """Offsets that no heartbeat has reported yet."""
        self._offsets_interval_ms = 0
        self._offsets_due_ms = 0
        self._target: Tasks | None = None
        """Target assignment; None once it is owned."""
        self._topics: Mapping[str, TopicDescription] = {}
        self._described_epoch = NO_GENERATION
        """Member epoch in which the topics of the assignment were queried last."""
        self._since: Final[dict[Task, int]] = {}
        self._read: tuple[tuple[OwnedTask, ...], tuple[TopicPartition, ...]] = ((), ())
        """Owned tasks, and the partitions that the active tasks read. Computed again when the owned tasks change."""

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def tasks(self) -> Tasks:
        """Assigned tasks, including those that are being revoked."""
        return tasks_of(self._owns.owned)

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """Partitions that the active tasks read."""
        if self._read[0] is not self._owns.owned:
            active = (task for role, task in self._owns.owned if role == ACTIVE)
            self._read = (
                self._owns.owned,
                tuple(sorted(partition for task in active for partition in self.partitions_of(task))),
            )
        return self._read[1]

    def partitions_of(self, task: Task) -> tuple[TopicPartition, ...]:
        """Return the partitions that a task reads. Topics without the task's partition number are left out."""
        topics = (self._topics.get(name) for name in self._sources(task))
        return tuple(
            TopicPartition(topic.topic, task.partition)
            for topic in topics
            if topic is not None and task.partition < len(topic.partitions)
        )

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Epoch in which each partition's task was assigned.

        These epochs are never older than the ones that the coordinator stores (rule 4.6).
        """
        active = (task for role, task in self._owns.owned if role == ACTIVE)
        return {partition: self._since[task] for task in active for partition in self.partitions_of(task)}

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        return {name: TopicId(topic.topic_id) for name, topic in self._topics.items()}

    @property
    def _has_unowned_target(self) -> bool:
        return self._target is not None

    def _sources(self, task: Task) -> tuple[str, ...]:
        return next(
            (
                subtopology.topics
                for subtopology in self.streams.topology.subtopologies
                if subtopology.subtopology_id == task.subtopology_id
            ),
            (),
        )

    # --- inputs -------------------------------------------------------------------------------------------------------

    def received_topic_descriptions(
        self, question: QueryTopics, topics: Sequence[TopicDescription], now_ms: int
    ) -> None:
        if question is not self._question:
            return
        self._topics = {**self._topics, **{topic.topic: topic for topic in topics}}
        self._question = None
        self._question_due_ms = now_ms + TOPIC_NAMES_BACKOFF_MS
        self._read = ((), ())
        self._advance(now_ms)

    def report_offsets(self, offsets: TaskOffsets) -> None:
        """Store positions in changelog topics for the next heartbeat that may contain them."""
        self._offsets = offsets

    def shut_down_application(self, now_ms: int) -> None:
        """Send a heartbeat that makes all members of the group shut down."""
        self._shuts_down = True
        self._advance(now_ms)

    # --- requests -----------------------------------------------------------------------------------------------------

    def _current_fields(self) -> ReportedFields:
        return ReportedFields(self._owns.owned, self._shuts_down)

    def _heartbeat(self, epoch: int, fields: ReportedFields, now_ms: int) -> Request:
        offsets = None
        if now_ms >= self._offsets_due_ms or self._acknowledged is None:
            offsets, self._offsets = self._offsets, None
            self._offsets_due_ms = now_ms + self._offsets_interval_ms
        return streams_requests.heartbeat(
            self.settings,
            self.streams,
            self.member_id,
            epoch,
            self._endpoint_epoch,
            fields,
            self._acknowledged,
            offsets,
        )

    def _topology_description(self) -> StreamsGroupTopologyDescriptionUpdateRequest:
        return topology_description.update_request(self.settings.group_id, self.member_id, self.streams.topology)

    def _leave(self, member_id: MemberId, epoch: int) -> Request:
        return streams_requests.leave(self.settings, member_id, epoch)

    def _describe(self) -> Request:
        return streams_requests.describe(self.settings)

    # --- assignment ---------------------------------------------------------------------------------------------------

    def _accept(self, response: HeartbeatResponse, now_ms: int) -> None:
        assert isinstance(response, StreamsGroupHeartbeatResponse)
        self._offsets_interval_ms = response.task_offset_interval_ms
        self._store_endpoints(response)
        statuses = tuple(GroupStatus(status.status_code, status.status_detail) for status in response.status or ())
        if statuses != self.statuses:
            self.statuses = statuses
            self._outputs.append(StatusChanged(statuses))
        if response.topology_description_required and self.streams.describes_topology:
            self._outputs.append(SendTopologyDescription(self._topology_description()))
        if response.active_tasks is not None:
            self._target = assigned_tasks(response.active_tasks, response.standby_tasks, response.warmup_tasks)
            self._described_epoch = NO_GENERATION
        elif self._described_epoch != self.generation_id and not self.is_revoking:
            self._target = self._target or self.tasks
        else:
            return
        self._question, self._question_due_ms = None, now_ms

    def _store_endpoints(self, response: StreamsGroupHeartbeatResponse) -> None:
        if response.partitions_by_user_endpoint is not None:
            self.endpoints = {
                Endpoint(endpoint.user_endpoint.host, endpoint.user_endpoint.port): EndpointPartitions(
                    _partitions(endpoint.active_partitions), _partitions(endpoint.standby_partitions)
                )
                for endpoint in response.partitions_by_user_endpoint
            }
        self._endpoint_epoch = response.endpoint_information_epoch

    def _take_target(self, now_ms: int) -> None:
        assert self._target is not None
        wanted = owned_tasks(self._target)
        copies = self._copies_with_another_role(wanted)
        if self._revoke(wanted, copies, now_ms):
            return
        read = frozenset(topic for task in self._target.active for topic in self._sources(task))
        if self._described_epoch != self.generation_id and read:
            if self._emit_query(QueryTopics(read), now_ms):
                self._described_epoch = self.generation_id
            return
        self._described_epoch = self.generation_id
        self._target = None
        self._owns.release(copies)
        added = self._owns.assign(wanted, now_ms).added
        self._since.update({task: self.generation_id for role, task in added if role == ACTIVE})
        self._emit_assigned(added)

    def _copies_with_another_role(self, wanted: Collection[OwnedTask]) -> frozenset[OwnedTask]:
        """Return the owned standby and warm-up tasks that only change their role in the new assignment."""
        tasks = {task for _, task in wanted}
        return frozenset(
            owned for owned in self._owns.owned if owned.role != ACTIVE and owned.task in tasks and owned not in wanted
        )

    def _revoke(self, wanted: Collection[OwnedTask], copies: Collection[OwnedTask], now_ms: int) -> bool:
        """Revoke the owned tasks that are in neither `wanted` nor `copies`. Return False if there are none.

        `wanted` are the tasks of the new assignment, and `copies` the owned tasks that only change their role.
        """
        kept = tuple(owned for owned in self._owns.owned if owned in wanted or owned in copies)
        revoked = self._owns.assign(kept, now_ms).revoked
        if revoked:
            self._outputs.append(TasksRevoked(tasks_of(revoked)))
        return bool(revoked)

    def _assigned_event(self, added: tuple[OwnedTask, ...]) -> TasksAssigned:
        new = tasks_of(added)
        partitions = tuple(sorted(partition for task in new.active for partition in self.partitions_of(task)))
        return TasksAssigned(self.identity, self.tasks, new, partitions)

    def _lost_event(self, lost: tuple[OwnedTask, ...]) -> TasksLost:
        return TasksLost(tasks_of(lost))

    def _forget_assignment(self) -> None:
        self._target = None
        self._described_epoch = NO_GENERATION
        self._endpoint_epoch = UNKNOWN_ENDPOINTS
        self._since.clear()


def _partitions(topics: Sequence[StreamsHeartbeatTopicPartition]) -> tuple[TopicPartition, ...]:
    return tuple(sorted(TopicPartition(topic.topic, partition) for topic in topics for partition in topic.partitions))
