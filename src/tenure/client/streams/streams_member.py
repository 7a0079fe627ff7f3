"""Blocking member of a streams group (KIP-1071), for applications that process tasks themselves."""

import os
from collections.abc import Mapping
from functools import cache, partial
from typing import Final
from uuid import uuid4

from tenure.client.group.blocking_member import BlockingMember, check_instance_id
from tenure.client.group.membership_runner import draw_member_id
from tenure.client.group.memberships.membership_settings import SEIZE, MembershipSettings, check_on_unreleased
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.streams.streams_requests import StreamsSettings, TaskOffsets
from tenure.client.tasks import (
    Endpoint,
    EndpointPartitions,
    GroupStatus,
    StreamsEvent,
    Task,
    Tasks,
    Topology,
    check_topology,
)
from tenure.client.values import TopicPartition
from tenure.protocol.special_values import STREAMS

NO_TAGS: Final[Mapping[str, str]] = {}
NO_OFFSETS: Final[Mapping[Task, int]] = {}


class StreamsMember(BlockingMember[StreamsEvent]):
    """One membership in a streams group: static with a `group_instance_id`, else dynamic. Thread-safe.

    The first member of a group sends the topology. The broker creates the internal topics and assigns tasks. `poll`
    returns the tasks and the statuses of the group. The member commits offsets of the partitions that its active tasks
    read.

    Args:
        config: Broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
        group_id: Group id; Kafka's `application.id`.
        topology: Topology of the application.
        group_instance_id: Kafka's `group.instance.id` of a static member. Needs Apache Kafka 4.4 or Tenure.
        client_id: Kafka's `client.id`.
        rebalance_timeout_ms: Time that the group waits for this member to release tasks.
        max_poll_interval_ms: Kafka's `max.poll.interval.ms`.
        request_timeout_ms: Kafka's `request.timeout.ms`.
        rack_id: Kafka's `client.rack`.
        process_id: Id of the process, the same for all its members; default: a random id per process. A standby task is
            never in the process of its active task.
        user_endpoint: Kafka's `application.server`: host and port for queries of the process's state.
        client_tags: Kafka's `client.tag.*`.
        push_topology_description: Kafka's `topology.description.push.enabled`: True sends a description of the topology
            when the broker requests one (KIP-1331), so that operators can see topics, state stores and their order.
        on_unreleased: Action of a starting static member if its instance id is in use: "seize" takes over the id once,
            "wait" waits until the id is free, "fail" raises an error.

    Raises:
        ValueError: A setting or the topology is invalid.
    """

    def __init__(
        self,
        config: ClusterConfig,
        group_id: str,
        topology: Topology,
        *,
        group_instance_id: str | None = None,
        client_id: str = "tenure",
        rebalance_timeout_ms: int = 300_000,
        max_poll_interval_ms: int = 300_000,
        request_timeout_ms: int = 30_000,
        rack_id: str | None = None,
        process_id: str | None = None,
        user_endpoint: tuple[str, int] | None = None,
        client_tags: Mapping[str, str] = NO_TAGS,
        push_topology_description: bool = True,
        on_unreleased: str = SEIZE,
    ) -> None:
        settings = MembershipSettings(
            group_id,
            topics=(),
            group_instance_id=group_instance_id,
            rebalance_timeout_ms=rebalance_timeout_ms,
            max_poll_interval_ms=max_poll_interval_ms,
            request_timeout_ms=request_timeout_ms,
            rack_id=rack_id,
            group_protocol=STREAMS,
            on_unreleased=on_unreleased,
        )
        if not group_id:
            raise ValueError("Missing group id: a member of a streams group needs one.")
        check_instance_id(group_instance_id)
        check_on_unreleased(on_unreleased)
        check_topology(topology)
        endpoint = None if user_endpoint is None else Endpoint(*user_endpoint)
        self._streams: Final = StreamsSettings(
            topology,
            process_id or _id_of_process(os.getpid()),
            endpoint,
            tuple(sorted(client_tags.items())),
            push_topology_description,
        )
        super().__init__(config, client_id, settings)
        self._membership = self._new_membership()

    def _new_membership(self) -> StreamsMembership:
        self._membership = StreamsMembership(self._settings, self._streams, draw_member_id)
        return self._membership

    @property
    def tasks(self) -> Tasks:
        """Assigned tasks, including those that are being revoked."""
        return self._membership.tasks

    @property
    def statuses(self) -> tuple[GroupStatus, ...]:
        """Group statuses in the coordinator's last heartbeat response."""
        return self._membership.statuses

    @property
    def endpoints(self) -> Mapping[Endpoint, EndpointPartitions]:
        """Partitions by endpoint, for all processes of the group with an endpoint.

        Shows where to query a key's state.
        """
        return self._membership.endpoints

    def partitions_of(self, task: Task) -> tuple[TopicPartition, ...]:
        """Return the partitions that a task of this member reads."""
        return self._membership.partitions_of(task)

    def report_offsets(self, offsets: Mapping[Task, int], end_offsets: Mapping[Task, int] = NO_OFFSETS) -> None:
        """Report how far this process has restored the state of tasks, as positions in their changelog topics.

        The coordinator moves a task to the process with the most recent copy of its state. The positions are sent with
        the next heartbeat after the broker's `streams.task.offset.interval.ms`.

        Args:
            offsets: Position of the restored state, by task.
            end_offsets: End of the changelog topics, by task.
        """
        self._apply(partial(self._report, TaskOffsets(dict(offsets), dict(end_offsets))))

    def _report(self, offsets: TaskOffsets) -> None:
        self._membership.report_offsets(offsets)

    def shut_down_application(self) -> None:
        """Make all members of the group stop: each gets the status SHUTDOWN_APPLICATION until the group is empty."""
        self._apply(partial(self._started_runner().apply, self._membership.shut_down_application))


@cache
def _id_of_process(_: int) -> str:
    """Return a random id, the same for all calls in one process. A forked process gets another one."""
    return str(uuid4())
