"""OffsetDelete (API key 47). All versions have the classic encoding.

In the response, the error code comes before the throttle time.
"""

from tenure.protocol.schema import INT16, INT32, STRING, ArrayOf, Field, Message, Struct
from tenure.protocol.types import GroupId, PartitionId, TopicName

OFFSET_DELETE_REQUEST = Message(
    "OffsetDeleteRequest", key=47, versions="0", flexible="none",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("topics", ArrayOf(Struct("OffsetDeleteRequestTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(Struct("OffsetDeleteRequestPartition", [
                Field("partition_index", INT32, as_=PartitionId),
            ]))),
        ]))),
    ],
)

OFFSET_DELETE_RESPONSE = Message(
    "OffsetDeleteResponse", key=47, versions="0", flexible="none",
    fields=[
        Field("error_code", INT16),
        Field("throttle_time_ms", INT32, ignorable=True),
        Field("topics", ArrayOf(Struct("OffsetDeleteResponseTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(Struct("OffsetDeleteResponsePartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
            ]))),
        ]))),
    ],
)
