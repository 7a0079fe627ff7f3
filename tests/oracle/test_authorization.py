"""Refusals of every API and version for clients with different ACLs, compared with Apache Kafka.

The authorizer of Apache Kafka runs in a broker whose own connections are authenticated; clients connect without. The
administrator's address gets its permissions from a super user there. In Tenure it gets them while all clients are super
users, which a restart ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
)
from confluent_kafka.admin import AclOperation as OperationOfAcl
from confluent_kafka.admin import ResourceType as TypeOfResource

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.protocol.acls import CLUSTER_NAME, Acl, AclOperation, PatternType, ResourceType
from tenure.protocol.apis import APIS
from tenure.protocol.message import Struct
from tenure.protocol.messages import (
    AclCreation,
    CreatableTopic,
    CreateAclsRequest,
    CreateTopicsRequest,
    DeleteAclsFilter,
    DeleteAclsRequest,
    DescribeAclsRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    MetadataRequest,
    MetadataRequestTopic,
)
from tests.apache_kafka import ApacheKafka, apache_kafka
from tests.oracle.authorization_matrix import (
    ADMINISTRATOR,
    EXISTING,
    GROUP,
    ROWS,
    TOPIC,
    TXN,
    WITHOUT_AUTHORIZATION,
    Client,
    Ids,
    acl,
    acls_of,
    clients,
    versions_of,
)
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving
from tests.wire import Wire

pytestmark = pytest.mark.oracle

CELLS_MIN: Final = 10_000
ACLS_AT_ONCE: Final = 100
PASSWORD: Final = "of the broker"
PATIENCE_S: Final = 60.0

AUTHORIZER: Final = {
    "authorizer.class.name": STANDARD_AUTHORIZER,
    "auto.create.topics.enable": "false",
    "log.retention.ms": "-1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
}
LOGIN: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"
INTERNAL: Final = {
    "super.users": "User:broker",
    "inter.broker.listener.name": "SASL_PLAINTEXT",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:SASL_PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
    "sasl.enabled.mechanisms": "PLAIN",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.mechanism.controller.protocol": "PLAIN",
} | {
    f"listener.name.{listener}.plain.sasl.jaas.config": (
        f'{LOGIN} username="broker" password="{PASSWORD}" user_broker="{PASSWORD}";'
    )
    for listener in ("controller", "sasl_plaintext")
}
"""Principal of the connections that Apache Kafka's broker opens to itself."""

COMPARED_FIELDS: Final = frozenset({
    "error_code", "partition_error_code", "topic_config_error_code", "name", "topic", "topic_name", "topic_id",
    "topics", "partition_index", "partition", "partition_id", "group_id", "key", "transactional_id", "resource_name",
    "resource_type", "authorized_operations", "topic_authorized_operations", "cluster_authorized_operations",
    "num_partitions", "entity_name", "user", "is_internal",
})  # fmt: skip
"""Fields of answers that are compared, besides all lists: error codes, and what a client learns about resources."""
IGNORED_FIELDS: Final = frozenset({"brokers", "node_endpoints", "configs", "log_dirs", "aborted_transactions"})
"""Fields of answers that are not compared, because they describe the broker."""


@pytest.fixture(scope="module")
def brokers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """Yield a broker of Apache Kafka and one of Tenure, with the same topics, groups and ACLs."""
    require_kafka()
    with ExitStack() as stack:
        directory = tmp_path_factory.mktemp("authorization")
        kafka = stack.enter_context(
            apache_kafka(directory / "kafka", settings=AUTHORIZER | INTERNAL, secured=["SASL_PLAINTEXT"])
        )
        settings = [f"{key}={value}" for key, value in AUTHORIZER.items()]
        tenure = stack.enter_context(serving(directory, *settings, "super.users=User:ANONYMOUS"))
        create_administrator(kafka)
        create_acls(tenure, administrators())
        tenure.restart("super.users=User:nobody")
        for broker in (kafka, tenure):
            prepare(broker)
        yield kafka, tenure


def administrators() -> list[Acl]:
    kinds = ((TOPIC, "*"), (GROUP, "*"), (TXN, "*"), (ResourceType.CLUSTER, CLUSTER_NAME))
    return [acl(kind, name, PatternType.LITERAL, ADMINISTRATOR, AclOperation.ALL) for kind, name in kinds]


def create_administrator(kafka: ApacheKafka) -> None:
    admin = AdminClient(
        {
            "bootstrap.servers": kafka.secured["SASL_PLAINTEXT"],
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.username": "broker",
            "sasl.password": PASSWORD,
        }
    )
    bindings = [
        AclBinding(
            TypeOfResource.BROKER if one.resource_type == ResourceType.CLUSTER else named(TypeOfResource, one, 0),
            one.resource_name,
            ResourcePatternType.LITERAL,
            one.principal,
            one.host,
            OperationOfAcl.ALL,
            AclPermissionType.ALLOW,
        )
        for one in administrators()
    ]
    for done in admin.create_acls(bindings).values():
        done.result(timeout=PATIENCE_S)


def named(kind: Any, one: Acl, field: int) -> Any:
    """Return librdkafka's enumeration value for a number of the protocol."""
    name = ResourceType(one[field]).name
    return kind["TRANSACTIONAL_ID" if name == "TRANSACTIONAL_ID" else name]


def create_acls(broker: Serving | ApacheKafka, acls: list[Acl]) -> None:
    with Wire(broker.host, broker.port, source=ADMINISTRATOR) as wire:
        for start in range(0, len(acls), ACLS_AT_ONCE):
            creations = [AclCreation(*one) for one in acls[start : start + ACLS_AT_ONCE]]
            results = wire.ask(CreateAclsRequest(creations)).results
            assert [result.error_code for result in results] == [0] * len(creations), results


def create_acls_of_matrix(broker: Serving | ApacheKafka) -> None:
    create_acls(broker, [*administrators(), *sorted({one for client in clients() for one in acls_of(client)})])


def prepare(broker: Serving | ApacheKafka) -> None:
    """Create the topic, the coordinators of group and transaction, and the ACLs; wait until they are in force."""
    create_acls_of_matrix(broker)
    with Wire(broker.host, broker.port, source=ADMINISTRATOR) as wire:
        created = wire.ask(CreateTopicsRequest([CreatableTopic(EXISTING, 2, 1)], 10_000)).topics[0]
        assert created.error_code == 0
        until(lambda: topic_id(wire) is not None)
        for kind in (0, 1):
            until(
                lambda kind=kind: wire.ask(FindCoordinatorRequest("", kind, ["team"])).coordinators[0].error_code == 0
            )
        until(lambda: wire.ask(InitProducerIdRequest("team-warm-up", 1000)).error_code == 0)


def topic_id(wire: Wire) -> bytes | None:
    topic = wire.ask(MetadataRequest([MetadataRequestTopic(name=EXISTING)], False)).topics[0]
    return None if topic.error_code else bytes(topic.topic_id)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def cells(broker: Serving | ApacheKafka, client: Client) -> Iterator[tuple[str, str]]:
    """Yield the answer to each request of the table that concerns the client."""
    with Wire(broker.host, broker.port, source=ADMINISTRATOR) as administrator:
        found = topic_id(administrator)
    assert found is not None
    wires = [Wire(broker.host, broker.port, source=client.host)]
    for number, row in enumerate(ROWS):
        if client.resource_type not in row.types:
            continue
        for version in versions_of(row):
            name = f"{row.api.name} v{version} (row {number}) {client}"
            try:
                answer = outline(wires[-1].ask(row.build(version, Ids(found)), version))
            except ConnectionError:
                answer = "closed"
                wires.append(Wire(broker.host, broker.port, source=client.host))
            yield name, answer
    for wire in wires:
        wire.close()


def outline(answer: Struct) -> str:
    """Return the errors of an answer and the names in it, in an order that does not depend on hash tables."""
    fields = []
    for name in answer.__slots__:
        value = getattr(answer, name)
        if name in IGNORED_FIELDS:
            continue
        if name == "topic_id":
            fields.append(f"topic_id={'some' if any(value) else 'none'}")
        elif isinstance(value, list) and (not value or isinstance(value[0], Struct)):
            answers = sorted(outline(each) for each in value if not is_internal(each))
            fields.append(f"{name}=[{', '.join(answers)}]")
        elif isinstance(value, Struct):
            fields.append(f"{name}={outline(value)}")
        elif name in COMPARED_FIELDS:
            fields.append(f"{name}={value!r}")
    return f"({', '.join(fields)})"


def is_internal(entry: object) -> bool:
    return any(str(getattr(entry, name, "")).startswith("__") for name in ("name", "topic"))


def test_authorization_table__every_api_with_authorization__has_a_row() -> None:
    assert {row.api for row in ROWS} == APIS.keys() - WITHOUT_AUTHORIZATION


@pytest.mark.timeout(600)
def test_authorization__every_request_with_different_acls__same_answers_as_apache_kafka(
    brokers: tuple[Any, Any],
) -> None:
    kafka, tenure = brokers
    count, refused = 0, 0
    differences = []
    for client in clients():
        for (name, theirs), (_, ours) in zip(cells(kafka, client), cells(tenure, client), strict=True):
            count += 1
            refused += "AUTHORIZATION" in name or any(f"error_code={code}" in theirs for code in (29, 30, 31, 53))
            if theirs != ours:
                differences.append(f"{name}\n  Apache Kafka: {theirs}\n  Tenure:       {ours}")
    print(f"{count} cells, {refused} of them refused, {len(differences)} different")
    assert count >= CELLS_MIN
    assert 0.2 < refused / count < 0.8, "both outcomes are compared"
    assert not differences, "\n".join(differences)


# --- the APIs of ACLs -------------------------------------------------------------------------------------------------

NAME: Final = "conversation"
"""Prefix of the names in the ACLs of this test; all other ACLs belong to the matrix."""
CREATIONS: Final = tuple(
    AclCreation(kind, f"{NAME}{suffix}", pattern, principal, host, operation, permission)
    for kind, suffix, pattern, principal, host, operation, permission in (
        (2, "", 3, "User:alice", "*", 3, 3),
        (2, "-", 4, "User:alice", "*", 2, 3),
        (2, "-", 4, "User:*", "10.0.0.1", 4, 2),
        (3, "", 3, "User:bob", "*", 3, 3),
        (5, "", 3, "Group:bob", "*", 15, 3),
        (6, "", 3, "User:bob", "*", 8, 3),
        (7, "", 3, "User:bob", "*", 13, 3),
        (2, "", 3, "User:alice", "*", 3, 3),  # the first one again
        (4, "", 3, "User:bob", "*", 5, 3),  # not the name of the cluster
        (77, "", 3, "User:bob", "*", 3, 3),  # numbers without a meaning
        (2, "", 77, "User:bob", "*", 3, 3),
        (2, "", 3, "User:bob", "*", 77, 3),
        (2, "", 3, "User:bob", "*", 3, 77),
        (2, "", 3, "bob", "*", 3, 3),  # no principal
        (2, "", 3, "User:bob", "no.such.host", 3, 3),
    )
)
FILTERS: Final = tuple(
    (kind, name, pattern, principal, host, operation, permission)
    for kind in (1, 2, 3)
    for name, pattern in ((NAME, 3), (NAME, 1), (f"{NAME}-eu", 2), (f"{NAME}-", 4), (f"{NAME}-", 2), (NAME, 2))
    for principal, host in ((None, None), ("User:alice", None), (None, "10.0.0.1"))
    for operation, permission in ((1, 1), (3, 3), (4, 2), (77, 1))
)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_acl_requests__create_describe_and_delete__same_answers_as_apache_kafka(
    brokers: tuple[Any, Any], version: int
) -> None:
    kafka, tenure = brokers
    theirs, ours = acl_answers(kafka, version), acl_answers(tenure, version)
    assert theirs == ours
    assert len(theirs) == 1 + 2 * len(FILTERS)


def acl_answers(broker: Serving | ApacheKafka, version: int) -> list[Any]:
    with Wire(broker.host, broker.port, source=ADMINISTRATOR) as wire:
        results = wire.ask(CreateAclsRequest(list(CREATIONS)), version).results
        answers: list[Any] = [[result.error_code for result in results]]
        until(lambda: sum(map(len, described(wire, (1, NAME, 1, None, None, 1, 1), version).values())) == 6)
        answers += [described(wire, one, version) for one in FILTERS]
        for one in FILTERS:
            (result,) = wire.ask(DeleteAclsRequest([DeleteAclsFilter(*one)]), version).filter_results
            answers.append((result.error_code, sorted(str(acl_of(each)) for each in result.matching_acls)))
        wire.ask(DeleteAclsRequest([DeleteAclsFilter(1, None, 1, "User:bob", None, 1, 1)]), version)
        until(lambda: not described(wire, (1, NAME, 1, None, None, 1, 1), version))
        create_acls_of_matrix(broker)  # filters of type MATCH have deleted those of all topics, groups, …
        until(lambda: topic_id(wire) is not None)
    return answers


def described(wire: Wire, wanted: tuple[Any, ...], version: int) -> dict[str, list[str]]:
    answer = wire.ask(DescribeAclsRequest(*wanted), version)
    assert answer.error_code == 0
    return {
        f"{each.resource_type} {each.resource_name} {each.pattern_type}": sorted(str(acl_of(one)) for one in each.acls)
        for each in sorted(answer.resources, key=str)
    }


def acl_of(entry: Any) -> list[Any]:
    return [value for name in entry.__slots__ if name != "error_message" for value in [getattr(entry, name)]]


@pytest.mark.parametrize("changed", [0, 2, 5, 6])
@pytest.mark.parametrize("request_class", [CreateAclsRequest, DeleteAclsRequest, DescribeAclsRequest])
def test_acl_requests__unknown_enum_value__connection_closed_as_by_apache_kafka(
    brokers: tuple[Any, Any], request_class: Any, changed: int
) -> None:
    fields: list[Any] = [2, NAME, 3, "User:alice", "*", 3, 3]
    fields[changed] = 0
    request = {
        CreateAclsRequest: lambda: CreateAclsRequest([AclCreation(*fields)]),
        DeleteAclsRequest: lambda: DeleteAclsRequest([DeleteAclsFilter(*fields)]),
        DescribeAclsRequest: lambda: DescribeAclsRequest(*fields),
    }[request_class]()
    for broker in brokers:
        with Wire(broker.host, broker.port, source=ADMINISTRATOR) as wire, pytest.raises(ConnectionError):
            wire.ask(request)
