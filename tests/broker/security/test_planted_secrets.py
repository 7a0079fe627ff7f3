"""Secrets of all settings, which must not appear in logs, errors, metrics, `repr` and data."""

import io
import json
import time
import traceback
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, ConfigResource
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet
from typer.testing import CliRunner

from tenure.admin import Admin
from tenure.client import Consumer, Producer
from tenure.client.configuration import Configuration
from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.security import SECURITY_KEYS
from tenure.development_certificates import write_certificates
from tenure.run_options import RunOptions
from tests.command_line import app
from tests.monitoring_pages import read_page
from tests.serving import Serving, serving

USER, SCRAM, KEY, WRONG = "planted-of-the-users-file", "planted-by-a-command", "planted-of-the-key", "planted-wrong"
CLIENT, METRICS = "planted-client-secret", "planted-metrics-token"
ISSUER = ECKey.generate_key("P-256", {"kid": "k"})


def token(expires_s: float) -> str:
    claims = {"sub": "alice", "aud": "kafka", "exp": int(expires_s)}
    return jwt.encode({"alg": "ES256", "kid": "k"}, claims, ISSUER, algorithms=["ES256"])


GOOD, EXPIRED = token(time.time() + 600), token(1)
SECRETS = (USER, SCRAM, KEY, WRONG, CLIENT, METRICS, GOOD, EXPIRED)


def written(directory: Path) -> tuple[str, ...]:
    """Write certificates, users and keys, and return the settings of a broker with them."""
    write_certificates(directory)
    key: Any = load_pem_private_key((directory / "broker-key.pem").read_bytes(), None)
    encryption = BestAvailableEncryption(KEY.encode())
    (directory / "broker-key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
    (directory / "users").write_text(f"alice={USER}\n")
    (directory / "jwks.json").write_text(json.dumps(KeySet([ISSUER]).as_dict(private=False)))
    (directory / "token").write_text(METRICS)
    return (
        f"ssl.keystore.location={directory}/broker.pem,{directory}/broker-key.pem",
        f"ssl.key.password={KEY}",
        f"tenure.users.file={directory}/users",
        "sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,OAUTHBEARER",
        f"sasl.oauthbearer.jwks.endpoint.url=file://{directory}/jwks.json",
        "sasl.oauthbearer.expected.audience=kafka",
        f"tenure.metrics.token.file={directory}/token",
        "connection.failed.authentication.delay.ms=1",
    )


def configs(broker: Serving, files: Path) -> list[dict[str, Any]]:
    """Return settings of clients: right and wrong ones of each mechanism."""
    tls = {"bootstrap.servers": broker.address, "security.protocol": "SASL_SSL", "ssl.ca.location": f"{files}/ca.pem"}
    return [
        *(
            {**tls, "sasl.mechanism": mechanism, "sasl.username": "alice", "sasl.password": password}
            for mechanism in ("PLAIN", "SCRAM-SHA-256")
            for password in (USER, WRONG)
        ),
        *(
            {**tls, "sasl.mechanism": "OAUTHBEARER", "oauth_cb": lambda _, value=value: (value, time.time() + 60)}
            for value in (GOOD, EXPIRED)
        ),
        {
            **tls, "sasl.mechanism": "OAUTHBEARER", "sasl.oauthbearer.client.id": "web",
            "sasl.oauthbearer.client.secret": CLIENT, "sasl.oauthbearer.token.endpoint.url": f"https://{broker.address}/of-an-untrusted-host",
        },
    ]  # fmt: skip


def told_by_clients(config: dict[str, Any]) -> str:
    """Return the `repr` and the error messages of all clients and options that get these settings."""
    told = io.StringIO()
    security = {name: value for name, value in config.items() if name in {key.name for key in SECURITY_KEYS}}
    print(bootstrap(config), Configuration(SECURITY_KEYS, security), file=told)
    if "oauth_cb" not in security:
        print(RunOptions(bootstrap_servers=config["bootstrap.servers"], security=security), file=told)
    for use in (use_admin, use_producer, use_consumer):
        try:
            use(config, told)
        except Exception:
            print(traceback.format_exc(), file=told)
    return told.getvalue()


def use_admin(config: dict[str, Any], told: io.StringIO) -> None:
    with Admin(config) as admin:
        print(repr(admin), vars(admin), file=told)
        admin.list_topics()


def use_producer(config: dict[str, Any], told: io.StringIO) -> None:
    with Producer({**config, "delivery.timeout.ms": 2_000, "request.timeout.ms": 1_000, "linger.ms": 0}) as producer:
        print(repr(producer), vars(producer), file=told)
        producer.send("orders", b"k", b"v", 0)


def use_consumer(config: dict[str, Any], told: io.StringIO) -> None:
    with Consumer({**config, "group.id": "g", "default.api.timeout.ms": 1_000}) as consumer:
        print(repr(consumer), vars(consumer), file=told)
        consumer.subscribe(["orders"])
        consumer.poll(0.1)


def told_by_commands(broker: Serving, files: Path) -> str:
    """Return the output of commands with right and wrong properties files, and of a broker that shows its settings."""
    told = []
    for number, config in enumerate(configs(broker, files)):
        file = files / f"{number}.properties"
        pairs = {name: value for name, value in config.items() if isinstance(value, str)}
        file.write_text(
            "".join(f"{name}={value}\n" for name, value in pairs.items()) + "sasl.pasword=x\n" * (number % 2)
        )
        (files / "password").write_text(SCRAM)
        for arguments in (
            ["users", "add", "carol", "--password-file", f"{files}/password"],
            ["users", "list"],
            ["topics", "list"],
        ):
            done = CliRunner().invoke(app, [*arguments, "--command-config", str(file)])
            told += [done.output, done.stderr, "".join(traceback.format_exception(done.exception))]
    return "".join(told)


def metrics(broker: Serving) -> str:
    address = next(word for word in broker.log.replace(",", " ").split() if word.startswith("http://"))
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {METRICS}"})
    return read_page(request).text


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_secrets__in_every_security_setting__not_in_logs_errors_metrics_or_data(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files, data = tmp_path / "files", tmp_path / "data"
    settings = written(files)
    data.mkdir()
    options = ("--listen", "SASL_SSL://127.0.0.1:0", "--metrics", "127.0.0.1:0")
    with serving(data, *settings, options=options) as broker:
        told = [told_by_clients(config) for config in configs(broker, files)]
        told.append(told_by_commands(broker, files))
        told.append(metrics(broker))
        admin = AdminClient(configs(broker, files)[0])
        (described,) = admin.describe_configs([ConfigResource(ConfigResource.Type.BROKER, "1")]).values()
        told.append(repr({name: entry.value for name, entry in described.result(timeout=60).items()}))
        log = broker.log
        broker.kill()
    assert "authentication as 'alice' with PLAIN failed" in log
    told += [log, *capfd.readouterr()]
    stored = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    found = {secret for secret in SECRETS for text in told if secret in text}
    assert found == set()
    assert {secret for secret in SECRETS if secret.encode() in stored} == set()
