"""Brokers with listeners for TLS and SASL, and one in the clear: both builds of Tenure and Apache Kafka."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion

from bench.brokers import SETTINGS, Broker, create_topic, java_options, settle
from bench.members import TOPIC
from bench.secured_load import MECHANISM
from bench.sides import OURS, OURS_COMPILED, PEER
from compiled.installed import compiled_python
from tenure.development_certificates import write_certificates
from tests.apache_kafka import apache_kafka
from tests.serving import serving

USER, PASSWORD = "alice", "open sesame"
LISTENERS = ("SSL", "SASL_SSL", "SASL_PLAINTEXT")


@dataclass(frozen=True, slots=True)
class Side:
    """Broker with the addresses of its secured listeners, by security protocol."""

    broker: Broker
    listeners: Mapping[str, str]
    ca: str

    def address(self, protocol: str) -> tuple[str, int]:
        host, _, port = self.listeners[protocol].rpartition(":")
        return host, int(port)


@contextlib.contextmanager
def secured_brokers(directory: Path, quick: bool) -> Iterator[dict[str, Side]]:
    """Start Tenure, its compiled build if there is one, and Apache Kafka, with the same certificate and user."""
    files = directory / "certificates"
    write_certificates(files)
    (files / "both.pem").write_text((files / "broker-key.pem").read_text() + (files / "broker.pem").read_text())
    with contextlib.ExitStack() as running:
        found = {OURS: running.enter_context(_ours(directory / "tenure", files))}
        if python := compiled_python():
            found[OURS_COMPILED] = running.enter_context(_ours(directory / "compiled", files, python))
        found[PEER] = running.enter_context(_kafka(directory / "kafka", files, quick))
        for side in found.values():
            settle(side.broker)
            create_topic(side.broker, TOPIC, 1)
            _add_user(side.broker.address)
        yield found


@contextlib.contextmanager
def _ours(directory: Path, files: Path, python: str | Path = sys.executable) -> Iterator[Side]:
    directory.mkdir()
    chosen = SETTINGS | {
        "ssl.keystore.location": str(files / "both.pem"),
        "sasl.enabled.mechanisms": MECHANISM,
        "tenure.coordinator.durability": "os",
    }
    listen = ",".join(f"{name}://127.0.0.1:0" for name in ("PLAINTEXT", *LISTENERS))
    settings = [f"{key}={value}" for key, value in chosen.items()]
    with serving(directory, *settings, options=("--listen", listen), python=python) as broker:
        broker.address = broker.listeners["PLAINTEXT"]
        yield Side(broker, broker.listeners, str(files / "ca.pem"))


@contextlib.contextmanager
def _kafka(directory: Path, files: Path, quick: bool) -> Iterator[Side]:
    of_login = f"{MECHANISM.lower()}.sasl.jaas.config"
    login = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    chosen = SETTINGS | {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(files / "both.pem"),
        "sasl.enabled.mechanisms": MECHANISM,
        **{f"listener.name.{name}.{of_login}": login for name in ("sasl_ssl", "sasl_plaintext")},
    }
    with apache_kafka(directory, settings=chosen, secured=LISTENERS, options=java_options(quick)) as broker:
        yield Side(broker, broker.secured, str(files / "ca.pem"))


def _add_user(address: str) -> None:
    change = UserScramCredentialUpsertion(
        USER, ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), PASSWORD.encode()
    )
    admin = AdminClient({"bootstrap.servers": address})
    admin.alter_user_scram_credentials([change])[USER].result(timeout=60)
