"""Requests of the authorization matrix, and the ACLs of the clients that send them.

Without authentication all clients have the same principal, so each client has an address of its own. The ACLs of an
address are one situation: one operation on one type of resource is allowed or refused in one way. The client may use
resources of other types, except for the cluster. Every request is sent from each address that concerns one of its types
of resources.
"""

# ruff: noqa: ARG001, ARG005 - all requests are made of the same parameters

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from tenure.protocol import messages as m
from tenure.protocol.acls import CLUSTER_NAME, Acl, AclOperation, PatternType, Permission, ResourceType
from tenure.protocol.apis import ApiKey
from tenure.protocol.batches import encode_batch
from tenure.protocol.records import Record
from tests.kafka_versions import versions_in_kafka

TOPIC, GROUP, CLUSTER = ResourceType.TOPIC, ResourceType.GROUP, ResourceType.CLUSTER
TXN = ResourceType.TRANSACTIONAL_ID

EXISTING: Final = "team-topic"
MISSING: Final = "team-missing"
"""Name of a topic that never exists; no request creates it."""
THE_GROUP: Final = "team-group"
TRANSACTION: Final = "team-transaction"
ADMINISTRATOR: Final = "127.0.0.2"
"""Address whose client may do everything."""


class Ids(NamedTuple):
    """Ids of topics on one broker."""

    existing: bytes
    unknown: bytes = bytes(15) + b"\x07"


Build = Callable[[int, Ids], Any]


class Row(NamedTuple):
    """A request, by API, and the types of resources that it concerns; `build(version, ids)` makes it."""

    api: ApiKey
    types: tuple[ResourceType, ...]
    build: Build
    versions: range | None = None
    """Versions to send; None for all that both brokers offer."""


def by_name_or_id(kind: Any, since: int, version: int, ids: Ids, **others: Any) -> list[Any]:
    """Return an entry for an existing topic and one for another topic, by name or, since version `since`, by id."""
    if version >= since:
        return [kind(topic_id=topic_id, **others) for topic_id in ids]
    return [kind(name=name, **others) for name in (EXISTING, MISSING)]


def offset_commit(version: int, ids: Ids) -> m.OffsetCommitRequest:
    partitions = [m.OffsetCommitRequestPartition(index, 1) for index in (0, 9)]
    topics = by_name_or_id(m.OffsetCommitRequestTopic, 10, version, ids, partitions=partitions)
    return m.OffsetCommitRequest(THE_GROUP, topics=topics)


def offset_fetch(version: int, ids: Ids, *, of_all: bool = False) -> m.OffsetFetchRequest:
    if version < 8:
        named = [m.OffsetFetchRequestTopic(name=name, partition_indexes=[0]) for name in (EXISTING, MISSING)]
        return m.OffsetFetchRequest(THE_GROUP, None if of_all else named)
    topics = by_name_or_id(m.OffsetFetchRequestTopics, 10, version, ids, partition_indexes=[0])
    return m.OffsetFetchRequest(groups=[m.OffsetFetchRequestGroup(THE_GROUP, topics=None if of_all else topics)])


def produce(version: int, ids: Ids) -> m.ProduceRequest:
    batch = encode_batch([Record(0, 1_700_000_000_000, None, b"value")])
    data = [m.PartitionProduceData(0, batch)]
    return m.ProduceRequest(None, 1, 10_000, by_name_or_id(m.TopicProduceData, 13, version, ids, partition_data=data))


def transactional_produce(version: int, ids: Ids) -> m.ProduceRequest:
    batch = encode_batch([Record(0, 1_700_000_000_000, None, b"value")], producer_id=77, producer_epoch=0,
                         base_sequence=0, is_transactional=True)  # fmt: skip
    data = [m.PartitionProduceData(0, batch)]
    topics = by_name_or_id(m.TopicProduceData, 13, version, ids, partition_data=data)[:1]
    return m.ProduceRequest(TRANSACTION, -1, 10_000, topics)


def fetch(version: int, ids: Ids, replica_id: int = -1) -> m.FetchRequest:
    partitions = [m.FetchPartition(0, partition_max_bytes=1000)]
    topics = [
        m.FetchTopic(name if version < 13 else "", topic_id if version >= 13 else bytes(16), partitions)
        for name, topic_id in zip((EXISTING, MISSING), ids, strict=True)
    ]
    return m.FetchRequest(replica_id=replica_id, max_wait_ms=0, topics=topics)


def metadata(version: int, ids: Ids, *, of_all: bool = False) -> m.MetadataRequest:
    topics: Any = [m.MetadataRequestTopic(name=name) for name in (EXISTING, MISSING)]
    if of_all:
        topics = [] if version == 0 else None
    asks = version >= 8
    return m.MetadataRequest(topics, version < 4, 8 <= version <= 10, asks)


def add_partitions(version: int, ids: Ids) -> m.AddPartitionsToTxnRequest:
    topics = [m.AddPartitionsToTxnTopic(EXISTING, [0])]
    if version >= 4:
        return m.AddPartitionsToTxnRequest([m.AddPartitionsToTxnTransaction(TRANSACTION, 77, 0, False, topics)])
    return m.AddPartitionsToTxnRequest([], TRANSACTION, 77, 0, topics)


def txn_offset_commit(version: int, ids: Ids) -> m.TxnOffsetCommitRequest:
    partitions = [m.TxnOffsetCommitRequestPartition(0, 1)]
    topics = by_name_or_id(m.TxnOffsetCommitRequestTopic, 6, version, ids, partitions=partitions)
    return m.TxnOffsetCommitRequest(TRANSACTION, THE_GROUP, 77, 0, topics=topics)


def delete_topics(version: int, ids: Ids) -> m.DeleteTopicsRequest:
    if version < 6:
        return m.DeleteTopicsRequest(topic_names=[MISSING], timeout_ms=1000)
    return m.DeleteTopicsRequest([m.DeleteTopicState(MISSING), m.DeleteTopicState(None, ids.unknown)], timeout_ms=1000)


def leave(version: int, ids: Ids) -> m.LeaveGroupRequest:
    if version < 3:
        return m.LeaveGroupRequest(THE_GROUP, "nobody")
    return m.LeaveGroupRequest(THE_GROUP, members=[m.MemberIdentity("nobody")])


def coordinators(kind: int, key: str) -> Build:
    return lambda version, ids: (
        m.FindCoordinatorRequest("", kind, [key]) if version >= 4 else m.FindCoordinatorRequest(key, kind)
    )


def configs_of(kind: int, name: str) -> Build:
    return lambda version, ids: m.DescribeConfigsRequest([m.DescribeConfigsResource(kind, name, ["retention.ms"])])


def alter_configs_of(kind: int, name: str) -> Build:
    return lambda version, ids: m.AlterConfigsRequest([m.AlterConfigsResource(kind, name, [])], validate_only=True)


def increment_configs_of(kind: int, name: str) -> Build:
    return lambda version, ids: m.IncrementalAlterConfigsRequest(
        [m.IncrementalAlterConfigsResource(kind, name, [])], validate_only=True
    )


def marker(version: int, ids: Ids) -> m.WriteTxnMarkersRequest:
    topics = [m.WritableTxnMarkerTopic(MISSING, [0])]
    return m.WriteTxnMarkersRequest([m.WritableTxnMarker(77, 0, False, topics)])


K = ApiKey
ANYWHERE: Final = (TOPIC, CLUSTER)
ROWS: Final = (
    # --- groups -------------------------------------------------------------------------------------------------------
    Row(K.HEARTBEAT, (GROUP,), lambda version, ids: m.HeartbeatRequest(THE_GROUP, 1, "nobody")),
    Row(K.JOIN_GROUP, (GROUP,), lambda version, ids: m.JoinGroupRequest(THE_GROUP, 1, 1, "", protocol_type="consumer")),
    Row(K.SYNC_GROUP, (GROUP,), lambda version, ids: m.SyncGroupRequest(
        THE_GROUP, 1, "nobody", None, "consumer" if version >= 5 else None, "range" if version >= 5 else None)),
    Row(K.LEAVE_GROUP, (GROUP,), leave),
    Row(K.OFFSET_COMMIT, (GROUP, TOPIC), offset_commit),
    Row(K.OFFSET_FETCH, (GROUP, TOPIC), offset_fetch),
    Row(K.OFFSET_FETCH, (GROUP, TOPIC), lambda version, ids: offset_fetch(version, ids, of_all=True), range(2, 11)),
    Row(K.FIND_COORDINATOR, (GROUP,), coordinators(0, THE_GROUP)),
    Row(K.FIND_COORDINATOR, (TXN,), coordinators(1, TRANSACTION), range(1, 7)),
    Row(K.DESCRIBE_GROUPS, (GROUP,), lambda version, ids: m.DescribeGroupsRequest([THE_GROUP], version >= 3)),
    Row(K.LIST_GROUPS, (GROUP, CLUSTER), lambda version, ids: m.ListGroupsRequest()),
    Row(K.DELETE_GROUPS, (GROUP,), lambda version, ids: m.DeleteGroupsRequest(["team-nobody"])),
    Row(K.OFFSET_DELETE, (GROUP, TOPIC), lambda version, ids: m.OffsetDeleteRequest(
        THE_GROUP, [m.OffsetDeleteRequestTopic(name, [m.OffsetDeleteRequestPartition(5)])
                    for name in (EXISTING, MISSING)])),
    Row(K.CONSUMER_GROUP_HEARTBEAT, (GROUP, TOPIC), lambda version, ids: m.ConsumerGroupHeartbeatRequest(
        "team-new", "nobody", 1, subscribed_topic_names=[EXISTING, MISSING])),
    Row(K.CONSUMER_GROUP_DESCRIBE, (GROUP,), lambda version, ids: m.ConsumerGroupDescribeRequest(["team-new"], True)),
    Row(K.STREAMS_GROUP_HEARTBEAT, (GROUP, TOPIC), lambda version, ids: m.StreamsGroupHeartbeatRequest(
        "team-new", "nobody", 1, topology=m.StreamsHeartbeatTopology(0, [
            m.StreamsHeartbeatSubtopology("0", [EXISTING, MISSING])]))),
    Row(K.STREAMS_GROUP_DESCRIBE, (GROUP,), lambda version, ids: m.StreamsGroupDescribeRequest(["team-new"], True)),
    Row(K.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE, (GROUP,),
        lambda version, ids: m.StreamsGroupTopologyDescriptionUpdateRequest(
            "team-new", "nobody", 0, m.TopologyDescription())),
    # --- records ------------------------------------------------------------------------------------------------------
    Row(K.PRODUCE, (TOPIC,), produce),
    Row(K.PRODUCE, (TXN, TOPIC), transactional_produce, range(3, 13)),
    Row(K.FETCH, ANYWHERE, fetch),
    Row(K.LIST_OFFSETS, (TOPIC,), lambda version, ids: m.ListOffsetsRequest(
        -1, 0, [m.ListOffsetsTopic(name, [m.ListOffsetsPartition(0, timestamp=-1)]) for name in (EXISTING, MISSING)])),
    Row(K.OFFSET_FOR_LEADER_EPOCH, ANYWHERE, lambda version, ids: m.OffsetForLeaderEpochRequest(
        topics=[m.OffsetForLeaderTopic(name, [m.OffsetForLeaderPartition(0, leader_epoch=0)])
                for name in (EXISTING, MISSING)])),
    Row(K.DELETE_RECORDS, (TOPIC,), lambda version, ids: m.DeleteRecordsRequest(
        [m.DeleteRecordsTopic(name, [m.DeleteRecordsPartition(0, 0)]) for name in (EXISTING, MISSING)], 1000)),
    Row(K.DESCRIBE_PRODUCERS, (TOPIC,), lambda version, ids: m.DescribeProducersRequest(
        [m.DescribeProducersTopic(name, [0]) for name in (EXISTING, MISSING)])),
    # --- transactions -------------------------------------------------------------------------------------------------
    Row(K.INIT_PRODUCER_ID, ANYWHERE, lambda version, ids: m.InitProducerIdRequest(None, 0)),
    Row(K.INIT_PRODUCER_ID, (TXN,), lambda version, ids: m.InitProducerIdRequest(TRANSACTION, 0)),
    Row(K.ADD_PARTITIONS_TO_TXN, (TXN, TOPIC, CLUSTER), add_partitions),
    Row(K.ADD_OFFSETS_TO_TXN, (TXN, GROUP), lambda version, ids: m.AddOffsetsToTxnRequest(
        TRANSACTION, 77, 0, THE_GROUP)),
    Row(K.END_TXN, (TXN,), lambda version, ids: m.EndTxnRequest(TRANSACTION, 77, 0, True)),
    Row(K.TXN_OFFSET_COMMIT, (TXN, GROUP, TOPIC), txn_offset_commit),
    Row(K.WRITE_TXN_MARKERS, (CLUSTER,), marker),
    Row(K.DESCRIBE_TRANSACTIONS, (TXN,), lambda version, ids: m.DescribeTransactionsRequest([TRANSACTION])),
    Row(K.LIST_TRANSACTIONS, (TXN, CLUSTER), lambda version, ids: m.ListTransactionsRequest()),
    # --- topics -------------------------------------------------------------------------------------------------------
    Row(K.METADATA, ANYWHERE, metadata),
    Row(K.METADATA, ANYWHERE, lambda version, ids: metadata(version, ids, of_all=True)),
    Row(K.METADATA, (TOPIC,), lambda version, ids: m.MetadataRequest(
        [m.MetadataRequestTopic(topic_id, None) for topic_id in ids], False, False, True), range(12, 14)),
    Row(K.DESCRIBE_TOPIC_PARTITIONS, (TOPIC,), lambda version, ids: m.DescribeTopicPartitionsRequest(
        [m.TopicRequest(EXISTING), m.TopicRequest(MISSING)])),
    Row(K.DESCRIBE_TOPIC_PARTITIONS, (TOPIC,), lambda version, ids: m.DescribeTopicPartitionsRequest()),
    Row(K.CREATE_TOPICS, ANYWHERE, lambda version, ids: m.CreateTopicsRequest(
        [m.CreatableTopic(MISSING, 1, 1), m.CreatableTopic(EXISTING, 1, 1)], 1000, True)),
    Row(K.DELETE_TOPICS, ANYWHERE, delete_topics),
    Row(K.CREATE_PARTITIONS, (TOPIC,), lambda version, ids: m.CreatePartitionsRequest(
        [m.CreatePartitionsTopic(name, 9, None) for name in (EXISTING, MISSING)], 1000, True)),
    Row(K.ELECT_LEADERS, ANYWHERE, lambda version, ids: m.ElectLeadersRequest(0, [m.TopicPartitions(EXISTING, [0])])),
    Row(K.DESCRIBE_LOG_DIRS, ANYWHERE, lambda version, ids: m.DescribeLogDirsRequest(
        [m.DescribableLogDirTopic(EXISTING, [0])])),
    # --- configs, quotas, users ---------------------------------------------------------------------------------------
    Row(K.DESCRIBE_CONFIGS, (TOPIC,), configs_of(2, EXISTING)),
    Row(K.DESCRIBE_CONFIGS, (TOPIC,), configs_of(2, MISSING)),
    Row(K.DESCRIBE_CONFIGS, (GROUP, CLUSTER), configs_of(32, THE_GROUP)),
    Row(K.DESCRIBE_CONFIGS, (CLUSTER,), configs_of(4, "1")),
    Row(K.ALTER_CONFIGS, (TOPIC, CLUSTER), alter_configs_of(2, EXISTING)),
    Row(K.ALTER_CONFIGS, (TOPIC,), alter_configs_of(2, MISSING)),
    Row(K.INCREMENTAL_ALTER_CONFIGS, (TOPIC, CLUSTER), increment_configs_of(2, EXISTING)),
    Row(K.INCREMENTAL_ALTER_CONFIGS, (TOPIC,), increment_configs_of(2, MISSING)),
    Row(K.INCREMENTAL_ALTER_CONFIGS, (GROUP,), increment_configs_of(32, THE_GROUP)),
    Row(K.LIST_CONFIG_RESOURCES, (CLUSTER,), lambda version, ids: m.ListConfigResourcesRequest(
        [16] if version else [])),
    Row(K.DESCRIBE_CLIENT_QUOTAS, (CLUSTER,), lambda version, ids: m.DescribeClientQuotasRequest()),
    Row(K.ALTER_CLIENT_QUOTAS, (CLUSTER,), lambda version, ids: m.AlterClientQuotasRequest(
        [m.AlterClientQuotasEntry([m.AlterClientQuotasEntity("user", "alice")],
                                  [m.OpData("producer_byte_rate", 1000.0, False)])], True)),
    Row(K.ALTER_USER_SCRAM_CREDENTIALS, (CLUSTER,), lambda version, ids: m.AlterUserScramCredentialsRequest(
        [m.ScramCredentialDeletion("nobody", 1)], [])),
    Row(K.DESCRIBE_USER_SCRAM_CREDENTIALS, (CLUSTER,), lambda version, ids: m.DescribeUserScramCredentialsRequest()),
    Row(K.DESCRIBE_CLUSTER, (CLUSTER,), lambda version, ids: m.DescribeClusterRequest(True)),
    # --- the cluster --------------------------------------------------------------------------------------------------
    Row(K.ALTER_REPLICA_LOG_DIRS, ANYWHERE, lambda version, ids: m.AlterReplicaLogDirsRequest(
        [m.AlterReplicaLogDir("/nowhere", [m.AlterReplicaLogDirTopic(EXISTING, [0])])])),
    Row(K.ALTER_PARTITION_REASSIGNMENTS, ANYWHERE, lambda version, ids: m.AlterPartitionReassignmentsRequest(
        topics=[m.ReassignableTopic(EXISTING, [m.ReassignablePartition(0, None)])])),
    Row(K.LIST_PARTITION_REASSIGNMENTS, ANYWHERE, lambda version, ids: m.ListPartitionReassignmentsRequest(
        topics=[m.ListPartitionReassignmentsTopics(EXISTING, [0])])),
    Row(K.DESCRIBE_QUORUM, (CLUSTER,), lambda version, ids: m.DescribeQuorumRequest(
        [m.DescribeQuorumTopic("nothing", [m.DescribeQuorumPartition(0)])])),
    Row(K.UNREGISTER_BROKER, (CLUSTER,), lambda version, ids: m.UnregisterBrokerRequest(77)),
    Row(K.UNREGISTER_CONTROLLER, (CLUSTER,), lambda version, ids: m.UnregisterControllerRequest(77)),
    Row(K.UPDATE_FEATURES, (CLUSTER,), lambda version, ids: m.UpdateFeaturesRequest(
        feature_updates=[m.FeatureUpdateKey("group.version", 1)])),
    Row(K.ADD_RAFT_VOTER, (CLUSTER,), lambda version, ids: m.AddRaftVoterRequest(
        None, 1000, 77, ids.unknown, [m.VoterListener("CONTROLLER", "127.0.0.1", 9)])),
    Row(K.REMOVE_RAFT_VOTER, (CLUSTER,), lambda version, ids: m.RemoveRaftVoterRequest(None, 77, bytes(16))),
    # --- ACLs ---------------------------------------------------------------------------------------------------------
    Row(K.DESCRIBE_ACLS, (CLUSTER,), lambda version, ids: m.DescribeAclsRequest(
        2, "team-nothing", 3, None, None, 1, 1)),
    Row(K.CREATE_ACLS, (CLUSTER,), lambda version, ids: m.CreateAclsRequest(
        [m.AclCreation(2, "", 3, "User:alice", "*", 3, 3)])),
    Row(K.DELETE_ACLS, (CLUSTER,), lambda version, ids: m.DeleteAclsRequest(
        [m.DeleteAclsFilter(2, "team-nothing", 3, None, None, 1, 1)])),
)  # fmt: skip

OF_TOKENS: Final = {
    K.CREATE_DELEGATION_TOKEN,
    K.RENEW_DELEGATION_TOKEN,
    K.EXPIRE_DELEGATION_TOKEN,
    K.DESCRIBE_DELEGATION_TOKEN,
}
"""Requests that clients without authentication may never send, whatever their ACLs are."""
WITHOUT_AUTHORIZATION: Final = {K.API_VERSIONS, K.SASL_HANDSHAKE, K.SASL_AUTHENTICATE} | OF_TOKENS


def versions_of(row: Row) -> range:
    return versions_in_kafka(row.api) if row.versions is None else row.versions


# --- the clients and their ACLs ---------------------------------------------------------------------------------------

OPERATIONS: Final = {
    kind: [AclOperation[name] for name in names.split()]
    for kind, names in {
        TOPIC: "READ WRITE CREATE DELETE ALTER DESCRIBE DESCRIBE_CONFIGS ALTER_CONFIGS ALL",
        GROUP: "READ DELETE DESCRIBE DESCRIBE_CONFIGS ALTER_CONFIGS ALL",
        TXN: "DESCRIBE WRITE ALL",
        CLUSTER: "CREATE ALTER DESCRIBE CLUSTER_ACTION DESCRIBE_CONFIGS ALTER_CONFIGS IDEMPOTENT_WRITE DELETE ALL",
    }.items()
}
SITUATIONS: Final = ("allowed", "denied", "prefixed", "wildcard", "elsewhere")
ELSEWHERE: Final = "127.9.9.9"


class Client(NamedTuple):
    """Client whose `situation` says how the operation on resources of the type is allowed or refused."""

    host: str
    resource_type: ResourceType
    operation: AclOperation | None
    situation: str


def clients() -> Iterator[Client]:
    count = 0
    for kind, operations in OPERATIONS.items():
        cases = [(None, "no ACL"), *((operation, case) for operation in operations for case in SITUATIONS)]
        for operation, situation in cases:
            count += 1
            yield Client(f"127.0.{1 + count // 200}.{1 + count % 200}", kind, operation, situation)


def acls_of(client: Client) -> Iterator[Acl]:
    """Yield the ACLs of a client: its own situation, and everything on resources of other types."""
    for other in (TOPIC, GROUP, TXN):
        if other is not client.resource_type:
            yield acl(other, "*", PatternType.LITERAL, client.host, AclOperation.ALL)
    kind, operation = client.resource_type, client.operation
    if operation is None:
        return
    names = {TOPIC: (EXISTING, MISSING), GROUP: (THE_GROUP, "team-new", "team-nobody"), TXN: (TRANSACTION,)}
    literals = names.get(kind, (CLUSTER_NAME,))
    prefix = CLUSTER_NAME if kind is CLUSTER else "team-"
    match client.situation:
        case "allowed" | "elsewhere":
            host = client.host if client.situation == "allowed" else ELSEWHERE
            for name in literals:
                yield acl(kind, name, PatternType.LITERAL, host, operation)
        case "prefixed":
            yield acl(kind, prefix, PatternType.PREFIXED, client.host, operation)
        case "wildcard":
            if kind is not CLUSTER:  # whose ACLs have one name
                yield acl(kind, "*", PatternType.LITERAL, client.host, operation)
        case "denied":
            yield acl(kind, prefix, PatternType.PREFIXED, client.host, AclOperation.ALL)
            for name in literals:
                yield acl(kind, name, PatternType.LITERAL, client.host, operation, Permission.DENY)


def acl(
    kind: ResourceType,
    name: str,
    pattern: PatternType,
    host: str,
    operation: AclOperation,
    permission: Permission = Permission.ALLOW,
) -> Acl:
    return Acl(kind, name, pattern, "User:ANONYMOUS", host, operation, permission)
