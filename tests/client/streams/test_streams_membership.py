"""One member of a streams group and rare answers of a coordinator, without a coordinator."""

from itertools import count
from typing import Any, TypeVar

import pytest

from tenure.client.group.memberships.epoch_membership import EpochState
from tenure.client.group.memberships.membership_outputs import (
    FatalError,
    FindCoordinator,
    Output,
    QueryTopics,
    SendRequest,
    SendTopologyDescription,
    TransientError,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.streams.streams_requests import StreamsSettings, TaskOffsets
from tenure.client.streams.topology_description import PROCESSOR, SINK, SOURCE
from tenure.client.tasks import (
    Endpoint,
    EndpointPartitions,
    InternalTopic,
    StatusChanged,
    Subtopology,
    Task,
    Tasks,
    TasksAssigned,
    TasksLost,
    TasksRevoked,
    Topology,
    check_topology,
)
from tenure.client.values import Identity, PartitionDescription, TopicDescription, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    StreamsHeartbeatCopartitionGroup,
    StreamsHeartbeatEndpoint,
    StreamsHeartbeatEndpointToPartitions,
    StreamsHeartbeatKeyValue,
    StreamsHeartbeatStatus,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTaskOffset,
    StreamsHeartbeatTopicPartition,
)
from tenure.protocol.special_values import STREAMS
from tenure.protocol.types import PartitionId, TopicName

T = TypeVar("T")

INTERVAL_MS = 5_000
OFFSETS_INTERVAL_MS = 60_000
TOPOLOGY = Topology((
    Subtopology("0", ("orders", "clicks"), repartition_sinks=("by-user",), copartitioned=(("orders", "clicks"),)),
    Subtopology("1", (), (InternalTopic("by-user"),), changelogs=(InternalTopic("store"),)),
))  # fmt: skip
PARTITIONS = {"orders": 4, "clicks": 2, "by-user": 4}


class Driver:
    """Driver of a membership; the test sets `now`."""

    def __init__(self, instance_id: str | None = None, **streams: Any) -> None:
        ids = count(1)
        settings = MembershipSettings("g", (), instance_id, group_protocol=STREAMS, rack_id="r")
        self.membership = StreamsMembership(
            settings, StreamsSettings(TOPOLOGY, "p1", **streams), lambda: f"m{next(ids)}"
        )
        self.now = 0
        self.outputs: list[Output] = []

    def take(self, kind: type[T]) -> T:
        """Return the only output of this kind since the last call."""
        self.outputs += self.membership.take()
        found = [output for output in self.outputs if isinstance(output, kind)]
        assert len(found) == 1, self.outputs
        self.outputs = [output for output in self.outputs if not isinstance(output, kind)]
        return found[0]

    def events(self) -> list[object]:
        self.outputs += self.membership.take()
        found = [output for output in self.outputs if not isinstance(output, SendRequest | QueryTopics)]
        self.outputs = [output for output in self.outputs if isinstance(output, SendRequest | QueryTopics)]
        return list(found)

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.membership.polled(self.now)
        self.membership.tick(self.now)

    def heartbeat(self) -> StreamsGroupHeartbeatRequest:
        """Return the request that is sent now; it stays in flight."""
        self.asked = self.take(SendRequest)
        request = self.asked.request
        assert isinstance(request, StreamsGroupHeartbeatRequest)
        return request

    def accept(self, epoch: int, tasks: Tasks | None = None, **fields: Any) -> None:
        roles = ("active_tasks", "standby_tasks", "warmup_tasks")
        told = {} if tasks is None else {name: task_ids(role) for name, role in zip(roles, tasks, strict=True)}
        response = StreamsGroupHeartbeatResponse(
            member_epoch=epoch,
            heartbeat_interval_ms=INTERVAL_MS,
            task_offset_interval_ms=OFFSETS_INTERVAL_MS,
            **(told | {"status": []} | fields),
        )
        self.membership.answered(self.asked, response, self.now)

    def refuse(self, error_code: ErrorCode, message: str | None = None) -> None:
        response = StreamsGroupHeartbeatResponse(error_code=error_code, error_message=message)
        self.membership.answered(self.asked, response, self.now)

    def describe(self) -> None:
        question = self.take(QueryTopics)
        self.membership.received_topic_descriptions(
            question, [described(name) for name in sorted(question.topics)], self.now
        )

    def started(self) -> "Driver":
        self.membership.start(self.now)
        self.take(FindCoordinator)
        self.membership.found_coordinator(self.now)
        return self

    def stable(self, epoch: int = 2, *, tasks: Tasks) -> "Driver":
        """Return a member that has joined and acknowledged an assignment."""
        self.started().heartbeat()
        self.accept(epoch, tasks)
        self.describe()
        self.heartbeat()
        self.accept(epoch)
        assert self.membership.state is EpochState.STABLE
        self.events()
        return self

    def beat(self, milliseconds: int = INTERVAL_MS) -> StreamsGroupHeartbeatRequest:
        self.tick(milliseconds)
        return self.heartbeat()


def task_ids(tasks: tuple[Task, ...]) -> list[StreamsHeartbeatTaskIds]:
    return [StreamsHeartbeatTaskIds(task.subtopology_id, [PartitionId(task.partition)]) for task in tasks]


def described(name: str) -> TopicDescription:
    partitions = tuple(PartitionDescription(at, 1, 0, (1,), (1,)) for at in range(PARTITIONS[name]))
    return TopicDescription(name, name.encode().ljust(16, b"\0"), partitions, is_internal=False)


def of(subtopology_id: str, *partitions: int) -> tuple[Task, ...]:
    return tuple(Task(subtopology_id, partition) for partition in partitions)


def at(topic: str, *partitions: int) -> tuple[TopicPartition, ...]:
    return tuple(TopicPartition(topic, partition) for partition in partitions)


# --- requests ---------------------------------------------------------------------------------------------------------


def test_join__first_heartbeat__topology_and_all_fields() -> None:
    request = Driver("i", user_endpoint=Endpoint("h", 80), client_tags=(("zone", "a"),)).started().heartbeat()
    assert (request.member_id, request.member_epoch, request.instance_id) == ("m1", 0, "i")
    assert (request.process_id, request.rack_id, request.rebalance_timeout_ms) == ("p1", "r", 300_000)
    assert (request.active_tasks, request.standby_tasks, request.warmup_tasks) == ([], [], [])
    assert request.user_endpoint == StreamsHeartbeatEndpoint("h", 80)
    assert request.client_tags == [StreamsHeartbeatKeyValue("zone", "a")]
    assert request.endpoint_information_epoch == -1
    assert request.topology is not None
    first, second = request.topology.subtopologies
    assert (first.source_topics, first.repartition_sink_topics) == (["clicks", "orders"], ["by-user"])
    assert first.copartition_groups == [StreamsHeartbeatCopartitionGroup([0, 1], [], [])]
    assert [topic.name for topic in second.repartition_source_topics] == ["by-user"]
    assert [topic.name for topic in second.state_changelog_topics] == ["store"]


def test_heartbeat__nothing_changed__only_member_id_and_epoch() -> None:
    request = Driver().stable(tasks=Tasks(of("0", 0))).beat()
    assert (request.member_id, request.member_epoch) == ("m1", 2)
    assert (request.topology, request.process_id, request.client_tags, request.rack_id) == (None, None, None, None)
    assert (request.active_tasks, request.standby_tasks, request.warmup_tasks) == (None, None, None)


def test_heartbeat__previous_one_unanswered__all_fields_but_the_topology() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.membership.unanswered(driver.asked, driver.now)
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    request = driver.beat(1_000)
    assert (request.member_epoch, request.topology, request.process_id) == (2, None, "p1")
    assert request.active_tasks == task_ids(of("0", 0))


def test_report_offsets__offsets_reported_by_the_application__sent_once_per_interval() -> None:
    driver = Driver().stable(tasks=Tasks(of("1", 0)))
    driver.membership.report_offsets(TaskOffsets({Task("1", 0): 7}, {Task("1", 0): 9}))
    assert driver.beat().task_offsets is None
    driver.accept(2)
    request = driver.beat(OFFSETS_INTERVAL_MS)
    assert request.task_offsets == [StreamsHeartbeatTaskOffset("1", PartitionId(0), 7)]
    assert request.task_end_offsets == [StreamsHeartbeatTaskOffset("1", PartitionId(0), 9)]
    driver.accept(2)
    assert driver.beat(OFFSETS_INTERVAL_MS).task_offsets is None


def test_shut_down_application__heartbeat_unanswered__request_repeated_until_answered() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.membership.shut_down_application(driver.now)
    assert driver.heartbeat().shutdown_application
    driver.refuse(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert driver.beat(1_000).shutdown_application
    driver.accept(2)
    assert not driver.beat().shutdown_application


@pytest.mark.parametrize(("instance_id", "leave", "epoch"), [(None, None, -1), ("i", None, -2), ("i", True, -1)])
def test_close__dynamic_or_static_member__leave_epoch_minus_1_or_minus_2(
    instance_id: str | None, leave: bool | None, epoch: int
) -> None:
    request = Driver(instance_id).stable(tasks=Tasks(of("0", 0))).membership.close(leave)
    assert isinstance(request, StreamsGroupHeartbeatRequest)
    assert (request.member_id, request.member_epoch) == ("m1", epoch)


def test_heartbeat_response__topology_description_required__description_is_sent() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.accept(2, topology_description_required=True)
    request = driver.take(SendTopologyDescription).request
    assert (request.group_id, request.member_id, request.topology_epoch) == ("g", "m1", 0)
    first, second = request.topology_description.subtopologies
    assert [(node.name, node.node_type, node.successors) for node in first.nodes] == [
        ("0-source", SOURCE, ["0-processor"]),
        ("0-processor", PROCESSOR, ["0-sink-by-user"]),
        ("0-sink-by-user", SINK, []),
    ]
    assert (first.nodes[0].source_topics, first.nodes[2].sink_topic) == (["clicks", "orders"], "by-user")
    assert (second.nodes[0].source_topics, second.nodes[1].stores) == (["by-user"], ["store"])


def test_heartbeat_response__topology_description_required_but_disabled__not_sent() -> None:
    driver = Driver(describes_topology=False).stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.accept(2, topology_description_required=True)
    assert driver.events() == []


# --- assignment -------------------------------------------------------------------------------------------------------


def test_assigned_tasks__a_topic_has_fewer_partitions__only_existing_partitions() -> None:
    driver = Driver()
    driver.started().heartbeat()
    driver.accept(2, Tasks(of("0", 1, 3), of("1", 2)))
    driver.describe()
    (event,) = driver.events()
    assert event == TasksAssigned(
        Identity("m1", None, 2),
        Tasks(of("0", 1, 3), of("1", 2)),
        Tasks(of("0", 1, 3), of("1", 2)),
        (*at("clicks", 1), *at("orders", 1, 3)),
    )
    assert driver.membership.partitions == (*at("clicks", 1), *at("orders", 1, 3))
    assert driver.membership.topic_ids["orders"] == b"orders".ljust(16, b"\0")


def test_assigned_tasks__new_epoch_with_the_same_tasks__partitions_queried_again() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 1, 3)))
    PARTITIONS["clicks"] = 4
    try:
        driver.beat()
        driver.accept(3)
        driver.describe()
    finally:
        PARTITIONS["clicks"] = 2
    assert driver.membership.partitions == (*at("clicks", 1, 3), *at("orders", 1, 3))


def test_revoked_tasks__not_acknowledged_yet__owned_until_the_acknowledgement() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0, 1), of("1", 0)))
    driver.beat()
    driver.accept(2, Tasks(of("0", 0)))
    assert driver.events() == [TasksRevoked(Tasks(of("0", 1), of("1", 0)))]
    assert driver.membership.state is EpochState.RECONCILING
    assert driver.membership.tasks == Tasks(of("0", 0, 1), of("1", 0))
    assert driver.membership.assignment_epochs == dict.fromkeys(driver.membership.partitions, 2)
    driver.membership.acknowledge_revocation(driver.now)
    assert not driver.membership.may_commit
    driver.describe()
    request = driver.heartbeat()
    assert (request.active_tasks, request.standby_tasks) == (task_ids(of("0", 0)), [])
    driver.accept(3)
    assert driver.membership.may_commit


def test_assigned_tasks__standby_becomes_active__added_without_a_revocation() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0), of("1", 0, 1), of("1", 2)))
    driver.beat()
    target = Tasks((*of("0", 0), *of("1", 0)), of("1", 2), of("1", 1))
    driver.accept(3, target)
    driver.describe()
    (event,) = driver.events()
    assert isinstance(event, TasksAssigned)
    assert event.tasks == target
    assert event.added == Tasks(of("1", 0), of("1", 2), of("1", 1))
    assert event.added_partitions == at("by-user", 0)
    assert driver.membership.assignment_epochs == {
        at("by-user", 0)[0]: 3, at("clicks", 0)[0]: 2, at("orders", 0)[0]: 2,
    }  # fmt: skip


def test_revoked_tasks__active_task_becomes_standby__revoked_before_it_is_assigned() -> None:
    driver = Driver().stable(tasks=Tasks(of("1", 0)))
    driver.beat()
    driver.accept(3, Tasks((), of("1", 0)))
    assert driver.events() == [TasksRevoked(Tasks(of("1", 0)))]
    driver.membership.acknowledge_revocation(driver.now)
    (event,) = driver.events()
    assert isinstance(event, TasksAssigned)
    assert (event.tasks, event.added_partitions) == (Tasks((), of("1", 0)), ())


def test_assigned_tasks__assignment_changes_during_the_topic_query__newest_one_applied() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.accept(3, Tasks(of("0", 0, 1)))
    late = driver.take(QueryTopics)
    driver.beat()
    driver.accept(4, Tasks(of("0", 0, 2)))
    driver.membership.received_topic_descriptions(late, [described("orders"), described("clicks")], driver.now)
    assert driver.membership.tasks == Tasks(of("0", 0))
    driver.describe()
    assert driver.membership.tasks == Tasks(of("0", 0, 2))


def test_group_status__changes__one_event_per_change() -> None:
    driver = Driver()
    driver.started().heartbeat()
    delayed = StreamsHeartbeatStatus(5, "Assignment delayed.")
    for status in ([delayed], [delayed], [], None):
        driver.accept(1, status=status)
        driver.tick(INTERVAL_MS)
        driver.heartbeat()
    statuses = [event.statuses for event in driver.events() if isinstance(event, StatusChanged)]
    assert statuses == [((5, "Assignment delayed."),), ()]


def test_user_endpoints__in_the_heartbeat_response__partitions_known_and_epoch_reported() -> None:
    driver = Driver(user_endpoint=Endpoint("h", 80)).stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    orders, store = (
        [StreamsHeartbeatTopicPartition(TopicName(name), [PartitionId(0)])] for name in ("orders", "by-user")
    )
    found = StreamsHeartbeatEndpointToPartitions(StreamsHeartbeatEndpoint("h", 80), orders, store)
    driver.accept(2, partitions_by_user_endpoint=[found], endpoint_information_epoch=7)
    assert driver.membership.endpoints == {
        Endpoint("h", 80): EndpointPartitions(at("orders", 0), at("by-user", 0))
    }  # fmt: skip
    assert driver.beat().endpoint_information_epoch == 7


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error_code", [ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.GROUP_ID_NOT_FOUND])
def test_heartbeat__member_is_unknown__joins_again_with_topology_and_new_member_id(error_code: ErrorCode) -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.refuse(error_code)
    assert driver.events() == [TasksLost(Tasks(of("0", 0)))]
    request = driver.beat(1_000)
    assert (request.member_id, request.member_epoch) == ("m2", 0)
    assert request.topology is not None


def test_heartbeat__epoch_is_fenced__leaves_before_it_joins_again() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.refuse(ErrorCode.FENCED_MEMBER_EPOCH)
    assert (driver.beat(1_000).member_id, driver.asked.request.member_epoch) == ("m1", -1)  # type: ignore[union-attr]
    driver.refuse(ErrorCode.UNKNOWN_MEMBER_ID)
    assert driver.heartbeat().member_id == "m2"


@pytest.mark.parametrize(
    "error_code",
    [
        ErrorCode.GROUP_ID_NOT_FOUND,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.STREAMS_INVALID_TOPOLOGY,
        ErrorCode.GROUP_MAX_SIZE_REACHED,
    ],
)
def test_join__refused__membership_ends_with_the_brokers_reason(error_code: ErrorCode) -> None:
    driver = Driver()
    driver.started().heartbeat()
    driver.refuse(error_code, "Because.")
    assert driver.take(FatalError) == FatalError(error_code, "Because.")
    assert driver.membership.state is EpochState.ENDED
    assert driver.membership.next_deadline_ms() is None


def test_heartbeat__topics_not_authorized__one_error_and_membership_continues() -> None:
    driver = Driver().stable(tasks=Tasks(of("0", 0)))
    driver.beat()
    driver.refuse(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    assert driver.take(TransientError).error_code is ErrorCode.TOPIC_AUTHORIZATION_FAILED
    assert driver.membership.tasks == Tasks(of("0", 0))


# --- topologies -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topology", "message"),
    [
        (Topology(()), "Missing subtopology id"),
        (Topology((Subtopology("0"),)), "Missing topic"),
        (Topology((Subtopology("0", ("t",)), Subtopology("0", ("u",)))), "Duplicate subtopology id '0'"),
        (Topology((Subtopology("0", ("t",)), Subtopology("1", ("t",)))), "Duplicate topic 't'"),
        (Topology((Subtopology("0", ("t",), copartitioned=(("t", "u"),)),)), "Unknown topic 'u' in 'copartitioned'"),
    ],
)
def test_check_topology__invalid__error_names_the_invalid_part(topology: Topology, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_topology(topology)
