"""Group requests in every version: translation of requests and of the coordinator's answers."""

from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DeleteGroupsRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    JoinGroupResponse,
    LeaveGroupRequest,
    ListGroupsRequest,
    MemberIdentity,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName
from tests.broker.handlers.test_records import Topic
from tests.broker.wire import Wire
from tests.serving import Serving, serving

ZERO, NINE = PartitionId(0), PartitionId(9)
LONG_MS = 300_000
"""Session timeout so long that no member is removed before all tests have ended."""
UNKNOWN_TOPIC = TopicId(b"\x07" * 16)


def group_of(request: pytest.FixtureRequest) -> GroupId:
    return GroupId("g-" + request.node.name)


@pytest.fixture
def group_id(request: pytest.FixtureRequest) -> GroupId:
    return group_of(request)


def join(wire: Wire, group_id: str, member_id: str = "", version: int | None = None) -> JoinGroupResponse:
    protocols = [JoinGroupRequestProtocol("range", b"subscription")]
    request = JoinGroupRequest(GroupId(group_id), LONG_MS, LONG_MS, MemberId(member_id), None, "consumer", protocols)
    answer: JoinGroupResponse = wire.ask(request, version)
    return answer


def join_and_sync(wire: Wire, group_id: str, version: int | None = None) -> MemberId:
    """Let the only member of a group join generation 1 and sync; return its id."""
    answer = join(wire, group_id, version=version)
    if answer.error_code == ErrorCode.MEMBER_ID_REQUIRED:
        answer = join(wire, group_id, answer.member_id, version)
    assert (answer.error_code, answer.generation_id) == (0, 1)
    assignment = [SyncGroupRequestAssignment(answer.member_id, b"all of it")]
    synced = wire.ask(
        SyncGroupRequest(
            GroupId(group_id), GenerationId(1), answer.member_id, None, "consumer", "range", assignments=assignment
        )
    )
    assert (synced.error_code, synced.assignment) == (0, b"all of it")
    return answer.member_id


@pytest.mark.parametrize("version", range(10))
def test_join_group__first_member__is_leader_and_only_member_in_the_answer(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    answer = join(wire, group_id, version=version)
    assert (answer.error_code == ErrorCode.MEMBER_ID_REQUIRED) is (version >= 4)  # KIP-394
    if version >= 4:
        answer = join(wire, group_id, answer.member_id, version)
    assert (answer.error_code, answer.generation_id, answer.protocol_name) == (0, 1, "range")
    assert answer.leader == answer.member_id
    assert [(member.member_id, member.metadata) for member in answer.members] == [(answer.member_id, b"subscription")]


@pytest.mark.parametrize("version", range(10))
def test_join_group__unknown_member__unknown_member_id(wire: Wire, group_id: GroupId, version: int) -> None:
    answer = join(wire, group_id, "nobody", version)
    assert (answer.error_code, answer.generation_id, answer.member_id) == (ErrorCode.UNKNOWN_MEMBER_ID, -1, "nobody")
    assert answer.protocol_name == (None if version >= 7 else "")


@pytest.mark.parametrize("version", range(5))
def test_heartbeat__old_generation_or_unknown_member__refused(wire: Wire, group_id: GroupId, version: int) -> None:
    member_id = join_and_sync(wire, group_id)
    assert wire.ask(HeartbeatRequest(group_id, GenerationId(1), member_id), version).error_code == 0
    old = wire.ask(HeartbeatRequest(group_id, GenerationId(0), member_id), version)
    assert old.error_code == ErrorCode.ILLEGAL_GENERATION
    unknown = wire.ask(HeartbeatRequest(group_id, GenerationId(1), MemberId("nobody")), version)
    assert unknown.error_code == ErrorCode.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize("version", range(6))
def test_leave_group__existing_and_unknown_member__one_result_each(wire: Wire, group_id: GroupId, version: int) -> None:
    member_id = join_and_sync(wire, group_id)
    codes = []
    for leaver in (member_id, MemberId("nobody")):
        if version < 3:
            codes.append(wire.ask(LeaveGroupRequest(group_id, leaver), version).error_code)
        else:
            answer = wire.ask(LeaveGroupRequest(group_id, members=[MemberIdentity(leaver)]), version)
            assert answer.error_code == 0
            codes += [member.error_code for member in answer.members]
    assert codes == [0, ErrorCode.UNKNOWN_MEMBER_ID]


def test_leave_group__reason_with_a_line_feed__one_short_log_line(
    wire: Wire, broker: Serving, group_id: GroupId
) -> None:
    member_id = join_and_sync(wire, group_id)
    reason = "scaling\nin" + "x" * 1_000
    assert wire.ask(LeaveGroupRequest(group_id, members=[MemberIdentity(member_id, reason=reason)])).error_code == 0
    (line,) = [line for line in broker.log.splitlines() if group_id in line and member_id in line and "left" in line]
    assert f"group {group_id}: generation 1 ends" in line
    assert 'saying "scaling inxxx' in line
    assert len(line) < 600


@pytest.mark.parametrize("version", range(6))
def test_sync_group__wrong_generation__refused(wire: Wire, group_id: GroupId, version: int) -> None:
    member_id = join_and_sync(wire, group_id)
    kind, name = ("consumer", "range") if version >= 5 else (None, None)
    answer = wire.ask(SyncGroupRequest(group_id, GenerationId(7), member_id, None, kind, name), version)
    assert (answer.error_code, answer.assignment) == (ErrorCode.ILLEGAL_GENERATION, b"")


def commit(
    wire: Wire, group_id: GroupId, version: int, topics: list[OffsetCommitRequestTopic], generation_id: int = -1
) -> list[tuple[int, int]]:
    """Commit; return (partition, error code) in the order of the response."""
    answer = wire.ask(OffsetCommitRequest(group_id, generation_id, topics=topics), version)
    return [(part.partition_index, part.error_code) for topic in answer.topics for part in topic.partitions]


def commit_of(topic: Topic, version: int, *partitions: PartitionId, offset: int = 5) -> OffsetCommitRequestTopic:
    parts = [OffsetCommitRequestPartition(partition, offset, -1, "why") for partition in partitions]
    if version >= 10:
        return OffsetCommitRequestTopic(topic_id=topic.topic_id, partitions=parts)
    return OffsetCommitRequestTopic(topic.name, partitions=parts)


@pytest.mark.parametrize("version", range(2, 11))
def test_offset_commit__unknown_partition_beside_an_existing_one__error_of_the_unknown_one_comes_first(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    topic = Topic(wire, "offsets")
    assert commit(wire, group_id, version, [commit_of(topic, version, ZERO, NINE)]) == [
        (9, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (0, ErrorCode.NONE),
    ]
    topic.name, topic.topic_id = TopicName("never-was"), UNKNOWN_TOPIC
    unknown = ErrorCode.UNKNOWN_TOPIC_ID if version >= 10 else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert commit(wire, group_id, version, [commit_of(topic, version, ZERO)]) == [(0, unknown)]


@pytest.mark.parametrize("version", range(2, 11))
def test_offset_commit__group_does_not_exist__error_depends_on_version(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    refused = ErrorCode.GROUP_ID_NOT_FOUND if version >= 9 else ErrorCode.ILLEGAL_GENERATION
    topics = [commit_of(Topic(wire, "offsets"), version, ZERO)]
    assert commit(wire, group_id, version, topics, generation_id=3) == [(0, refused)]


@pytest.mark.parametrize("version", range(1, 8))
def test_offset_fetch__partition_with_and_without_a_commit__its_offset_or_minus_1(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    topic = Topic(wire, "offsets")
    commit(wire, group_id, 10, [commit_of(topic, 10, ZERO)])
    asked = [OffsetFetchRequestTopic(topic.name, [ZERO, NINE])]
    (found,) = wire.ask(OffsetFetchRequest(group_id, asked), version).topics
    assert [(p.partition_index, p.committed_offset, p.metadata) for p in found.partitions] == [
        (0, 5, "why"),
        (9, -1, ""),
    ]
    if version >= 2:
        (everything,) = wire.ask(OffsetFetchRequest(group_id, None), version).topics
        assert [(p.partition_index, p.committed_offset) for p in everything.partitions] == [(0, 5)]


@pytest.mark.parametrize("version", [8, 9, 10])
def test_offset_fetch__several_groups_in_one_request__offsets_of_each_group(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    topic = Topic(wire, "offsets")
    commit(wire, group_id, 10, [commit_of(topic, 10, ZERO)])
    by_id = version >= 10
    wanted = OffsetFetchRequestTopics(*(("", topic.topic_id) if by_id else (topic.name,)), partition_indexes=[ZERO])
    groups = [
        OffsetFetchRequestGroup(group_id, topics=[wanted]),
        OffsetFetchRequestGroup(group_id, topics=None),
        OffsetFetchRequestGroup(GroupId("nobody"), topics=[wanted]),
    ]
    answers = wire.ask(OffsetFetchRequest(groups=groups), version).groups
    assert [group.group_id for group in answers] == [group_id, group_id, "nobody"]
    assert [group.topics[0].partitions[0].committed_offset for group in answers] == [5, 5, -1]
    assert {group.topics[0].topic_id if by_id else group.topics[0].name for group in answers} == {
        topic.topic_id if by_id else topic.name
    }


def test_offset_fetch__unknown_and_known_topic_id__unknown_one_is_last_in_the_answer(
    wire: Wire, group_id: GroupId
) -> None:
    topic = Topic(wire, "offsets")
    topics = [
        OffsetFetchRequestTopics(topic_id=UNKNOWN_TOPIC, partition_indexes=[ZERO]),
        OffsetFetchRequestTopics(topic_id=topic.topic_id, partition_indexes=[ZERO]),
    ]
    (group,) = wire.ask(OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id, topics=topics)])).groups
    assert [(t.topic_id, t.partitions[0].error_code) for t in group.topics] == [
        (topic.topic_id, 0),
        (UNKNOWN_TOPIC, ErrorCode.UNKNOWN_TOPIC_ID),
    ]


@pytest.mark.parametrize("version", range(7))
def test_describe_groups__existing_and_unknown_group__error_depends_on_version(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    member_id = join_and_sync(wire, group_id)
    operations = version >= 3
    there, missing = wire.ask(DescribeGroupsRequest([group_id, GroupId("nobody")], operations), version).groups
    assert (there.error_code, there.group_state, there.protocol_data) == (0, "Stable", "range")
    (member,) = there.members
    assert (member.member_id, member.client_id, member.client_host) == (member_id, "wire", "/127.0.0.1")
    assert (member.member_metadata, member.member_assignment) == (b"subscription", b"all of it")
    assert there.authorized_operations == (3400 if operations else -(2**31))
    assert missing.group_state == "Dead"
    assert missing.error_code == (ErrorCode.GROUP_ID_NOT_FOUND if version >= 6 else 0)


@pytest.mark.parametrize("version", range(6))
def test_list_groups__filters_of_state_and_type__only_matching_groups(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    join_and_sync(wire, group_id)
    listed = {group.group_id: group for group in wire.ask(ListGroupsRequest(), version).groups}
    assert listed[group_id].protocol_type == "consumer"
    if version >= 4:
        assert listed[group_id].group_state == "Stable"
        assert group_id not in [g.group_id for g in wire.ask(ListGroupsRequest(["Empty"]), version).groups]
    if version >= 5:
        assert listed[group_id].group_type == "classic"
        assert wire.ask(ListGroupsRequest([], ["consumer"]), version).groups == []


@pytest.mark.parametrize("version", range(3))
def test_delete_groups__empty_group_group_with_members_and_unknown_group__one_result_each(
    wire: Wire, group_id: GroupId, version: int
) -> None:
    empty = GroupId(f"{group_id}-empty")
    join_and_sync(wire, group_id)
    commit(wire, empty, 10, [commit_of(Topic(wire, "offsets"), 10, ZERO)])
    asked = [empty, group_id, GroupId("nobody"), empty]
    results = {r.group_id: r.error_code for r in wire.ask(DeleteGroupsRequest(asked), version).results}
    assert results == {empty: 0, group_id: ErrorCode.NON_EMPTY_GROUP, "nobody": ErrorCode.GROUP_ID_NOT_FOUND}


def delete_offsets(wire: Wire, group_id: str, topic: str, *partitions: PartitionId) -> object:
    """Delete offsets; return the error of the request, or (partition, error code) in the order of the response."""
    asked = OffsetDeleteRequestTopic(TopicName(topic), [OffsetDeleteRequestPartition(p) for p in partitions])
    answer = wire.ask(OffsetDeleteRequest(GroupId(group_id), [asked]))
    found = [(part.partition_index, part.error_code) for topic in answer.topics for part in topic.partitions]
    return answer.error_code or found


def test_offset_delete__unknown_partition_beside_a_committed_one__error_of_the_unknown_one_comes_first(
    wire: Wire, group_id: GroupId
) -> None:
    topic = Topic(wire, "offsets")
    commit(wire, group_id, 10, [commit_of(topic, 10, ZERO)])
    nine = (9, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    assert delete_offsets(wire, group_id, topic.name, ZERO, NINE) == [nine, (0, ErrorCode.NONE)]
    assert delete_offsets(wire, group_id, topic.name, ZERO) == [(0, ErrorCode.NONE)]
    assert delete_offsets(wire, group_id, "never-was", NINE) == [nine]
    assert wire.ask(OffsetFetchRequest(group_id, None), 7).topics == []


def test_offset_delete__group_unknown_or_subscribed_to_the_topic__refused(wire: Wire, group_id: GroupId) -> None:
    topic = Topic(wire, "offsets")
    assert delete_offsets(wire, "nobody", topic.name, ZERO) == ErrorCode.GROUP_ID_NOT_FOUND
    assert delete_offsets(wire, "", topic.name, ZERO) == ErrorCode.INVALID_GROUP_ID
    join_and_sync(wire, group_id)
    assert delete_offsets(wire, group_id, topic.name, ZERO) == [(0, ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC)]


def test_offset_commit__retention_time_of_1_ms__offsets_and_empty_group_removed(tmp_path: Path) -> None:
    """Expire the offsets and remove the group: versions 2-4 contain the retention time (rule 6.4.5)."""
    group_id = GroupId("g")
    with serving(tmp_path, "offsets.retention.check.interval.ms=50") as broker, Wire(broker) as wire:
        topics = [commit_of(Topic(wire, "offsets"), 4, ZERO)]
        request = OffsetCommitRequest(group_id, retention_time_ms=1, topics=topics)
        assert wire.ask(request, 4).topics[0].partitions[0].error_code == 0
        while wire.ask(DescribeGroupsRequest([group_id])).groups[0].error_code != ErrorCode.GROUP_ID_NOT_FOUND:
            pass


def test_static_member__joins_again_with_a_new_member_id__old_member_id_is_fenced(
    wire: Wire, group_id: GroupId
) -> None:
    """Fence the old id in every API (rules 2.6, 2.10, 2.13)."""
    seat = InstanceId("web-1")
    protocols = [JoinGroupRequestProtocol("range", b"")]
    asked = JoinGroupRequest(group_id, LONG_MS, LONG_MS, MemberId(""), seat, "consumer", protocols)
    old = wire.ask(asked)
    assignment = [SyncGroupRequestAssignment(old.member_id, b"seat")]
    wire.ask(
        SyncGroupRequest(group_id, GenerationId(1), old.member_id, seat, "consumer", "range", assignments=assignment)
    )
    new = wire.ask(asked)
    assert (new.generation_id, new.member_id != old.member_id) == (1, True)
    beat = wire.ask(HeartbeatRequest(group_id, GenerationId(1), old.member_id, seat))
    assert beat.error_code == ErrorCode.FENCED_INSTANCE_ID
    topics = [commit_of(Topic(wire, "offsets"), 10, ZERO)]
    late = OffsetCommitRequest(group_id, 1, old.member_id, seat, topics=topics)
    assert wire.ask(late).topics[0].partitions[0].error_code == ErrorCode.FENCED_INSTANCE_ID
    fresh = OffsetCommitRequest(group_id, 1, new.member_id, seat, topics=topics)
    assert wire.ask(fresh).topics[0].partitions[0].error_code == ErrorCode.NONE
