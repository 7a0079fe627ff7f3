"""Records of `__cluster_metadata`: brokers, topics, configs, quotas, credentials, ACLs, features, producer id blocks.

All versions have the flexible encoding.
"""

from tenure.protocol.schema import (
    BOOL,
    BYTES,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    UINT16,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import BrokerId, PartitionId, ProducerId, TopicId, TopicName

REGISTER_BROKER_RECORD = MessageSchema(
    "RegisterBrokerRecord", key=0, versions="0-4", flexible="0+",
    fields=[
        Field("broker_id", INT32, as_=BrokerId),
        Field("is_migrating_zk_broker", BOOL, versions="2+"),
        Field("incarnation_id", UUID),
        Field("broker_epoch", INT64),
        Field("end_points", ArrayOf(StructSchema("BrokerEndpoint", [
            Field("name", STRING),
            Field("host", STRING),
            Field("port", UINT16),
            Field("security_protocol", INT16),
        ]))),
        Field("features", ArrayOf(StructSchema("BrokerFeature", [
            Field("name", STRING),
            Field("min_supported_version", INT16),
            Field("max_supported_version", INT16),
        ]))),
        Field("rack", NULLABLE_STRING),
        Field("fenced", BOOL, default=True),
        Field("in_controlled_shutdown", BOOL, versions="1+"),
        Field("log_dirs", ArrayOf(UUID), versions="3+", tag=0),
        Field("cordoned_log_dirs", ArrayOf(UUID), versions="4+", nullable="4+", default=None, tag=1),
    ],
)

UNREGISTER_BROKER_RECORD = MessageSchema(
    "UnregisterBrokerRecord", key=1, versions="0", flexible="0+",
    fields=[
        Field("broker_id", INT32, as_=BrokerId),
        Field("broker_epoch", INT64),
    ],
)

TOPIC_RECORD = MessageSchema(
    "TopicRecord", key=2, versions="0", flexible="0+",
    fields=[
        Field("name", STRING, as_=TopicName),
        Field("topic_id", UUID, as_=TopicId),
    ],
)

PARTITION_RECORD = MessageSchema(
    "PartitionRecord", key=3, versions="0-2", flexible="0+",
    fields=[
        Field("partition_id", INT32, default=-1, as_=PartitionId),
        Field("topic_id", UUID, as_=TopicId),
        Field("replicas", ArrayOf(INT32), as_=BrokerId),
        Field("isr", ArrayOf(INT32), as_=BrokerId),
        Field("removing_replicas", ArrayOf(INT32), as_=BrokerId),
        Field("adding_replicas", ArrayOf(INT32), as_=BrokerId),
        Field("leader", INT32, default=-1, as_=BrokerId),
        Field("leader_recovery_state", INT8, tag=0),
        Field("leader_epoch", INT32, default=-1),
        Field("partition_epoch", INT32, default=-1),
        Field("directories", ArrayOf(UUID), versions="1+"),
        Field(
            "eligible_leader_replicas", ArrayOf(INT32), versions="2+", nullable="2+", default=None, tag=1, as_=BrokerId,
        ),
        Field("last_known_elr", ArrayOf(INT32), versions="2+", nullable="2+", default=None, tag=2, as_=BrokerId),
    ],
)

CONFIG_RECORD = MessageSchema(
    "ConfigRecord", key=4, versions="0", flexible="0+",
    fields=[
        Field("resource_type", INT8),
        Field("resource_name", STRING),
        Field("name", STRING),
        Field("value", NULLABLE_STRING),
    ],
)

PARTITION_CHANGE_RECORD = MessageSchema(
    "PartitionChangeRecord", key=5, versions="0-2", flexible="0+",
    fields=[
        Field("partition_id", INT32, default=-1, as_=PartitionId),
        Field("topic_id", UUID, as_=TopicId),
        Field("isr", ArrayOf(INT32), nullable="0+", default=None, tag=0, as_=BrokerId),
        Field("leader", INT32, default=-2, tag=1, as_=BrokerId),
        Field("replicas", ArrayOf(INT32), nullable="0+", default=None, tag=2, as_=BrokerId),
        Field("removing_replicas", ArrayOf(INT32), nullable="0+", default=None, tag=3, as_=BrokerId),
        Field("adding_replicas", ArrayOf(INT32), nullable="0+", default=None, tag=4, as_=BrokerId),
        Field("leader_recovery_state", INT8, default=-1, tag=5),
        Field("directories", ArrayOf(UUID), versions="1+", nullable="1+", default=None, tag=8),
        Field(
            "eligible_leader_replicas", ArrayOf(INT32), versions="2+", nullable="2+", default=None, tag=6, as_=BrokerId,
        ),
        Field("last_known_elr", ArrayOf(INT32), versions="2+", nullable="2+", default=None, tag=7, as_=BrokerId),
    ],
)

FENCE_BROKER_RECORD = MessageSchema(
    "FenceBrokerRecord", key=7, versions="0", flexible="0+",
    fields=[
        Field("id", INT32, as_=BrokerId),
        Field("epoch", INT64),
    ],
)

UNFENCE_BROKER_RECORD = MessageSchema(
    "UnfenceBrokerRecord", key=8, versions="0", flexible="0+",
    fields=[
        Field("id", INT32, as_=BrokerId),
        Field("epoch", INT64),
    ],
)

REMOVE_TOPIC_RECORD = MessageSchema(
    "RemoveTopicRecord", key=9, versions="0", flexible="0+",
    fields=[
        Field("topic_id", UUID, as_=TopicId),
    ],
)

USER_SCRAM_CREDENTIAL_RECORD = MessageSchema(
    "UserScramCredentialRecord", key=11, versions="0", flexible="0+",
    fields=[
        Field("name", STRING),
        Field("mechanism", INT8),
        Field("salt", BYTES),
        Field("stored_key", BYTES),
        Field("server_key", BYTES),
        Field("iterations", INT32),
    ],
)

FEATURE_LEVEL_RECORD = MessageSchema(
    "FeatureLevelRecord", key=12, versions="0", flexible="0+",
    fields=[
        Field("name", STRING),
        Field("feature_level", INT16),
    ],
)

CLIENT_QUOTA_RECORD = MessageSchema(
    "ClientQuotaRecord", key=14, versions="0", flexible="0+",
    fields=[
        Field("entity", ArrayOf(StructSchema("ClientQuotaEntity", [
            Field("entity_type", STRING),
            Field("entity_name", NULLABLE_STRING),
        ]))),
        Field("key", STRING),
        Field("value", FLOAT64),
        Field("remove", BOOL),
    ],
)

PRODUCER_IDS_RECORD = MessageSchema(
    "ProducerIdsRecord", key=15, versions="0", flexible="0+",
    fields=[
        Field("broker_id", INT32, as_=BrokerId),
        Field("broker_epoch", INT64, default=-1),
        Field("next_producer_id", INT64, as_=ProducerId),
    ],
)

BROKER_REGISTRATION_CHANGE_RECORD = MessageSchema(
    "BrokerRegistrationChangeRecord", key=17, versions="0-3", flexible="0+",
    fields=[
        Field("broker_id", INT32, as_=BrokerId),
        Field("broker_epoch", INT64),
        Field("fenced", INT8, tag=0),
        Field("in_controlled_shutdown", INT8, versions="1+", tag=1),
        Field("log_dirs", ArrayOf(UUID), versions="2+", tag=2),
        Field("cordoned_log_dirs", ArrayOf(UUID), versions="3+", nullable="3+", default=None, tag=3),
    ],
)

ACCESS_CONTROL_ENTRY_RECORD = MessageSchema(
    "AccessControlEntryRecord", key=18, versions="0", flexible="0+",
    fields=[
        Field("id", UUID),
        Field("resource_type", INT8),
        Field("resource_name", STRING),
        Field("pattern_type", INT8),
        Field("principal", STRING),
        Field("host", STRING),
        Field("operation", INT8),
        Field("permission_type", INT8),
    ],
)

REMOVE_ACCESS_CONTROL_ENTRY_RECORD = MessageSchema(
    "RemoveAccessControlEntryRecord", key=19, versions="0", flexible="0+",
    fields=[
        Field("id", UUID),
    ],
)

NO_OP_RECORD = MessageSchema(
    "NoOpRecord", key=20, versions="0", flexible="0+",
    fields=[],
)

REMOVE_USER_SCRAM_CREDENTIAL_RECORD = MessageSchema(
    "RemoveUserScramCredentialRecord", key=22, versions="0", flexible="0+",
    fields=[
        Field("name", STRING),
        Field("mechanism", INT8),
    ],
)

BEGIN_TRANSACTION_RECORD = MessageSchema(
    "BeginTransactionRecord", key=23, versions="0", flexible="0+",
    fields=[
        Field("name", NULLABLE_STRING, default=None, tag=0),
    ],
)

END_TRANSACTION_RECORD = MessageSchema(
    "EndTransactionRecord", key=24, versions="0", flexible="0+",
    fields=[],
)

ABORT_TRANSACTION_RECORD = MessageSchema(
    "AbortTransactionRecord", key=25, versions="0", flexible="0+",
    fields=[
        Field("reason", NULLABLE_STRING, default=None, tag=0),
    ],
)

REGISTER_CONTROLLER_RECORD = MessageSchema(
    "RegisterControllerRecord", key=27, versions="0", flexible="0+",
    fields=[
        Field("controller_id", INT32, as_=BrokerId),
        Field("incarnation_id", UUID),
        Field("zk_migration_ready", BOOL),
        Field("end_points", ArrayOf(StructSchema("ControllerEndpoint", [
            Field("name", STRING),
            Field("host", STRING),
            Field("port", UINT16),
            Field("security_protocol", INT16),
        ]))),
        Field("features", ArrayOf(StructSchema("ControllerFeature", [
            Field("name", STRING),
            Field("min_supported_version", INT16),
            Field("max_supported_version", INT16),
        ]))),
    ],
)

CLEAR_ELR_RECORD = MessageSchema(
    "ClearElrRecord", key=28, versions="0", flexible="0+",
    fields=[
        Field("topic_name", STRING, as_=TopicName),
    ],
)
