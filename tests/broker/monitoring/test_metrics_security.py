"""TLS and token of the monitoring pages, and metrics of refused clients."""

import re
import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from typer.testing import CliRunner

from tenure.broker.config.configuration import load_settings
from tenure.broker.config.start_error import StartError
from tenure.broker.security.monitoring_security import MonitoringSecurity, refuse_unused
from tenure.client import read_arrow
from tenure.client.errors import AuthenticationFailed
from tests.broker.wire import Wire
from tests.command_line import app
from tests.monitoring_pages import read_page
from tests.serving import Serving, serving

TOKEN = "planted-token-0123456789"
PASSWORD = "a password"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("certificates")
    done = CliRunner().invoke(app, ["certificates", str(directory)], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    (directory / "token").write_text(f"{TOKEN}\n")
    (directory / "users").write_text(f"alice={PASSWORD}\n")
    return directory


@pytest.fixture(scope="module")
def broker(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    pair = f"{files}/broker.pem,{files}/broker-key.pem"
    watched = ("--metrics", "127.0.0.1:0", "--metrics-tls", pair, "--metrics-token-file", f"{files}/token")
    listen = ("--listen", "127.0.0.1:0", "--memory", "--tls", pair, "--users", f"{files}/users")
    with serving(tmp_path_factory.mktemp("watched"), options=(*listen, *watched)) as running:
        yield running


def read(broker: Serving, files: Path, page: str, *authorizations: str) -> tuple[int, str]:
    (address,) = re.findall(r"are at (https://[^/]+)/metrics", broker.log)
    request = Request(address + page)
    for authorization in authorizations:
        request.add_header("Authorization", authorization)
    page_read = read_page(request, ssl.create_default_context(cafile=f"{files}/ca.pem"))
    return page_read.status, page_read.text + page_read.login_scheme


def test_metrics_page__request_with_the_token__answered(broker: Serving, files: Path) -> None:
    status, text = read(broker, files, "/metrics", f"Bearer {TOKEN}")
    assert status == 200
    assert "tenure_connections " in text


@pytest.mark.parametrize(
    "sent",
    [[], ["Bearer"], ["Bearer wrong"], [f"Basic {TOKEN}"], [TOKEN], [f"Bearer {TOKEN}x"], [f"Bearer {TOKEN[:-1]}"]],
)
def test_metrics_page__token_missing_or_wrong__refused_and_logged(
    broker: Serving, files: Path, sent: list[str]
) -> None:
    status, text = read(broker, files, "/metrics", *sent)
    assert status == 401
    assert text.endswith("Bearer")
    assert "tenure_connections" not in text
    assert "refused /metrics to 127.0.0.1: the bearer token is missing or wrong" in broker.log
    assert TOKEN not in broker.log


@pytest.mark.parametrize("page", ["/healthz", "/readyz"])
def test_health_and_readiness_pages__request_without_a_token__answered(broker: Serving, files: Path, page: str) -> None:
    assert read(broker, files, page)[0] in (200, 503)


def test_monitoring_pages__requested_without_tls__no_answer(broker: Serving) -> None:
    (port,) = re.findall(r"are at https://127.0.0.1:(\d+)/", broker.log)
    with pytest.raises(OSError):
        urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30)


def test_metrics_page__failed_logins__counted_by_mechanism(broker: Serving, files: Path) -> None:
    def count(mechanism: str) -> float:
        _, text = read(broker, files, "/metrics", f"Bearer {TOKEN}")
        (value,) = re.findall(rf'tenure_authentication_failures_total{{mechanism="{mechanism}"}} (\S+)', text)
        return float(value)

    scram, tls = count("SCRAM-SHA-512"), count("TLS")
    given = {
        "bootstrap.servers": broker.address,
        "security.protocol": "SASL_SSL",
        "ssl.ca.location": f"{files}/ca.pem",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "alice",
        "sasl.password": "guess",
    }
    with pytest.raises(AuthenticationFailed):
        read_arrow(given, "t")
    with Wire(broker) as wire:
        wire.send_bytes(b"no TLS at all, but some bytes")
        wire.is_closed()
    assert count("SCRAM-SHA-512") == scram + 1
    assert count("TLS") == tls + 1


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["tenure.metrics.tls=/nowhere"], "tenure.metrics.tls cannot be used: ssl.keystore.location"),
        (
            ["tenure.metrics.token.file=/nowhere"],
            "tenure.metrics.token.file: file /nowhere cannot be read: No such file",
        ),
        (["tenure.metrics.token.file={empty}"], "has no token"),
    ],
)
def test_metrics_security_settings__file_missing_or_empty__refused(flags: list[str], why: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    settings, _ = load_settings(flags=[flag.format(empty=tmp_path / "empty") for flag in flags])
    with pytest.raises(StartError, match=why):
        MonitoringSecurity(settings)


def test_metrics_security_settings__metrics_listener_not_configured__refused() -> None:
    settings, _ = load_settings(flags=["tenure.metrics.token.file=x"])
    with pytest.raises(StartError, match="no pages are served"):
        refuse_unused(settings)
