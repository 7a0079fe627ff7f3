"""Partitions of a commit: those that reach the group, and the results in the answer."""

import pytest

from tenure.broker.requests.partition_results import PartitionsToCommit
from tenure.coordinator.groups.answers import ALL_COMMITTED
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import OffsetCommitRequestPartition
from tenure.protocol.types import TopicId

TOPIC_ID = TopicId(b"i" * 16)
TOPIC = Topic("t", TOPIC_ID, 2)


@pytest.mark.parametrize(
    ("topic", "partition", "by_id", "error_code"),
    [
        (TOPIC, 1, False, ErrorCode.NONE),
        (TOPIC, 2, True, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (TOPIC, -1, False, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (None, 0, False, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (None, 0, True, ErrorCode.UNKNOWN_TOPIC_ID),
    ],
)
def test_offset_commit__existing_or_unknown_partition__only_an_existing_one_reaches_the_group(
    topic: Topic | None, partition: int, by_id: bool, error_code: ErrorCode
) -> None:
    commit = PartitionsToCommit(by_id=by_id)
    commit.add("t", topic, OffsetCommitRequestPartition(partition, 7))
    assert commit.results(ALL_COMMITTED) == [("t", partition, error_code)]
    assert [one.offset for one in commit.offsets] == ([] if error_code else [7])
