"""OffsetDelete (API key 47). All versions have the classic encoding.

In the response, the error code comes before the throttle time.
"""

from tenure.protocol.schema import INT16, INT32, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import GroupId, PartitionId, TopicName

OFFSET_DELETE_REQUEST = MessageSchema(
    "OffsetDeleteRequest", key=47, versions="0", flexible="none",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("topics", ArrayOf(StructSchema("OffsetDeleteRequestTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("OffsetDeleteRequestPartition", [
                Field("partition_index", INT32, as_=PartitionId),
            ]))),
        ]))),
    ],
)

OFFSET_DELETE_RESPONSE = MessageSchema(
    "OffsetDeleteResponse", key=47, versions="0", flexible="none",
    fields=[
        Field("error_code", INT16),
        Field("throttle_time_ms", INT32, ignorable=True),
        Field("topics", ArrayOf(StructSchema("OffsetDeleteResponseTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("OffsetDeleteResponsePartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
            ]))),
        ]))),
    ],
)
