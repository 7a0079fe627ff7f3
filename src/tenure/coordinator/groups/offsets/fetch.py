"""OffsetFetch (rule 2.15). Anybody may read: there is no member validation for classic groups."""

from itertools import groupby
from operator import itemgetter

from tenure.coordinator.groups.answers import Fetched, FetchedOffset, FetchedTopic
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import FetchOffsets, OffsetsWanted
from tenure.coordinator.groups.state import Groups, Offsets
from tenure.coordinator.shard import AskId, Now, Step
from tenure.protocol.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import ZERO_TOPIC_ID, PartitionId, TopicId


def fetch_offsets(groups: Groups, ask: AskId, fetch: FetchOffsets, now: Now) -> Step:  # noqa: ARG001
    group = groups.classic.get(fetch.group_id)
    offsets = {} if group is None or group.state is State.DEAD else groups.offsets.get(fetch.group_id, {})
    topics = _everything(offsets) if fetch.topics is None else [_wanted(offsets, wanted) for wanted in fetch.topics]
    return Step((), ((ask, Fetched(topics)),))


def _wanted(offsets: Offsets, wanted: OffsetsWanted) -> FetchedTopic:
    found = [
        _fetched(partition, offsets.get((wanted.topic, partition)), wanted.topic_id) for partition in wanted.partitions
    ]
    return FetchedTopic(wanted.topic, wanted.topic_id, found)


def _everything(offsets: Offsets) -> list[FetchedTopic]:
    """In order of topics and partitions."""
    fetched = []
    for topic, entries in groupby(sorted(offsets.items(), key=itemgetter(0)), key=lambda entry: entry[0][0]):
        found = [(partition, value) for (_, partition), value in entries]
        topic_id = found[-1][1].topic_id
        fetched.append(FetchedTopic(topic, topic_id, [_fetched(p, value, ZERO_TOPIC_ID) for p, value in found]))
    return fetched


def _fetched(partition: PartitionId, value: OffsetCommitValue | None, topic_id: TopicId) -> FetchedOffset:
    """A topic that was deleted and created again is another topic: its offsets are not this one's."""
    if value is None or (topic_id != ZERO_TOPIC_ID and value.topic_id not in (ZERO_TOPIC_ID, topic_id)):
        return FetchedOffset(partition)
    return FetchedOffset(partition, value.offset, value.leader_epoch, value.metadata)
