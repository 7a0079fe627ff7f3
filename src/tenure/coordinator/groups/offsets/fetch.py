"""OffsetFetch (rules 2.15, 3.10).

Any client may read the offsets of a group. A request that names a member of a consumer group must contain the present
epoch of this member, because the member will continue from these offsets.
"""

from itertools import groupby
from operator import itemgetter

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.answers import Fetched, FetchedOffset, FetchedTopic
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import FetchOffsets, OffsetsWanted
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.state import AnyGroup, EpochGroup, Groups, Offsets
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID, PartitionId, TopicId


def fetch_offsets(groups: Groups, ask: AskId, group: AnyGroup | None, fetch: FetchOffsets, _: Now) -> CoordinatorResult:
    if group is None or isinstance(group, ClassicGroup):
        is_there = group is not None and group.state is not State.DEAD
    else:
        is_there = True
        error_code = _why_refused(group, fetch)
        if error_code is not None:
            return refuse(ask, error_code)
    offsets = groups.offsets.get(fetch.group_id, {}) if is_there else {}
    topics = (
        _everything(groups.topics(), offsets)
        if fetch.topics is None
        else [_wanted(offsets, wanted) for wanted in fetch.topics]
    )
    if fetch.require_stable and fetch.group_id in groups.pending.by_group:
        topics = _stable(groups, fetch, topics)
    return CoordinatorResult((), ((ask, Fetched(topics)),))


def _stable(groups: Groups, fetch: FetchOffsets, topics: list[FetchedTopic]) -> list[FetchedTopic]:
    """Return `topics` with UNSTABLE_OFFSET_COMMIT for each offset that an open transaction may change (rule 8.6.1).

    If the request is for all offsets, a partition that has only pending offsets is left out.
    """
    pending = set(groups.pending.partitions(fetch.group_id))
    return [
        FetchedTopic(
            topic.topic,
            topic.topic_id,
            [
                _unstable(each.partition) if (topic.topic, each.partition) in pending else each
                for each in topic.partitions
            ],
        )
        for topic in topics
    ]


def _unstable(partition: PartitionId) -> FetchedOffset:
    return FetchedOffset(partition, error_code=ErrorCode.UNSTABLE_OFFSET_COMMIT)


def _why_refused(group: EpochGroup, fetch: FetchOffsets) -> ErrorCode | None:
    """Return the error of a fetch by a member; None if it is accepted.

    The epoch must equal the member's. (A commit, in contrast, may have an older epoch.)
    """
    if fetch.member_id is None:
        return None if fetch.member_epoch < 0 else ErrorCode.UNKNOWN_SERVER_ERROR
    member = group.members.get(fetch.member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if fetch.member_epoch == member.member_epoch:
        return None
    is_classic = isinstance(member, Member) and member.classic is not None
    return ErrorCode.ILLEGAL_GENERATION if is_classic else ErrorCode.STALE_MEMBER_EPOCH


def _wanted(offsets: Offsets, wanted: OffsetsWanted) -> FetchedTopic:
    found = [
        _fetched(partition, offsets.get((wanted.topic, partition)), wanted.topic_id) for partition in wanted.partitions
    ]
    return FetchedTopic(wanted.topic, wanted.topic_id, found)


def _everything(topics: Topics, offsets: Offsets) -> list[FetchedTopic]:
    """Return all offsets of the group, sorted by topic and partition.

    A topic whose last offset was committed without a topic id gets the id that it has now.
    """
    fetched = []
    for topic, entries in groupby(sorted(offsets.items(), key=itemgetter(0)), key=lambda entry: entry[0][0]):
        found = [(partition, value) for (_, partition), value in entries]
        topic_id, known = found[-1][1].topic_id, topics.named(topic)
        if topic_id == ZERO_TOPIC_ID and known is not None:
            topic_id = known.topic_id
        fetched.append(FetchedTopic(topic, topic_id, [_fetched(p, value, ZERO_TOPIC_ID) for p, value in found]))
    return fetched


def _fetched(partition: PartitionId, value: OffsetCommitValue | None, topic_id: TopicId) -> FetchedOffset:
    """Return a committed offset in the form of the answer.

    The offset counts as missing if its topic was deleted and created again since the commit.
    """
    if value is None or (topic_id != ZERO_TOPIC_ID and value.topic_id not in (ZERO_TOPIC_ID, topic_id)):
        return FetchedOffset(partition)
    return FetchedOffset(partition, value.offset, value.leader_epoch, value.metadata)
