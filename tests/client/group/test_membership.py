"""One membership of the classic protocol and rare answers of a coordinator (rules 7.1 to 7.5)."""

from threading import Thread
from typing import TypeVar

import pytest

from tenure.client.group.assignment import assigned_partitions
from tenure.client.group.memberships.classic_membership import ClassicMembership, ClassicState
from tenure.client.group.memberships.error_reactions import CommitVerdict
from tenure.client.group.memberships.membership_outputs import (
    Disconnect,
    FatalError,
    FindCoordinator,
    IgnoredClaims,
    Output,
    QueryTopicLayouts,
    SendRequest,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.subscriptions import subscription
from tenure.client.values import Assigned, Identity, Lost, Revoked, TopicLayout, TopicPartition
from tenure.protocol.consumer_protocol import Assignment, encode_assignment
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    JoinGroupResponseMember,
    LeaveGroupRequest,
    SyncGroupRequest,
    SyncGroupResponse,
)
from tenure.protocol.types import GenerationId, InstanceId, MemberId, PartitionId, TopicName

T = TypeVar("T")


class Driver:
    """Driver of a membership; the test sets `now`."""

    def __init__(self, instance_id: str | None = "i", **settings: int) -> None:
        self.membership = ClassicMembership(MembershipSettings("g", ("t",), instance_id, **settings))
        self.now = 0
        self.outputs: list[Output] = []

    def take(self, kind: type[T]) -> T:
        """Return the only output of this kind since the last call."""
        self.outputs += self.membership.take()
        found = [output for output in self.outputs if isinstance(output, kind)]
        assert len(found) == 1, self.outputs
        self.outputs.clear()
        return found[0]

    def nothing(self) -> bool:
        return not self.membership.take()

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.membership.tick(self.now)

    def started(self) -> "Driver":
        self.membership.start(self.now)
        self.take(FindCoordinator)
        self.membership.found_coordinator(self.now)
        return self

    def stable(self, member_id: str = "m", generation_id: int = 1, leader: str = "other") -> "Driver":
        self.started()
        self.rejoined(member_id, generation_id, leader)
        return self

    def rejoined(self, member_id: str, generation_id: int, leader: str = "other") -> None:
        self.answer_join(member_id, generation_id, leader)
        if leader == member_id:
            self.membership.received_topic_layouts(self.take(QueryTopicLayouts), {"t": TopicLayout(2)}, self.now)
        self.answer_sync()
        self.take(Assigned)

    def answer_join(self, member_id: str, generation_id: int, leader: str, *, skip_assignment: bool = False) -> None:
        members = [JoinGroupResponseMember(MemberId(member_id), InstanceId("i"), subscription("range", ["t"]))]
        self.answer(
            JoinGroupResponse(
                generation_id=GenerationId(generation_id),
                protocol_type="consumer",
                protocol_name="range",
                leader=MemberId(leader),
                member_id=MemberId(member_id),
                skip_assignment=skip_assignment,
                members=members if leader == member_id else [],
            )
        )

    def answer_sync(self, topic: str = "t") -> None:
        of_topic = OfTopic(TopicName(topic), [PartitionId(0), PartitionId(1)])
        self.answer(
            SyncGroupResponse(
                protocol_type="consumer",
                protocol_name="range",
                assignment=encode_assignment(Assignment([of_topic])),
            )
        )

    def answer(self, response: JoinGroupResponse | SyncGroupResponse | HeartbeatResponse) -> SendRequest:
        ask = self.take(SendRequest)
        self.membership.answered(ask, response, self.now)
        return ask

    def refuse_join(self, error_code: ErrorCode, member_id: str = "") -> None:
        self.answer(JoinGroupResponse(error_code=error_code, member_id=MemberId(member_id)))

    def refuse_sync(self, error_code: ErrorCode) -> None:
        self.answer(SyncGroupResponse(error_code=error_code))

    def heartbeat(self, error_code: ErrorCode) -> None:
        self.tick(3_000)
        ask = self.answer(HeartbeatResponse(error_code=error_code))
        assert isinstance(ask.request, HeartbeatRequest)

    def next_join(self) -> JoinGroupRequest:
        self.tick(100)
        request = self.take(SendRequest).request
        assert isinstance(request, JoinGroupRequest)
        return request


PARTITIONS = (TopicPartition("t", 0), TopicPartition("t", 1))


def test_join__member_id_required__joins_again_at_once_with_that_member_id() -> None:
    driver = Driver(None).started()
    driver.refuse_join(ErrorCode.MEMBER_ID_REQUIRED, "m-1")
    request = driver.take(SendRequest).request
    assert isinstance(request, JoinGroupRequest)
    assert request.member_id == "m-1"


def test_close__member_id_known_but_not_joined__leaves_with_this_member_id() -> None:
    driver = Driver(None).started()
    driver.refuse_join(ErrorCode.MEMBER_ID_REQUIRED, "m-1")
    request = driver.membership.close()
    assert isinstance(request, LeaveGroupRequest)
    assert [member.member_id for member in request.members] == ["m-1"]


def test_close__static_member__no_request_sent() -> None:
    assert Driver().stable().membership.close() is None


def test_close__static_member_with_leave_option__leave_request_sent() -> None:
    request = Driver().stable().membership.close(leave=True)
    assert request is not None
    assert request.members[0].group_instance_id == "i"


def test_close__dynamic_member_with_stay_option__no_request_sent() -> None:
    assert Driver(None).stable().membership.close(leave=False) is None


@pytest.mark.parametrize("error_code", [14, 15, 16])
def test_join__coordinator_loading_or_moved__retried_with_the_same_member_id(error_code: int) -> None:
    driver = Driver(None).started()
    driver.refuse_join(ErrorCode.MEMBER_ID_REQUIRED, "m-1")
    driver.refuse_join(ErrorCode(error_code))
    if error_code != 14:
        driver.take(FindCoordinator)
        driver.membership.found_coordinator(driver.now)
    assert driver.nothing()
    assert driver.next_join().member_id == "m-1"


@pytest.mark.parametrize("error_code", [23, 24, 26, 30, 81, 35, -1])
def test_join__refused_permanently__membership_ends_with_that_error_code(error_code: int) -> None:
    driver = Driver().started()
    driver.refuse_join(ErrorCode(error_code))
    assert driver.take(FatalError).error_code == error_code
    assert driver.membership.next_deadline_ms() is None


def test_join__unknown_member_id__joins_again_without_a_member_id() -> None:
    driver = Driver(None).started()
    driver.refuse_join(ErrorCode.MEMBER_ID_REQUIRED, "m-1")
    driver.refuse_join(ErrorCode.UNKNOWN_MEMBER_ID)
    assert driver.next_join().member_id == ""


def test_join__rebalance_in_progress__joins_again_at_once() -> None:
    driver = Driver().started()
    driver.refuse_join(ErrorCode.REBALANCE_IN_PROGRESS)
    assert isinstance(driver.take(SendRequest).request, JoinGroupRequest)


def test_join__no_answer__request_times_out_after_the_rebalance_timeout() -> None:
    assert Driver(rebalance_timeout_ms=60_000).started().take(SendRequest).timeout_ms == 65_000


def test_join__connection_breaks__joins_again_with_the_same_member_id() -> None:
    driver = Driver(None).started()
    driver.refuse_join(ErrorCode.MEMBER_ID_REQUIRED, "m-1")
    driver.membership.unanswered(driver.take(SendRequest), driver.now)
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    assert driver.next_join().member_id == "m-1"


@pytest.mark.parametrize(("error_code", "member_id"), [(14, "m"), (22, "m"), (27, "m"), (25, "")])
def test_sync_group__refused__member_joins_again(error_code: int, member_id: str) -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "other")
    driver.refuse_sync(ErrorCode(error_code))
    assert driver.next_join().member_id == member_id


def test_sync_group__fenced__membership_ends() -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "other")
    driver.refuse_sync(ErrorCode.FENCED_INSTANCE_ID)
    assert driver.take(FatalError).error_code is ErrorCode.FENCED_INSTANCE_ID


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (
            (InstanceId("i"), subscription("range", ["t"])),
            "Duplicate group.instance.id 'i': 2 live members",
        ),
        ((None, b"\0"), "a member's subscription is malformed"),
    ],
)
def test_join__leader_gets_invalid_subscriptions__membership_ends_with_the_cause(
    told: tuple[InstanceId | None, bytes], reason: str
) -> None:
    driver = Driver().started()
    driver.answer(
        JoinGroupResponse(
            generation_id=GenerationId(1),
            protocol_type="consumer",
            protocol_name="range",
            leader=MemberId("m"),
            member_id=MemberId("m"),
            members=[
                JoinGroupResponseMember(MemberId("m"), InstanceId("i"), subscription("range", ["t"])),
                JoinGroupResponseMember(MemberId("n"), *told),
            ],
        )
    )
    driver.outputs += driver.membership.take()
    for question in [output for output in driver.outputs if isinstance(output, QueryTopicLayouts)]:
        driver.membership.received_topic_layouts(question, {"t": TopicLayout(2)}, driver.now)
    ended = driver.take(FatalError)
    assert ended.error_code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert ended.reason.startswith(reason)


def test_sync_group__assignment_without_a_version__membership_ends() -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "other")
    driver.answer(SyncGroupResponse(assignment=b""))
    assert driver.take(FatalError).error_code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_sync_group__protocol_differs_from_the_join__membership_ends() -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "other")
    driver.answer(SyncGroupResponse(protocol_type="consumer", protocol_name="sticky"))
    assert driver.take(FatalError).error_code is ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_sync_group__assigned_topic_is_not_subscribed__joins_again() -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "other")
    driver.answer_sync("foreign")
    assert driver.next_join().member_id == "m"


def test_leader__coordinator_says_skip_the_assignment__syncs_without_assignments_and_watches_the_topics() -> None:
    driver = Driver(max_poll_interval_ms=600_000).started()
    driver.answer_join("m", 1, "m", skip_assignment=True)
    driver.membership.received_topic_layouts(driver.take(QueryTopicLayouts), {"t": TopicLayout(2)}, driver.now)
    ask = driver.take(SendRequest)
    assert isinstance(ask.request, SyncGroupRequest)
    assert ask.request.assignments == []
    driver.membership.answered(ask, SyncGroupResponse(assignment=encode_assignment(Assignment())), driver.now)
    driver.take(Assigned)
    for _ in range(99):
        driver.heartbeat(ErrorCode.NONE)
    driver.tick(3_000)
    driver.membership.received_topic_layouts(driver.take(QueryTopicLayouts), {"t": TopicLayout(3)}, driver.now)
    assert driver.membership.rejoin_needed


def test_leader__two_members_claim_the_same_partition__logged_and_assigned() -> None:
    driver = Driver().started()
    told = subscription("cooperative-sticky", ["t"], [TopicPartition("t", 0)], 3)
    driver.answer(
        JoinGroupResponse(
            generation_id=GenerationId(4),
            protocol_name="cooperative-sticky",
            leader=MemberId("m"),
            member_id=MemberId("m"),
            members=[JoinGroupResponseMember(MemberId(name), None, told) for name in ("m", "n")],
        )
    )
    driver.membership.received_topic_layouts(driver.take(QueryTopicLayouts), {"t": TopicLayout(2)}, driver.now)
    doubts, ask = driver.membership.take()
    assert isinstance(doubts, IgnoredClaims)
    assert "both claim t-0; both are ignored" in doubts.sentences[0]
    assert isinstance(ask, SendRequest)
    assert isinstance(ask.request, SyncGroupRequest)


@pytest.mark.parametrize("prepared_from", [2, 5])
def test_leader__assignment_prepared_on_another_thread__used_unless_partition_counts_changed(
    prepared_from: int,
) -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "m")
    question = driver.take(QueryTopicLayouts)
    assert question.prepare is not None
    thread = Thread(target=question.prepare, args=({"t": TopicLayout(prepared_from)},))
    thread.start()
    thread.join(60)
    driver.membership.received_topic_layouts(question, {"t": TopicLayout(2)}, driver.now)
    request = driver.take(SendRequest).request
    assert isinstance(request, SyncGroupRequest)
    (assignment,) = request.assignments
    assert assigned_partitions(assignment.assignment) == PARTITIONS


def test_leader__partition_counts_unchanged__no_rejoin() -> None:
    driver = Driver(max_poll_interval_ms=600_000).stable(leader="m")
    for _ in range(99):
        driver.heartbeat(ErrorCode.NONE)
    driver.tick(3_000)
    driver.membership.received_topic_layouts(driver.take(QueryTopicLayouts), {"t": TopicLayout(2)}, driver.now)
    assert not driver.membership.rejoin_needed


def test_leader__partition_counts_arrive_after_a_rejoin__ignored() -> None:
    driver = Driver().started()
    driver.answer_join("m", 1, "m")
    late = driver.take(QueryTopicLayouts)
    driver.membership.rejoin_as_new_member(driver.now)
    driver.membership.take()
    driver.membership.received_topic_layouts(late, {"t": TopicLayout(2)}, driver.now)
    assert driver.nothing()


def test_heartbeat__rebalance_in_progress__revokes_and_heartbeats_until_acknowledged() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    assert driver.take(Revoked).partitions == PARTITIONS
    driver.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    driver.membership.acknowledge_revocation(driver.now)
    assert driver.next_join().member_id == "m"
    assert driver.membership.state is ClassicState.PREPARING_REBALANCE


def test_heartbeat__rebalance_in_progress_and_revocation_acknowledged__joins_at_once() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    driver.take(Revoked)
    driver.membership.acknowledge_revocation(driver.now)
    assert isinstance(driver.take(SendRequest).request, JoinGroupRequest)


def test_heartbeat__unknown_member_id__partitions_lost_and_joins_with_a_new_member_id() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.UNKNOWN_MEMBER_ID)
    assert driver.take(Lost).partitions == PARTITIONS
    assert driver.next_join().member_id == ""


def test_heartbeat__illegal_generation__partitions_lost_and_member_id_kept() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.ILLEGAL_GENERATION)
    assert driver.take(Lost).partitions == PARTITIONS
    assert driver.next_join().member_id == "m"


def test_heartbeat__fenced_answer_to_an_earlier_generation__ignored() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    driver.tick(3_000)
    late = driver.take(SendRequest)
    driver.membership.acknowledge_revocation(driver.now)
    driver.tick(100)
    driver.rejoined("m", 2)
    driver.membership.answered(late, HeartbeatResponse(error_code=ErrorCode.FENCED_INSTANCE_ID), driver.now)
    assert driver.membership.state is ClassicState.STABLE


def test_heartbeat__no_answer_for_the_session_timeout__finds_the_coordinator_and_continues() -> None:
    driver = Driver().stable()
    driver.tick(3_000)
    driver.take(SendRequest)
    driver.tick(42_000)
    assert [type(output) for output in driver.membership.take()] == [Disconnect, FindCoordinator]
    assert driver.membership.partitions == PARTITIONS


def test_heartbeat__unknown_error_code__membership_ends() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.UNKNOWN_SERVER_ERROR)
    assert isinstance(driver.membership.take()[-1], FatalError)


def commit(driver: Driver, error_code: ErrorCode, identity: Identity | None = None) -> CommitVerdict:
    return driver.membership.commit_refused(error_code, identity or driver.membership.identity, driver.now)


def test_commit__illegal_generation_error_for_an_earlier_generation__membership_continues() -> None:
    driver = Driver().stable(generation_id=2)
    old = Identity("m", "i", 1)
    assert commit(driver, ErrorCode.ILLEGAL_GENERATION, old) is CommitVerdict.RESET_GENERATION
    assert driver.membership.state is ClassicState.STABLE


def test_commit__illegal_generation_error_during_a_rebalance__reported_as_rebalance_in_progress() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    driver.membership.acknowledge_revocation(driver.now)
    driver.tick(100)
    assert commit(driver, ErrorCode.ILLEGAL_GENERATION, Identity("m", "i", 0)) is CommitVerdict.REBALANCING


def test_commit__fenced_error_for_an_earlier_member_id__membership_continues() -> None:
    driver = Driver().stable("m-2")
    assert commit(driver, ErrorCode.FENCED_INSTANCE_ID, Identity("m-1", "i", 1)) is CommitVerdict.RESET_GENERATION
    assert driver.membership.state is ClassicState.STABLE


def test_commit__fenced_error_for_the_present_member_id__membership_ends() -> None:
    driver = Driver().stable()
    assert commit(driver, ErrorCode.FENCED_INSTANCE_ID) is CommitVerdict.FENCED
    assert [type(output) for output in driver.membership.take()] == [Lost, FatalError]


def test_commit__unknown_member_error_for_the_present_member_id__joins_with_a_new_member_id() -> None:
    driver = Driver().stable()
    assert commit(driver, ErrorCode.UNKNOWN_MEMBER_ID) is CommitVerdict.RESET_IDENTITY
    assert driver.membership.member_id == ""


def test_commit__rebalance_in_progress__rejoins_with_the_same_member_id() -> None:
    driver = Driver().stable()
    assert commit(driver, ErrorCode.REBALANCE_IN_PROGRESS) is CommitVerdict.REBALANCING
    assert driver.take(Revoked).partitions == PARTITIONS
    assert driver.membership.member_id == "m"


@pytest.mark.parametrize("error_code", [15, 16, 7, -1])
def test_commit__error_after_which_the_commit_may_be_written__outcome_unknown(error_code: int) -> None:
    driver = Driver().stable()
    assert commit(driver, ErrorCode(error_code)) is CommitVerdict.UNKNOWN
    assert driver.membership.state is ClassicState.STABLE


def test_rejoin_as_new_member__static_member__heartbeat_with_the_old_member_id_before_the_join() -> None:
    driver = Driver().stable()
    driver.membership.rejoin_as_new_member(driver.now)
    leave = driver.answer(HeartbeatResponse(error_code=ErrorCode.ILLEGAL_GENERATION)).request
    assert isinstance(leave, HeartbeatRequest)
    assert (leave.member_id, leave.generation_id) == ("m", 1)
    assert driver.next_join().member_id == ""


def test_rejoin_as_new_member__dynamic_member__leaves_before_it_joins() -> None:
    driver = Driver(None).stable()
    driver.membership.rejoin_as_new_member(driver.now)
    assert isinstance(driver.take(SendRequest).request, LeaveGroupRequest)


def test_rejoin_as_new_member__coordinator_moves_before_the_answer__sent_to_the_new_coordinator() -> None:
    driver = Driver().stable()
    driver.membership.rejoin_as_new_member(driver.now)
    driver.answer(HeartbeatResponse(error_code=ErrorCode.NOT_COORDINATOR))
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    driver.tick(100)
    assert isinstance(driver.take(SendRequest).request, HeartbeatRequest)


def test_rejoin_as_new_member__join_is_parked__connection_of_the_join_closed() -> None:
    driver = Driver().stable()
    driver.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    driver.membership.acknowledge_revocation(driver.now)
    driver.tick(100)
    driver.take(SendRequest)
    driver.membership.rejoin_as_new_member(driver.now)
    assert [type(output) for output in driver.membership.take()] == [Disconnect, FindCoordinator]


def test_max_poll_interval__dynamic_member_does_not_poll__leaves_and_waits_for_a_poll() -> None:
    driver = Driver(None, max_poll_interval_ms=10_000).stable()
    driver.tick(10_000)
    assert isinstance(driver.take(SendRequest).request, LeaveGroupRequest)
    assert driver.membership.next_deadline_ms() is None


def test_max_poll_interval__static_member_does_not_poll__keeps_its_member_id() -> None:
    driver = Driver(max_poll_interval_ms=10_000).stable()
    driver.tick(10_000)
    driver.take(Lost)
    driver.membership.polled(driver.now)
    request = driver.take(SendRequest).request
    assert isinstance(request, JoinGroupRequest)
    assert request.member_id == "m"
