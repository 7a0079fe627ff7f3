"""Brokers with security, for tests of clients: each client connects with the settings of `credentials`."""

import asyncio
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from tenure.admin import Admin
from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.client import Consumer, Producer, read_arrow
from tenure.client.errors import AuthenticationFailed, ClientError
from tenure.testing import Broker, BrokerSecurity, Credentials

ALL = ("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN", "OAUTHBEARER")
PATIENCE_S = 60.0


def by_librdkafka(at: Credentials) -> set[str]:
    admin = AdminClient(at.librdkafka)
    admin.poll(0)
    return set(admin.list_topics(timeout=PATIENCE_S).topics)


def by_kafka_python(at: Credentials) -> set[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of kafka-python
        from kafka import KafkaConsumer

        consumer = KafkaConsumer(**at.kafka_python)
        try:
            return set(consumer.topics())
        finally:
            consumer.close()


def by_aiokafka(at: Credentials) -> set[str]:
    from aiokafka.admin import AIOKafkaAdminClient

    async def run() -> set[str]:
        client = AIOKafkaAdminClient(**at.aiokafka)
        await client.start()
        try:
            return set(await client.list_topics())
        finally:
            await client.close()

    return asyncio.run(run())


def by_tenure(at: Credentials) -> set[str]:
    with Admin(at.librdkafka, patience_ms=int(PATIENCE_S * 1000)) as admin:
        return {topic.topic for topic in admin.list_topics()}


CLIENTS = {client.__name__: client for client in (by_librdkafka, by_kafka_python, by_aiokafka, by_tenure)}


@pytest.mark.interop
@pytest.mark.parametrize("protocol", ["SSL", "SASL_SSL", "SASL_PLAINTEXT"])
def test_credentials__each_client_library_and_mechanism__topics_listed(protocol: str) -> None:
    with Broker(security=BrokerSecurity(protocol, mechanisms=ALL)) as broker:
        broker.create_topic("orders")
        for name in CLIENTS:
            list_topics: Callable[[Credentials], set[str]] = CLIENTS[name]
            for mechanism in ALL if protocol != "SSL" else ALL[:1]:
                assert "orders" in list_topics(broker.credentials("alice", mechanism)), (name, mechanism)


def test_methods_of_the_test_broker__security_enabled__produce_read_and_commit() -> None:
    with Broker(security="SASL_SSL") as broker:
        broker.create_topic("orders")
        broker.produce("orders", ["a", "b"])
        assert [row[3] for row in broker.records("orders")] == [b"a", b"b"]
        broker.commit("group", {("orders", 0): 1})
        assert broker.committed("group") == {("orders", 0): 1}


def test_credentials__wrong_password__refused() -> None:
    with Broker(security="SASL_PLAINTEXT") as broker:
        given = broker.credentials()
        with pytest.raises(AuthenticationFailed), Producer({**given.librdkafka, "sasl.password": "guess"}) as producer:
            producer.send("orders", b"k", b"v")
        assert given.password not in repr(given)


@pytest.mark.parametrize("protocol", ["SSL", "SASL_SSL"])
def test_acls__user_without_permission__topic_not_listed_and_read_refused(protocol: str) -> None:
    settings = {"authorizer.class.name": STANDARD_AUTHORIZER, "super.users": "User:admin"}
    security = BrokerSecurity(protocol, users={"alice": "hers", "admin": "his"})
    with Broker(settings, security=security) as broker:
        broker.create_topic("orders")
        broker.produce("orders", ["a"])
        alice = broker.credentials("alice").librdkafka
        assert by_tenure(broker.credentials("alice")) == set()
        assert "orders" in by_tenure(broker.credentials("admin"))
        with pytest.raises(ClientError):
            read_arrow({**alice, "default.api.timeout.ms": 1_000}, "orders")


def test_injected_fault__security_enabled__answers_of_a_secured_member_lost() -> None:
    with Broker(security="SASL_SSL") as broker:
        broker.create_topic("orders")
        broker.produce("orders", ["a"])
        config = {**broker.credentials().librdkafka, "group.id": "group", "auto.offset.reset": "earliest"}
        with Consumer({**config, "enable.auto.commit": False}) as consumer:
            consumer.subscribe(["orders"])
            while not consumer.poll(0.1):
                pass
            lost = broker.drop_response("OffsetCommit")
            consumer.commit()
            assert lost.happened == 1


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Broker(security="TLS"), "Unknown security protocol"),
        (lambda: Broker(security=BrokerSecurity(mechanisms=["SCRAM-SHA-1"])), "Unknown SASL mechanism"),
        (lambda: Broker().credentials(), "create it with Broker"),
        (lambda: Broker(security="SASL_SSL").credentials("alicia"), "Unknown user 'alicia'"),
    ],
)
def test_security_argument__unknown_value__refused(make: Callable[[], Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make()


@pytest.mark.interop
def test_certificates__renewed__later_connections_use_the_new_ones() -> None:
    with Broker(security="SSL") as broker:
        broker.create_topic("orders")
        broker.renew_certificates()
        assert "orders" in by_tenure(broker.credentials())  # by a new certificate of the same authority
        foreign = Broker(security="SSL")
        config = {**broker.credentials().librdkafka, "log_level": 0, "error_cb": lambda _: None}
        config["ssl.ca.location"] = foreign.credentials().librdkafka["ssl.ca.location"]
        admin = AdminClient(config)
        with pytest.raises(KafkaException):
            admin.list_topics(timeout=2)
