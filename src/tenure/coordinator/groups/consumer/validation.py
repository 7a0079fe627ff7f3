"""Checks of a ConsumerGroupHeartbeat that do not need its group (rule 3.3). Messages are Kafka's.

The answer has the first error in Kafka's order. Every heartbeat is checked. So for speed, the checks are a sequence of
conditions, not a table of functions.
"""

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.settings import GroupSettings
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS, LEAVES, LEAVES_FOR_NOW


def why_refused(beat: ConsumerHeartbeat, settings: GroupSettings) -> Refused | None:
    message = _why_invalid_request(beat)
    if message is None and beat.member_epoch == JOINS:
        message = _why_incomplete_join(beat)
    if message is not None:
        return Refused(ErrorCode.INVALID_REQUEST, NO_MEMBER_ID, message)
    if beat.server_assignor is not None and beat.server_assignor not in settings.group_consumer_assignors:
        supported = ", ".join(settings.group_consumer_assignors)
        message = f"ServerAssignor {beat.server_assignor} is not supported. Supported assignors: {supported}."
        return Refused(ErrorCode.UNSUPPORTED_ASSIGNOR, NO_MEMBER_ID, message)
    return None


def _why_invalid_request(beat: ConsumerHeartbeat) -> str | None:
    epoch = beat.member_epoch
    if (beat.draws_own_id or epoch > JOINS or epoch == LEAVES) and not beat.member_id.strip():
        return "MemberId can't be empty."
    if not beat.group_id.strip():
        return "GroupId can't be empty."
    if beat.instance_id is not None and not beat.instance_id.strip():
        return "InstanceId can't be empty."
    if beat.rack_id is not None and not beat.rack_id.strip():
        return "RackId can't be empty."
    if epoch < LEAVES_FOR_NOW:
        return "MemberEpoch is invalid."
    if epoch == LEAVES_FOR_NOW and beat.instance_id is None:
        return "InstanceId can't be null."
    return None


def _why_incomplete_join(beat: ConsumerHeartbeat) -> str | None:
    if beat.rebalance_timeout_ms == -1:
        return "RebalanceTimeoutMs must be provided in first request."
    if beat.owned is None or len(beat.owned) > 0:
        return "TopicPartitions must be empty when (re-)joining."
    if beat.subscribed_topic_names is None and beat.subscribed_topic_regex is None:
        return "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining."
    return None
