"""Apache Kafka with TLS and SASL, and the user alice with one password for all mechanisms."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion

from tests.apache_kafka import ApacheKafka, apache_kafka, program

PASSWORD = "open sesame"
STORE_PASSWORD = "changeit"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


class Secured(NamedTuple):
    kafka: ApacheKafka
    certificate: Path


@contextmanager
def secured_kafka(directory: Path) -> Iterator[Secured]:
    store, certificate = directory / "broker.p12", directory / "broker.pem"
    _keytool("-genkeypair", "-keyalg", "RSA", "-dname", "CN=broker", "-ext", "SAN=ip:127.0.0.1", "-ext", "bc=ca:true",
            "-validity", "2", store=store)  # fmt: skip
    _keytool("-exportcert", "-rfc", "-file", str(certificate), store=store)
    login = "org.apache.kafka.common.security"
    settings = {
        "ssl.keystore.type": "PKCS12",
        "ssl.keystore.location": str(store),
        "ssl.keystore.password": STORE_PASSWORD,
        "sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "connections.max.reauth.ms": "3000",
    }
    for listener in ("sasl_ssl", "sasl_plaintext"):
        of = f"listener.name.{listener}"
        settings[f"{of}.plain.sasl.jaas.config"] = f'{login}.plain.PlainLoginModule required user_alice="{PASSWORD}";'
        for digits in ("256", "512"):
            settings[f"{of}.scram-sha-{digits}.sasl.jaas.config"] = f"{login}.scram.ScramLoginModule required;"
    with apache_kafka(directory / "kafka", settings=settings, secured=("SSL", "SASL_SSL", "SASL_PLAINTEXT")) as kafka:
        _create_scram_credentials(kafka.address)
        yield Secured(kafka, certificate)


def _create_scram_credentials(address: str) -> None:
    """Create credentials of alice for both SCRAM mechanisms, one in each request, as Kafka demands."""
    admin = AdminClient({"bootstrap.servers": address})
    for mechanism in (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512):
        info = ScramCredentialInfo(mechanism, 4096)
        change = UserScramCredentialUpsertion("alice", info, PASSWORD.encode())
        admin.alter_user_scram_credentials([change])["alice"].result(timeout=120)


def _keytool(*arguments: str, store: Path) -> None:
    command = [
        program("keytool"),
        *arguments,
        "-alias",
        "broker",
        "-keystore",
        str(store),
        "-storepass",
        STORE_PASSWORD,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def config(secured: Secured, protocol: str, mechanism: str | None = None, **others: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"bootstrap.servers": secured.kafka.secured[protocol], "security.protocol": protocol}
    if protocol.endswith("SSL"):
        found["ssl.ca.location"] = str(secured.certificate)
    if mechanism is not None:
        found |= {"sasl.mechanism": mechanism, "sasl.username": "alice", "sasl.password": PASSWORD}
    return found | {key.replace("_", "."): value for key, value in others.items()}
