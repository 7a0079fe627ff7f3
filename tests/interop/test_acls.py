"""ACLs through other admin clients and tools, and the errors of refused producers and consumers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tests.apache_kafka import java
from tests.interop.producing import create_topic
from tests.oracle.conftest import require_kafka
from tests.serving import serving

pytestmark = [pytest.mark.interop]

AUTHORIZER = f"authorizer.class.name={STANDARD_AUTHORIZER}"
ALL_ARE_SUPER_USERS = "super.users=User:ANONYMOUS"
TIMEOUT_S = 60.0


def binding(kind: ResourceType, name: str, operation: AclOperation) -> AclBinding:
    pattern = ResourcePatternType.LITERAL
    return AclBinding(kind, name, pattern, "User:ANONYMOUS", "*", operation, AclPermissionType.ALLOW)


def test_librdkafka_admin_client__acls_created_and_one_deleted__described_until_deleted(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, AUTHORIZER, ALL_ARE_SUPER_USERS) as broker:
        admin = AdminClient({"bootstrap.servers": broker.address})
        wanted = [
            binding(ResourceType.TOPIC, "orders", AclOperation.READ),
            binding(ResourceType.GROUP, "web", AclOperation.READ),
        ]
        for created in admin.create_acls(wanted).values():
            assert created.result(timeout=TIMEOUT_S) is None
        everything: Any = AclBindingFilter(
            ResourceType.ANY, None, ResourcePatternType.ANY, None, None, AclOperation.ANY, AclPermissionType.ANY
        )
        assert set(admin.describe_acls(everything).result(timeout=TIMEOUT_S)) == set(wanted)
        of_topic: Any = AclBindingFilter(
            ResourceType.TOPIC, "orders", ResourcePatternType.MATCH, None, None, AclOperation.ANY, AclPermissionType.ANY
        )
        (deleted,) = admin.delete_acls([of_topic]).values()
        assert deleted.result(timeout=TIMEOUT_S) == wanted[:1]
        assert admin.describe_acls(everything).result(timeout=TIMEOUT_S) == wanted[1:]


def test_librdkafka_clients__without_permission__authorization_errors_until_acls_allow_the_operation(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, AUTHORIZER, ALL_ARE_SUPER_USERS) as broker:
        create_topic(broker.address, "orders", 1)
        admin = AdminClient({"bootstrap.servers": broker.address})
        (created,) = admin.create_acls([binding(ResourceType.BROKER, "kafka-cluster", AclOperation.ALTER)]).values()
        created.result(timeout=TIMEOUT_S)
        broker.restart("super.users=User:nobody")
        assert produce(broker.address) == KafkaError.TOPIC_AUTHORIZATION_FAILED
        assert consume(broker.address) == KafkaError.GROUP_AUTHORIZATION_FAILED
        admin = AdminClient({"bootstrap.servers": broker.address})
        allowed = [
            binding(ResourceType.TOPIC, "orders", AclOperation.WRITE),
            binding(ResourceType.TOPIC, "orders", AclOperation.READ),
            binding(ResourceType.GROUP, "web", AclOperation.READ),
        ]
        for done in admin.create_acls(allowed).values():
            done.result(timeout=TIMEOUT_S)
        assert produce(broker.address) is None
        assert consume(broker.address) is None


def produce(address: str) -> int | None:
    """Return the error of a record, None if it was written."""
    codes: list[int | None] = []
    producer = Producer({"bootstrap.servers": address, "message.timeout.ms": int(TIMEOUT_S * 1000)})
    producer.produce("orders", b"value", on_delivery=lambda error, _: codes.append(error.code() if error else None))
    assert producer.flush(TIMEOUT_S) == 0
    return codes[0]


def consume(address: str) -> int | None:
    """Return the error of the first poll that returns a record or an error; None for a record."""
    settings = {"bootstrap.servers": address, "group.id": "web", "auto.offset.reset": "earliest"}
    with closing(Consumer(settings)) as consumer:
        consumer.subscribe(["orders"])
        try:
            polled = consumer.poll(TIMEOUT_S)
        except KafkaException as failure:
            return int(failure.args[0].code())
        assert polled is not None
        return polled.error().code() if polled.error() else None


def test_kafka_acls_tool__acls_added_and_removed__listed_until_removed(tmp_path: Path) -> None:
    require_kafka()
    with serving(tmp_path, AUTHORIZER, ALL_ARE_SUPER_USERS) as broker:

        def acls(*arguments: str) -> str:
            tool = "org.apache.kafka.tools.AclCommand"
            return java(tool, "--bootstrap-server", broker.address, *arguments)

        acls("--add", "--allow-principal", "User:bob", "--producer", "--topic", "orders", "--idempotent")
        acls("--add", "--allow-principal", "User:bob", "--consumer", "--topic", "team-", "--group", "*",
             "--resource-pattern-type", "prefixed")  # fmt: skip
        acls("--add", "--deny-principal", "User:*", "--deny-host", "10.0.0.9", "--operation", "All", "--topic", "*")
        answer = acls("--list", "--topic", "orders", "--resource-pattern-type", "match")
        assert "principal=User:bob, host=*, operation=WRITE, permissionType=ALLOW" in answer
        assert "principal=User:*, host=10.0.0.9, operation=ALL, permissionType=DENY" in answer
        assert "name=team-" not in answer
        assert "IDEMPOTENT_WRITE" in acls("--list", "--cluster")
        acls("--remove", "--force", "--topic", "orders")
        assert "User:bob" not in acls("--list", "--topic", "orders")
