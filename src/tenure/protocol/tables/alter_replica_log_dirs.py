"""AlterReplicaLogDirs (API key 34). Changes: flexible encoding (v2)."""

from tenure.protocol.schema import INT16, INT32, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, TopicName

ALTER_REPLICA_LOG_DIRS_REQUEST = MessageSchema(
    "AlterReplicaLogDirsRequest", key=34, versions="1-2", flexible="2+",
    fields=[
        Field("dirs", ArrayOf(StructSchema("AlterReplicaLogDir", [
            Field("path", STRING),
            Field("topics", ArrayOf(StructSchema("AlterReplicaLogDirTopic", [
                Field("name", STRING, as_=TopicName),
                Field("partitions", ArrayOf(INT32), as_=PartitionId),
            ]))),
        ]))),
    ],
)

ALTER_REPLICA_LOG_DIRS_RESPONSE = MessageSchema(
    "AlterReplicaLogDirsResponse", key=34, versions="1-2", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(StructSchema("AlterReplicaLogDirTopicResult", [
            Field("topic_name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("AlterReplicaLogDirPartitionResult", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
            ]))),
        ]))),
    ],
)
