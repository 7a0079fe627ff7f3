"""ConsumerGroupHeartbeat (68). v1 subscriptions by regular expression; the member draws its id itself (KIP-1082)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, STRING, UUID, ArrayOf, Field, Message, Struct
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

TOPIC_PARTITIONS = Struct("HeartbeatTopicPartitions", [
    Field("topic_id", UUID, as_=TopicId),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])

CONSUMER_GROUP_HEARTBEAT_REQUEST = Message(
    "ConsumerGroupHeartbeatRequest", key=68, versions="0-1", flexible="0+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
        Field("member_epoch", INT32),
        Field("instance_id", NULLABLE_STRING, default=None, as_=InstanceId),
        Field("rack_id", NULLABLE_STRING, default=None),
        Field("rebalance_timeout_ms", INT32, default=-1),
        Field("subscribed_topic_names", ArrayOf(STRING), nullable="0+", default=None, as_=TopicName),
        Field("subscribed_topic_regex", NULLABLE_STRING, versions="1+", default=None),
        Field("server_assignor", NULLABLE_STRING, default=None),
        Field("topic_partitions", ArrayOf(TOPIC_PARTITIONS), nullable="0+", default=None),
    ],
)

CONSUMER_GROUP_HEARTBEAT_RESPONSE = Message(
    "ConsumerGroupHeartbeatResponse", key=68, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, default=None),
        Field("member_id", NULLABLE_STRING, default=None, as_=MemberId),
        Field("member_epoch", INT32),
        Field("heartbeat_interval_ms", INT32),
        Field("assignment", Struct("HeartbeatAssignment", [
            Field("topic_partitions", ArrayOf(TOPIC_PARTITIONS)),
        ]), nullable="0+", default=None),
    ],
)
