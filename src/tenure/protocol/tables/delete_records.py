"""DeleteRecords (API key 21). Changes: flexible encoding (v2)."""

from tenure.protocol.schema import INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, TopicName

DELETE_RECORDS_REQUEST = MessageSchema(
    "DeleteRecordsRequest", key=21, versions="0-2", flexible="2+",
    fields=[
        Field("topics", ArrayOf(StructSchema("DeleteRecordsTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("DeleteRecordsPartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("offset", INT64),
            ]))),
        ]))),
        Field("timeout_ms", INT32),
    ],
)

DELETE_RECORDS_RESPONSE = MessageSchema(
    "DeleteRecordsResponse", key=21, versions="0-2", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("topics", ArrayOf(StructSchema("DeleteRecordsTopicResult", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("DeleteRecordsPartitionResult", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("low_watermark", INT64),
                Field("error_code", INT16),
            ]))),
        ]))),
    ],
)
