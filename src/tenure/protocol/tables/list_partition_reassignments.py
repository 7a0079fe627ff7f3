"""ListPartitionReassignments (API key 46, KIP-455)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, TopicName

LIST_PARTITION_REASSIGNMENTS_REQUEST = MessageSchema(
    "ListPartitionReassignmentsRequest", key=46, versions="0", flexible="0+",
    fields=[
        Field("timeout_ms", INT32, default=60_000),
        Field("topics", ArrayOf(StructSchema("ListPartitionReassignmentsTopics", [
            Field("name", STRING, as_=TopicName),
            Field("partition_indexes", ArrayOf(INT32), as_=PartitionId),
        ])), nullable="0+", default=None),
    ],
)

LIST_PARTITION_REASSIGNMENTS_RESPONSE = MessageSchema(
    "ListPartitionReassignmentsResponse", key=46, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("topics", ArrayOf(StructSchema("OngoingTopicReassignment", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("OngoingPartitionReassignment", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("replicas", ArrayOf(INT32)),
                Field("adding_replicas", ArrayOf(INT32)),
                Field("removing_replicas", ArrayOf(INT32)),
            ]))),
        ]))),
    ],
)
