"""DescribeLogDirs (API key 35).

Changes: flexible encoding (v2), error code of the whole request (v3), size of the volume (v4, KIP-827), cordoned
directories (v5).
"""

from tenure.protocol.schema import BOOL, INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, TopicName

DESCRIBE_LOG_DIRS_REQUEST = MessageSchema(
    "DescribeLogDirsRequest", key=35, versions="1-5", flexible="2+",
    fields=[
        Field("topics", ArrayOf(StructSchema("DescribableLogDirTopic", [
            Field("topic", STRING, as_=TopicName),
            Field("partitions", ArrayOf(INT32), as_=PartitionId),
        ])), nullable="0+"),
    ],
)

DESCRIBE_LOG_DIRS_RESPONSE = MessageSchema(
    "DescribeLogDirsResponse", key=35, versions="1-5", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16, versions="3+", ignorable=True),
        Field("results", ArrayOf(StructSchema("DescribeLogDirsResult", [
            Field("error_code", INT16),
            Field("log_dir", STRING),
            Field("topics", ArrayOf(StructSchema("DescribeLogDirsTopic", [
                Field("name", STRING, as_=TopicName),
                Field("partitions", ArrayOf(StructSchema("DescribeLogDirsPartition", [
                    Field("partition_index", INT32, as_=PartitionId),
                    Field("partition_size", INT64),
                    Field("offset_lag", INT64),
                    Field("is_future_key", BOOL),
                ]))),
            ]))),
            Field("total_bytes", INT64, versions="4+", default=-1, ignorable=True),
            Field("usable_bytes", INT64, versions="4+", default=-1, ignorable=True),
            Field("is_cordoned", BOOL, versions="5+", ignorable=True),
        ]))),
    ],
)
