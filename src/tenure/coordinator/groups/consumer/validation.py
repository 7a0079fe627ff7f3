"""What is wrong with a ConsumerGroupHeartbeat before any group is looked at (rule 3.3). Messages are Kafka's."""

from collections.abc import Callable
from typing import Final

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer.member import JOINS, LEAVES_FOR_NOW
from tenure.coordinator.groups.settings import GroupSettings
from tenure.protocol.errors import ErrorCode

Row = tuple[Callable[[ConsumerHeartbeat], bool], str]


def _blank(text: str | None) -> bool:
    return text is not None and not text.strip()


ROWS: Final[tuple[Row, ...]] = (
    (lambda beat: _blank(beat.group_id), "GroupId can't be empty."),
    (lambda beat: _blank(beat.instance_id), "InstanceId can't be empty."),
    (lambda beat: _blank(beat.rack_id), "RackId can't be empty."),
    (
        lambda beat: _blank(beat.member_id) and (beat.draws_own_id or beat.member_epoch != JOINS),
        "MemberId can't be empty.",
    ),
    (lambda beat: beat.member_epoch < LEAVES_FOR_NOW, "MemberEpoch is invalid."),
    (
        lambda beat: beat.member_epoch == LEAVES_FOR_NOW and beat.instance_id is None,
        "InstanceId can't be null.",
    ),
)
"""What is wrong with a heartbeat of any kind, in Kafka's order."""

JOIN_ROWS: Final[tuple[Row, ...]] = (
    (
        lambda beat: beat.rebalance_timeout_ms == -1,
        "RebalanceTimeoutMs must be provided in first request.",
    ),
    (
        lambda beat: beat.owned is None or len(beat.owned) > 0,
        "TopicPartitions must be empty when (re-)joining.",
    ),
    (
        lambda beat: beat.subscribed_topic_names is None and beat.subscribed_topic_regex is None,
        "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.",
    ),
)

NO_REGULAR_EXPRESSIONS: Final = (
    "SubscribedTopicRegex can't be resolved by this version of the broker; subscribe to topics by their names."
)


def why_refused(beat: ConsumerHeartbeat, settings: GroupSettings) -> Refused | None:
    for is_wrong, message in (*ROWS, *(JOIN_ROWS if beat.member_epoch == JOINS else ())):
        if is_wrong(beat):
            return Refused(ErrorCode.INVALID_REQUEST, NO_MEMBER_ID, message)
    if beat.server_assignor is not None and beat.server_assignor not in settings.group_consumer_assignors:
        supported = ", ".join(settings.group_consumer_assignors)
        message = f"ServerAssignor {beat.server_assignor} is not supported. Supported assignors: {supported}."
        return Refused(ErrorCode.UNSUPPORTED_ASSIGNOR, NO_MEMBER_ID, message)
    if beat.subscribed_topic_regex:
        return Refused(ErrorCode.INVALID_REGULAR_EXPRESSION, NO_MEMBER_ID, NO_REGULAR_EXPRESSIONS)
    return None
