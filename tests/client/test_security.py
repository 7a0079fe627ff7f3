"""TLS and SASL with Apache Kafka, which has both: who is let in, who is not, and in which words."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion

from tenure.client import ClientError, ConfigurationError, Consumer, TopicPartition, read_arrow
from tenure.client.configuration import Configuration
from tenure.client.errors import AuthenticationFailed
from tenure.client.producer import Producer
from tenure.client.security import SECURITY_KEYS, security
from tests.apache_kafka import ApacheKafka, apache_kafka, program
from tests.oracle.conftest import require_kafka

PASSWORD = "open sesame"
STORE = "changeit"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


class Secured(NamedTuple):
    kafka: ApacheKafka
    certificate: Path


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    require_kafka()
    directory = tmp_path_factory.mktemp("secured")
    store, certificate = directory / "broker.p12", directory / "broker.pem"
    keytool("-genkeypair", "-keyalg", "RSA", "-dname", "CN=broker", "-ext", "SAN=ip:127.0.0.1", "-ext", "bc=ca:true",
            "-validity", "2", store=store)  # fmt: skip
    keytool("-exportcert", "-rfc", "-file", str(certificate), store=store)
    login = "org.apache.kafka.common.security"
    settings = {
        "ssl.keystore.type": "PKCS12",
        "ssl.keystore.location": str(store),
        "ssl.keystore.password": STORE,
        "sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "connections.max.reauth.ms": "3000",
    }
    for listener in ("sasl_ssl", "sasl_plaintext"):
        of = f"listener.name.{listener}"
        settings[f"{of}.plain.sasl.jaas.config"] = f'{login}.plain.PlainLoginModule required user_alice="{PASSWORD}";'
        for digits in ("256", "512"):
            settings[f"{of}.scram-sha-{digits}.sasl.jaas.config"] = f"{login}.scram.ScramLoginModule required;"
    with apache_kafka(directory / "kafka", settings=settings, secured=("SSL", "SASL_SSL", "SASL_PLAINTEXT")) as kafka:
        let_in(kafka.address)
        with Producer(kafka.address) as producer:
            for number in range(100):
                producer.send("flights", b"%d" % number, b"v", partition=0)
        yield Secured(kafka, certificate)


def let_in(address: str) -> None:
    """alice, by both kinds of SCRAM: one request each, Kafka takes no two changes of a user in one."""
    admin = AdminClient({"bootstrap.servers": address})
    for mechanism in (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512):
        info = ScramCredentialInfo(mechanism, 4096)
        change = UserScramCredentialUpsertion("alice", info, PASSWORD.encode())
        admin.alter_user_scram_credentials([change])["alice"].result(timeout=30)


def keytool(*arguments: str, store: Path) -> None:
    command = [program("keytool"), *arguments, "-alias", "broker", "-keystore", str(store), "-storepass", STORE]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def config(secured: Secured, protocol: str, mechanism: str | None = None, **others: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"bootstrap.servers": secured.kafka.secured[protocol], "security.protocol": protocol}
    if protocol.endswith("SSL"):
        found["ssl.ca.location"] = str(secured.certificate)
    if mechanism is not None:
        found |= {"sasl.mechanism": mechanism, "sasl.username": "alice", "sasl.password": PASSWORD}
    return found | {key.replace("_", "."): value for key, value in others.items()}


@pytest.mark.oracle
def test_tls__trusted_certificate__reads_as_in_the_clear(secured: Secured) -> None:
    assert len(read_arrow(config(secured, "SSL"), "flights")) == 100


@pytest.mark.parametrize("protocol", ["SASL_SSL", "SASL_PLAINTEXT"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.oracle
def test_sasl__right_password__let_in(secured: Secured, protocol: str, mechanism: str) -> None:
    assert len(read_arrow(config(secured, protocol, mechanism), "flights")) == 100


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.oracle
def test_sasl__wrong_password__named_at_once(secured: Secured, mechanism: str) -> None:
    with pytest.raises(AuthenticationFailed, match=f"does not let 'alice' with {mechanism} in .*check sasl.username"):
        read_arrow(config(secured, "SASL_SSL", mechanism, sasl_password="guess"), "flights")


@pytest.mark.oracle
def test_sasl__session_ends_every_few_seconds__a_member_reads_on_and_keeps_its_seat(secured: Secured) -> None:
    """The broker closes connections that outlive `connections.max.reauth.ms`."""
    given = config(
        secured, "SASL_PLAINTEXT", "SCRAM-SHA-256", group_id="g", group_instance_id="i", auto_offset_reset="earliest"
    )
    told: list[list[TopicPartition]] = []
    with Consumer(given) as consumer:
        consumer.subscribe(["flights"], on_assigned=told.append)
        found = consumer.poll(30.0)
        give_up_at = time.monotonic() + 7
        while time.monotonic() < give_up_at:
            found += consumer.poll(0.2)
            consumer.commit()
    assert (len(found), len(told)) == (100, 1)


@pytest.mark.oracle
def test_tls__unknown_authority__not_trusted_and_not_tried_again(secured: Secured) -> None:
    given = config(secured, "SSL")
    del given["ssl.ca.location"]
    with pytest.raises(AuthenticationFailed, match=r"is not to be trusted .*'ssl\.ca\.location'"):
        read_arrow(given, "flights")


@pytest.mark.oracle
def test_tls__certificate_of_another_name__not_trusted_unless_told_not_to_look(secured: Secured) -> None:
    port = secured.kafka.secured["SSL"].rpartition(":")[2]
    given = config(secured, "SSL", bootstrap_servers=f"localhost:{port}")
    with pytest.raises(AuthenticationFailed, match="is not to be trusted"):
        read_arrow(given, "flights")
    assert len(read_arrow({**given, "ssl.endpoint.identification.algorithm": ""}, "flights")) == 100


@pytest.mark.oracle
def test_tls__with_a_listener_in_the_clear__says_that_it_speaks_no_tls(secured: Secured) -> None:
    given = config(secured, "SSL", bootstrap_servers=secured.kafka.address)
    with pytest.raises(ClientError, match=r"does not speak TLS|TLS with .* failed|No broker can be reached"):
        read_arrow(given, "flights")


def test_configuration__sasl_without_a_password__named() -> None:
    values = Configuration(
        SECURITY_KEYS, {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.username": "alice"}
    )
    with pytest.raises(ConfigurationError, match=r"'sasl\.password' is needed with security\.protocol SASL_SSL"):
        security(values)


def test_configuration__certificate_file_missing__named(tmp_path: Path) -> None:
    values = Configuration(
        SECURITY_KEYS, {"security.protocol": "SSL", "ssl.ca.location": str(tmp_path / "nowhere.pem")}
    )
    with pytest.raises(ConfigurationError, match=r"nowhere\.pem cannot be used \(No such file"):
        security(values)
