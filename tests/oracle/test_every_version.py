"""Every version of every API that Tenure offers is answered as by Apache Kafka, for a minimal request."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tenure.protocol import messages
from tenure.protocol.apis import APIS, Api, ApiKey
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
    CreatableTopic,
    CreateTopicsRequest,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeGroupsRequest,
    FindCoordinatorRequest,
    ListConfigResourcesRequest,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
    ProduceRequest,
)
from tests.kafka_versions import IS_4_3, versions_in_kafka
from tests.oracle import filled_requests
from tests.oracle.classic_requests import TOPIC
from tests.oracle.differences import CLUSTER_ANSWERS
from tests.oracle.filled_requests import Kind, filled
from tests.oracle.side import Session, Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

VERSIONS_MIN = 120
TOPIC_RESOURCE = 2
CLIENT_METRICS = 16


def minimal_request(api: Api, version: int) -> Message:
    """Return a request of default values, with the one field that passes the first check."""
    match api.key:
        case ApiKey.PRODUCE:
            return ProduceRequest(acks=-1, topic_data=[])
        case ApiKey.FIND_COORDINATOR:
            return FindCoordinatorRequest(
                key="" if version >= 4 else "g", coordinator_keys=["g"] if version >= 4 else []
            )
        case ApiKey.DESCRIBE_GROUPS:
            return DescribeGroupsRequest(groups=["missing-group"])
        case ApiKey.LIST_OFFSETS:
            asked = ListOffsetsPartition(partition_index=0, timestamp=-1)
            return ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=TOPIC, partitions=[asked])])
        case ApiKey.OFFSET_FOR_LEADER_EPOCH:
            epoch = OffsetForLeaderPartition(partition=0, leader_epoch=0)
            return OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic=TOPIC, partitions=[epoch])])
        case ApiKey.DESCRIBE_CONFIGS:
            resource = DescribeConfigsResource(TOPIC_RESOURCE, TOPIC, ["cleanup.policy", "retention.ms", "no.such"])
            return DescribeConfigsRequest(resources=[resource])
        case ApiKey.ADD_PARTITIONS_TO_TXN if version >= 4:  # Apache Kafka never answers a request without transactions
            nobody = AddPartitionsToTxnTransaction("nobody", topics=[AddPartitionsToTxnTopic(TOPIC, [0])])
            return AddPartitionsToTxnRequest(transactions=[nobody])
        case ApiKey.LIST_CONFIG_RESOURCES:
            return ListConfigResourcesRequest(resource_types=[CLIENT_METRICS] if version >= 1 else [])
        case _:
            request: Message = getattr(messages, f"{api.name}Request")()
            return request


def test_minimal_request__every_api_and_version__same_answer_from_both_brokers(kafka: Side, tenure: Side) -> None:
    asked = 0
    differences = []
    for api in APIS.values():
        for version in versions_in_kafka(api.key):
            if api.key is ApiKey.LIST_GROUPS:
                continue  # other tests create and delete groups meanwhile; scenarios 2.16 compare it
            asked += 1
            sessions = [side.session() for side in (kafka, tenure)]
            answers = [answered(session, minimal_request(api, version), version) for session in sessions]
            if api.key not in CLUSTER_ANSWERS and answers[0] != answers[1]:
                differences.append(f"{api.name} v{version}\n  Apache Kafka: {answers[0]}\n  Tenure:       {answers[1]}")
            for session in sessions:
                session.close()
    assert asked >= VERSIONS_MIN
    assert not differences, "\n".join(differences)


def create(side: Side) -> None:
    with Wire(side.host, side.port) as wire:
        wire.ask(CreateTopicsRequest([CreatableTopic(filled_requests.TOPIC, 2, 1)], timeout_ms=10_000))
    side.wait_for_topic(filled_requests.TOPIC)


NOT_SENT: Final = {
    ApiKey.ADD_RAFT_VOTER, ApiKey.REMOVE_RAFT_VOTER, ApiKey.UNREGISTER_BROKER, ApiKey.UNREGISTER_CONTROLLER,
    ApiKey.DELETE_TOPICS, ApiKey.LIST_GROUPS,
}  # fmt: skip
"""APIs that would change the cluster for other tests, or list what other tests create."""
OWN_NUMBERS: Final = re.compile(r"(session_id|last_timestamp|partition_size)=\d+")
"""Numbers that each broker chooses for itself."""
DIFFERENT: Final = {
    (ApiKey.LIST_OFFSETS, Kind.NEGATIVE): "an unknown isolation level is UNKNOWN_SERVER_ERROR in Apache Kafka",
    (ApiKey.DESCRIBE_TOPIC_PARTITIONS, Kind.NULL): "an empty name without cursor, too",
    (ApiKey.DESCRIBE_LOG_DIRS, Kind.NULL): "topics of other tests",
    (ApiKey.METADATA, Kind.NULL): "topics of other tests, among them the journal, which only Tenure has",
    (ApiKey.ELECT_LEADERS, Kind.NULL): "the same",
}
if IS_4_3:
    DIFFERENT[ApiKey.STREAMS_GROUP_HEARTBEAT, Kind.KNOWN] = "4.3 refuses static members first"


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_request_with_an_element_in_each_array__every_api_and_version__same_answer_from_both_brokers(
    kafka: Side, tenure: Side, kind: Kind
) -> None:
    differences = []
    for side in (kafka, tenure):
        create(side)
    for api in APIS.values():
        if api.key in CLUSTER_ANSWERS - {ApiKey.METADATA} | NOT_SENT or (api.key, kind) in DIFFERENT:
            continue
        for version in versions_in_kafka(api.key):
            sessions = [side.session() for side in (kafka, tenure)]
            request = filled(api, version, kind)
            answers = [OWN_NUMBERS.sub(r"\1=...", answered(session, request, version)) for session in sessions]
            if answers[0] != answers[1]:
                differences.append(f"{request} v{version}\n  Apache Kafka: {answers[0]}\n  Tenure:       {answers[1]}")
            for session in sessions:
                session.close()
    assert not differences, "\n".join(differences)


def answered(session: Session, request: Message, version: int) -> str:
    """Return the answer, without what differs between runs. An ACL filter of unknown kinds ends the connection."""
    try:
        return session.render(session.ask("A", request, version))
    except ConnectionError:
        return "closes the connection"
