"""One member of a consumer group and rare answers of a coordinator, without a coordinator (rule 3.13)."""

from itertools import count
from typing import Any, TypeVar

import pytest

from tenure.client.group.memberships.consumer_membership import ConsumerMembership
from tenure.client.group.memberships.epoch_membership import EpochState
from tenure.client.group.memberships.error_reactions import CommitVerdict
from tenure.client.group.memberships.membership_outputs import (
    FatalError,
    FindCoordinator,
    Output,
    QueryTopicNames,
    SendRequest,
    TransientError,
)
from tenure.client.group.memberships.membership_settings import WAIT, MembershipSettings
from tenure.client.values import Assigned, Identity, Lost, Revoked, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    DescribedConsumerGroup,
    DescribedConsumerGroupMember,
    HeartbeatAssignment,
    HeartbeatTopicPartitions,
)
from tenure.protocol.special_values import CONSUMER
from tenure.protocol.types import InstanceId, MemberId, PartitionId, TopicId

T = TypeVar("T")

T_ID, U_ID = TopicId(b"t" * 16), TopicId(b"u" * 16)
NAMES = {T_ID: "t", U_ID: "u"}
INTERVAL_MS = 5_000


class Driver:
    """Driver of a membership; the test sets `now`."""

    def __init__(self, instance_id: str | None = "i", **settings: Any) -> None:
        ids = count(1)
        self.membership = ConsumerMembership(
            MembershipSettings("g", ("t",), instance_id, group_protocol=CONSUMER, **settings), lambda: f"m{next(ids)}"
        )
        self.now = 0
        self.outputs: list[Output] = []

    def take(self, kind: type[T]) -> T:
        """Return the only output of this kind since the last call."""
        self.outputs += self.membership.take()
        found = [output for output in self.outputs if isinstance(output, kind)]
        assert len(found) == 1, self.outputs
        self.outputs.clear()
        return found[0]

    def events(self) -> list[object]:
        taken = self.membership.take()
        self.outputs += [output for output in taken if isinstance(output, SendRequest)]
        return [output for output in taken if not isinstance(output, SendRequest)]

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.membership.tick(self.now)

    def heartbeat(self) -> ConsumerGroupHeartbeatRequest:
        """Return the request that is sent now; it stays in flight."""
        self.asked = self.take(SendRequest)
        request = self.asked.request
        assert isinstance(request, ConsumerGroupHeartbeatRequest)
        return request

    def answer(self, response: Any) -> None:
        self.membership.answered(self.asked, response, self.now)

    def accept(self, epoch: int, *partitions: int, topic_id: TopicId = T_ID) -> None:
        """Answer the heartbeat, with an assignment."""
        found = HeartbeatTopicPartitions(topic_id, [PartitionId(partition) for partition in partitions])
        assignment = HeartbeatAssignment([found] if partitions else [])
        self.answer(
            ConsumerGroupHeartbeatResponse(member_epoch=epoch, heartbeat_interval_ms=INTERVAL_MS, assignment=assignment)
        )

    def nothing_new(self, epoch: int) -> None:
        self.answer(ConsumerGroupHeartbeatResponse(member_epoch=epoch, heartbeat_interval_ms=INTERVAL_MS))

    def refuse(self, error_code: int, message: str | None = None) -> None:
        self.answer(ConsumerGroupHeartbeatResponse(error_code=error_code, error_message=message))

    def name(self) -> None:
        question = self.take(QueryTopicNames)
        self.membership.received_topic_names(question, {of: NAMES[of] for of in question.topic_ids}, self.now)

    def started(self) -> "Driver":
        self.membership.start(self.now)
        self.take(FindCoordinator)
        self.membership.found_coordinator(self.now)
        return self

    def stable(self, epoch: int = 2, *partitions: int) -> "Driver":
        """Return a member that has joined and acknowledged an assignment."""
        self.started()
        self.heartbeat()
        self.accept(epoch, *(partitions or (0, 1)))
        self.name()
        self.events()
        self.asked = self.outputs.pop()  # type: ignore[assignment]
        self.nothing_new(epoch)
        assert self.membership.state is EpochState.STABLE
        return self

    def beat(self) -> ConsumerGroupHeartbeatRequest:
        self.tick(INTERVAL_MS)
        return self.heartbeat()

    def describe(self, *holders: tuple[str, int], error_code: int = 0) -> None:
        self.asked = self.take(SendRequest)
        assert isinstance(self.asked.request, ConsumerGroupDescribeRequest)
        members = [
            DescribedConsumerGroupMember(
                member_id=MemberId(member_id), instance_id=InstanceId("i"), member_epoch=epoch, client_id="them"
            )
            for member_id, epoch in holders
        ]
        self.answer(ConsumerGroupDescribeResponse(groups=[DescribedConsumerGroup(error_code, members=members)]))


def at(*partitions: int, topic: str = "t") -> tuple[TopicPartition, ...]:
    return tuple(TopicPartition(topic, partition) for partition in partitions)


# --- heartbeats -------------------------------------------------------------------------------------------------------


def test_join__first_heartbeat__all_fields_and_a_new_member_id() -> None:
    driver = Driver(rack_id="r", server_assignor="range", rebalance_timeout_ms=60_000).started()
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch, request.instance_id) == ("m1", 0, "i")
    assert (request.rack_id, request.server_assignor, request.rebalance_timeout_ms) == ("r", "range", 60_000)
    assert (request.subscribed_topic_names, request.subscribed_topic_regex) == (["t"], "")
    assert request.topic_partitions == []


def test_heartbeat__nothing_changed__only_member_id_and_epoch() -> None:
    request = Driver().stable().beat()
    assert (request.member_id, request.member_epoch, request.instance_id) == ("m1", 2, "i")
    assert (request.rack_id, request.server_assignor, request.rebalance_timeout_ms) == (None, None, -1)
    told = (request.subscribed_topic_names, request.subscribed_topic_regex, request.topic_partitions)
    assert told == (None, None, None)


def test_heartbeat__interval_in_the_brokers_answer__used_for_the_next_one() -> None:
    driver = Driver(heartbeat_interval_ms=100).stable()
    assert driver.membership.next_deadline_ms() == INTERVAL_MS
    driver.tick(INTERVAL_MS - 1)
    assert driver.membership.take() == []


def test_assignment__received__acknowledged_at_once_with_all_owned_partitions() -> None:
    driver = Driver().started()
    driver.heartbeat()
    driver.accept(2, 0, 1)
    driver.name()
    assert driver.events() == [Assigned(Identity("m1", "i", 2), at(0, 1), at(0, 1))]
    (ask,) = driver.outputs
    assert isinstance(ask, SendRequest)
    assert isinstance(ask.request, ConsumerGroupHeartbeatRequest)
    assert ask.request.topic_partitions == [HeartbeatTopicPartitions(T_ID, [PartitionId(0), PartitionId(1)])]
    assert ask.request.subscribed_topic_names is None


@pytest.mark.parametrize("trouble", ["unanswered", 14, 16])
def test_heartbeat__previous_one_failed_or_unanswered__all_fields_sent_again(trouble: str | int) -> None:
    driver = Driver().stable()
    driver.beat()
    if isinstance(trouble, int):
        driver.refuse(trouble)
    else:
        driver.membership.unanswered(driver.asked, driver.now)
    if trouble != 14:
        driver.take(FindCoordinator)
        driver.membership.found_coordinator(driver.now)
    driver.tick(100)
    request = driver.heartbeat()
    assert (request.member_epoch, request.rebalance_timeout_ms) == (2, 300_000)
    assert request.subscribed_topic_names == ["t"]
    assert request.topic_partitions == [HeartbeatTopicPartitions(T_ID, [PartitionId(0), PartitionId(1)])]


def test_subscription__topics_change__heartbeat_at_once_with_only_the_subscription() -> None:
    driver = Driver().stable()
    driver.membership.resubscribe(("t", "u"), driver.now)
    request = driver.heartbeat()
    assert request.subscribed_topic_names == ["t", "u"]
    assert (request.subscribed_topic_regex, request.topic_partitions) == (None, None)


def test_subscription__changes_from_names_to_a_pattern_and_back__previous_kind_is_cleared() -> None:
    driver = Driver().stable()
    driver.membership.resubscribe((), driver.now, "flight.*")
    request = driver.heartbeat()
    assert (request.subscribed_topic_names, request.subscribed_topic_regex) == ([], "flight.*")
    driver.nothing_new(2)
    driver.membership.resubscribe(("t",), driver.now)
    request = driver.heartbeat()
    assert (request.subscribed_topic_names, request.subscribed_topic_regex) == (["t"], "")


# --- assignments ------------------------------------------------------------------------------------------------------


def test_revocation__not_acknowledged_yet__partitions_stay_owned_and_commits_wait() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.accept(2, 0)
    assert driver.events() == [Revoked(at(1))]
    assert driver.membership.state is EpochState.RECONCILING
    assert driver.membership.may_commit
    assert driver.beat().topic_partitions is None
    driver.nothing_new(2)
    driver.membership.acknowledge_revocation(driver.now)
    assert driver.membership.state is EpochState.ACKNOWLEDGING
    assert not driver.membership.may_commit
    assert driver.heartbeat().topic_partitions == [HeartbeatTopicPartitions(T_ID, [PartitionId(0)])]
    driver.nothing_new(3)
    assert driver.membership.may_commit
    assert driver.events() == [Assigned(Identity("m1", "i", 3), at(0), ())]


def test_revocation__acknowledgement_brings_no_new_epoch__end_of_the_revocation_reported() -> None:
    """Report the end of the revocation under the same epoch, as after unsubscribing from topics (rule 3.6)."""
    driver = Driver().stable()
    driver.beat()
    driver.accept(2, 0)
    driver.membership.acknowledge_revocation(driver.now)
    driver.heartbeat()
    driver.nothing_new(2)
    assert driver.events() == [Assigned(Identity("m1", "i", 2), at(0), ())]


def test_revocation__answer_to_a_heartbeat_sent_before_the_acknowledgement__commits_still_wait() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.accept(2, 0)
    driver.beat()
    driver.membership.acknowledge_revocation(driver.now)
    driver.nothing_new(2)
    assert not driver.membership.may_commit
    assert driver.heartbeat().topic_partitions is not None


def test_assignment__newer_one_during_a_revocation__applied_after_the_revocation_is_acknowledged() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.accept(2, 0)
    assert driver.events() == [Revoked(at(1))]
    driver.beat()
    driver.accept(2, 5)
    assert driver.events() == []
    driver.membership.acknowledge_revocation(driver.now)
    assert driver.events() == [Revoked(at(0))]
    driver.membership.acknowledge_revocation(driver.now)
    assert [type(event) for event in driver.events()] == [Assigned]
    assert driver.membership.partitions == at(5)


def test_revocation__never_acknowledged__ends_after_a_quarter_of_the_rebalance_timeout() -> None:
    driver = Driver(rebalance_timeout_ms=8_000).stable()
    driver.beat()
    driver.accept(2, 0)
    driver.take(Revoked)
    driver.tick(2_000)
    assert driver.heartbeat().topic_partitions == [HeartbeatTopicPartitions(T_ID, [PartitionId(0)])]


def test_assignment_epochs__each_partition__keeps_the_epoch_of_its_assignment() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.accept(3, 0, 1, 2)
    assert driver.membership.assignment_epochs == dict(zip(at(0, 1, 2), (2, 2, 3), strict=True))


def test_assignment__topic_id_unknown__other_topics_applied_and_the_name_requested() -> None:
    driver = Driver().stable()
    driver.beat()
    both = [HeartbeatTopicPartitions(of, [PartitionId(0)]) for of in (T_ID, U_ID)]
    driver.answer(
        ConsumerGroupHeartbeatResponse(
            member_epoch=3, heartbeat_interval_ms=INTERVAL_MS, assignment=HeartbeatAssignment(both)
        )
    )
    question = driver.take(QueryTopicNames)
    driver.membership.received_topic_names(question, {}, driver.now)
    assert driver.take(Revoked).partitions == at(1)
    driver.membership.acknowledge_revocation(driver.now)
    driver.heartbeat()
    driver.nothing_new(3)
    driver.tick(1_000)
    driver.name()
    assert driver.take(Assigned).added == at(0, topic="u")


def test_assignment__topic_recreated_with_the_same_name__revoked_before_it_is_assigned() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.accept(3, 0, 1, topic_id=U_ID)
    question = driver.take(QueryTopicNames)
    driver.membership.received_topic_names(question, {U_ID: "t"}, driver.now)
    assert driver.take(Revoked).partitions == at(0, 1)
    assert driver.membership.topic_ids == {"t": T_ID}
    driver.membership.acknowledge_revocation(driver.now)
    assert driver.events() == [Assigned(Identity("m1", "i", 3), at(0, 1), at(0, 1))]
    assert driver.heartbeat().topic_partitions == [HeartbeatTopicPartitions(U_ID, [PartitionId(0), PartitionId(1)])]
    assert driver.membership.topic_ids == {"t": U_ID}
    assert driver.membership.assignment_epochs == dict.fromkeys(at(0, 1), 3)


def test_assignment__topic_names_arrive_after_a_rejoin__ignored() -> None:
    driver = Driver().started()
    driver.heartbeat()
    driver.accept(2, 0)
    late = driver.take(QueryTopicNames)
    driver.membership.rejoin_as_new_member(driver.now)
    driver.membership.received_topic_names(late, NAMES, driver.now)
    assert driver.membership.partitions == ()


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error_code", [30, 42, 81, 112, 35, 128, -1])
def test_join__refused_permanently__membership_ends_with_the_brokers_message(error_code: int) -> None:
    driver = Driver().started()
    driver.heartbeat()
    driver.refuse(error_code, "because")
    ended = driver.take(FatalError)
    assert (ended.error_code, ended.reason) == (error_code, "because")
    assert driver.membership.next_deadline_ms() is None


def test_join__group_of_another_type__membership_ends() -> None:
    driver = Driver().started()
    driver.heartbeat()
    driver.refuse(69)
    assert driver.take(FatalError).error_code is ErrorCode.GROUP_ID_NOT_FOUND


def test_join__unanswered__repeated_with_the_same_member_id() -> None:
    driver = Driver(None).started()
    driver.heartbeat()
    driver.membership.unanswered(driver.asked, driver.now)
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    driver.tick(100)
    assert driver.heartbeat().member_id == "m1"


@pytest.mark.parametrize("error_code", [25, 69])
def test_heartbeat__member_or_group_unknown__partitions_lost_and_joins_with_a_new_member_id(error_code: int) -> None:
    driver = Driver().stable()
    driver.beat()
    driver.refuse(error_code)
    assert driver.take(Lost).partitions == at(0, 1)
    assert driver.membership.identity == Identity("", "i", -1)
    driver.tick(100)
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch, request.topic_partitions) == ("m2", 0, [])


@pytest.mark.parametrize(("instance_id", "epoch"), [("i", -2), (None, -1)])
def test_heartbeat__fenced_epoch__leaves_with_the_old_member_id_then_joins_with_a_new_one(
    instance_id: str | None, epoch: int
) -> None:
    driver = Driver(instance_id).stable()
    driver.beat()
    driver.refuse(110)
    driver.take(Lost)
    driver.tick(100)
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch) == ("m1", epoch)
    driver.nothing_new(epoch)
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch) == ("m2", 0)


def test_heartbeat__fenced_instance_id__membership_ends_without_a_takeover() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.refuse(82)
    assert driver.events() == [Lost(at(0, 1)), FatalError(ErrorCode.FENCED_INSTANCE_ID, "")]


def test_heartbeat__topic_not_authorized__one_error_and_membership_continues() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.refuse(29, "not you")
    assert driver.take(TransientError) == TransientError(ErrorCode.TOPIC_AUTHORIZATION_FAILED, "not you")
    assert driver.membership.partitions == at(0, 1)
    assert driver.beat().subscribed_topic_names == ["t"]


def test_heartbeat_answer__arrives_after_a_rejoin__ignored() -> None:
    driver = Driver().stable()
    late = driver.beat() and driver.asked
    driver.membership.rejoin_as_new_member(driver.now)
    driver.membership.take()
    driver.membership.answered(late, ConsumerGroupHeartbeatResponse(error_code=82), driver.now)
    assert driver.membership.state is EpochState.JOINING


# --- takeovers --------------------------------------------------------------------------------------------------------


def refused_join(**settings: Any) -> Driver:
    driver = Driver(**settings).started()
    driver.heartbeat()
    driver.refuse(111)
    return driver


def test_takeover__instance_id_in_use__sends_leave_of_the_holder_and_joins() -> None:
    driver = refused_join()
    driver.describe(("dead", 7))
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch, request.instance_id) == ("dead", -2, "i")
    driver.nothing_new(-2)
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch) == ("m1", 0)


def test_takeover__another_member_was_faster__no_second_takeover() -> None:
    driver = refused_join()
    driver.describe(("dead", 7))
    driver.heartbeat()
    driver.refuse(82)
    driver.heartbeat()
    driver.refuse(111)
    driver.describe(("rival", 8))
    ended = driver.take(FatalError)
    assert ended.error_code is ErrorCode.UNRELEASED_INSTANCE_ID
    assert "client 'them'" in ended.reason


def test_takeover__instance_id_held_by_an_unanswered_join_of_this_member__leaves_and_joins_with_a_new_id() -> None:
    driver = Driver().started()
    driver.heartbeat()
    driver.membership.unanswered(driver.asked, driver.now)
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    driver.tick(100)
    driver.heartbeat()
    driver.refuse(111)
    driver.describe(("m1", 2))
    request = driver.heartbeat()
    assert (request.member_id, request.member_epoch) == ("m1", -2)
    driver.nothing_new(-2)
    assert driver.heartbeat().member_id == "m2"


@pytest.mark.parametrize("holders", [(), (("dead", -2),)])
def test_takeover__holder_has_left__joins_without_a_takeover(holders: tuple[tuple[str, int], ...]) -> None:
    driver = refused_join()
    driver.describe(*holders)
    driver.tick(100)
    assert driver.heartbeat().member_epoch == 0


def test_takeover__member_had_the_instance_id_before__fenced_by_the_new_holder() -> None:
    driver = Driver().stable()
    driver.beat()
    driver.refuse(25)
    driver.tick(100)
    driver.take(SendRequest)
    driver.asked = driver.membership._in_flight  # type: ignore[assignment]
    driver.refuse(111)
    driver.describe(("other", 9))
    assert driver.take(FatalError).error_code is ErrorCode.FENCED_INSTANCE_ID


def test_on_unreleased_wait__instance_id_in_use__joins_again_later() -> None:
    driver = refused_join(on_unreleased=WAIT, heartbeat_interval_ms=3_000)
    driver.describe(("alive", 7))
    driver.tick(2_999)
    assert driver.membership.take() == []
    driver.tick(1)
    assert driver.heartbeat().member_id == "m1"


def test_takeover__describe_request_refused__membership_ends_with_an_error() -> None:
    driver = refused_join()
    driver.describe(error_code=30)
    ended = driver.take(FatalError)
    assert ended.error_code is ErrorCode.UNRELEASED_INSTANCE_ID
    assert "grant DESCRIBE" in ended.reason


def test_takeover__coordinator_moves__continues_with_the_new_coordinator() -> None:
    driver = refused_join()
    driver.describe(error_code=16)
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    driver.tick(100)
    driver.describe(("dead", 7))
    assert driver.heartbeat().member_id == "dead"


def test_leave__coordinator_moves__sent_to_the_new_coordinator() -> None:
    driver = Driver().stable()
    driver.membership.rejoin_as_new_member(driver.now)
    driver.heartbeat()
    driver.refuse(15)
    driver.take(FindCoordinator)
    driver.membership.found_coordinator(driver.now)
    driver.tick(100)
    assert driver.heartbeat().member_epoch == -2


# --- leaving ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instance_id", "leave", "epoch"),
    [("i", None, -2), ("i", False, -2), ("i", True, -1), (None, None, -1), (None, True, -1), (None, False, None)],
)
def test_close__static_or_dynamic_member__same_leave_epoch_as_kafkas_clients(
    instance_id: str | None, leave: bool | None, epoch: int | None
) -> None:
    request = Driver(instance_id).stable().membership.close(leave)
    assert (request and request.member_epoch) == epoch  # type: ignore[union-attr]


def test_close__never_joined__no_request_sent() -> None:
    assert Driver().membership.close() is None


def test_close__previous_leave_unanswered__leave_sent_again() -> None:
    driver = Driver().stable()
    driver.membership.rejoin_as_new_member(driver.now)
    request = driver.membership.close()
    assert isinstance(request, ConsumerGroupHeartbeatRequest)
    assert (request.member_id, request.member_epoch) == ("m1", -2)


def test_poll__later_than_max_poll_interval__member_leaves_and_joins_with_the_next_poll() -> None:
    driver = Driver(None, max_poll_interval_ms=4_000).stable()
    driver.tick(4_000)
    driver.outputs += driver.membership.take()
    assert [type(output) for output in driver.outputs] == [Lost, SendRequest]
    assert driver.heartbeat().member_epoch == -1
    driver.nothing_new(-1)
    assert driver.membership.next_deadline_ms() is None
    driver.membership.polled(driver.now)
    assert driver.heartbeat().member_id == "m2"


# --- commits ----------------------------------------------------------------------------------------------------------


def test_commit__stale_member_epoch__heartbeat_at_once_and_membership_continues() -> None:
    driver = Driver().stable()
    identity = driver.membership.identity
    verdict = driver.membership.commit_refused(ErrorCode.STALE_MEMBER_EPOCH, identity, driver.now)
    assert verdict is CommitVerdict.STALE_EPOCH
    assert driver.heartbeat().member_epoch == 2
    assert driver.membership.partitions == at(0, 1)


def test_commit__static_member_unknown__heartbeat_at_once_and_partitions_kept() -> None:
    driver = Driver("i").stable()
    identity = driver.membership.identity
    verdict = driver.membership.commit_refused(ErrorCode.UNKNOWN_MEMBER_ID, identity, driver.now)
    assert verdict is CommitVerdict.STALE_EPOCH
    assert driver.heartbeat().member_id == identity.member_id
    assert driver.membership.partitions == at(0, 1)


def test_commit__dynamic_member_unknown__membership_lost() -> None:
    driver = Driver(None).stable()
    identity = driver.membership.identity
    verdict = driver.membership.commit_refused(ErrorCode.UNKNOWN_MEMBER_ID, identity, driver.now)
    assert verdict is CommitVerdict.RESET_IDENTITY
    assert driver.take(Lost).partitions == at(0, 1)


def test_commit__unknown_member_error_for_an_earlier_member_id__membership_continues() -> None:
    driver = Driver().stable()
    identity = Identity("m0", "i", 2)
    verdict = driver.membership.commit_refused(ErrorCode.UNKNOWN_MEMBER_ID, identity, driver.now)
    assert verdict is CommitVerdict.STALE_EPOCH
    assert driver.membership.take() == []
