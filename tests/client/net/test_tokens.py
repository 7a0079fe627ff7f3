"""Logins with OAUTHBEARER: tokens from a file, a function and an identity provider, renewed before sessions end."""

import base64
import json
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import pytest

from tenure.client import Consumer, read_arrow
from tenure.client.configuration import Configuration, ConfigurationError
from tenure.client.errors import AuthenticationFailed, ClientError
from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.security import SECURITY_KEYS, security
from tenure.development_certificates import write_certificates
from tenure.pipeline.errors import PipelineConfigError
from tenure.run_options import RunOptions
from tenure.testing import Broker, BrokerSecurity

SECRET = "planted secret"
URL = "sasl.oauthbearer.token.endpoint.url"
PROTOCOL = "SASL_PLAINTEXT"


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(security=BrokerSecurity(PROTOCOL, mechanisms=["OAUTHBEARER"])) as running:
        running.create_topic("orders")
        running.produce("orders", ["a"])
        yield running


def keys(broker: Broker, **others: Any) -> dict[str, Any]:
    given = {"bootstrap.servers": broker.address, "security.protocol": PROTOCOL, "sasl.mechanism": "OAUTHBEARER"}
    return {**given, "default.api.timeout.ms": 3_000, **others}


class Provider(ThreadingHTTPServer):
    """An identity provider with one client."""

    def __init__(self, token: str) -> None:
        super().__init__(("127.0.0.1", 0), _TokenEndpoint)
        self.answer = {"access_token": token, "expires_in": 300}
        self.status = 200
        self.requests: list[dict[str, list[str]]] = []


class _TokenEndpoint(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.requests.append(form)
        right = base64.b64encode(b"web:planted%20secret").decode()
        status = self.server.status if self.headers["Authorization"] == f"Basic {right}" else 401
        body = json.dumps(self.server.answer).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def provider(token: str, certificates: Path | None = None) -> Iterator[tuple[Provider, str]]:
    server, scheme = Provider(token), "http"
    if certificates is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates / "broker.pem", certificates / "broker-key.pem")
        server.socket, scheme = context.wrap_socket(server.socket, server_side=True), "https"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server, f"{scheme}://127.0.0.1:{server.server_port}/token"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def oidc(broker: Broker, url: str, secret: str = SECRET, **others: Any) -> dict[str, Any]:
    client = {"sasl.oauthbearer.client.id": "web", "sasl.oauthbearer.client.secret": secret}
    return keys(broker, **{URL: url, "sasl.oauthbearer.method": "oidc", **client, **others})


def test_token_file__token_replaced__next_login_uses_it(broker: Broker, tmp_path: Path) -> None:
    file = tmp_path / "token"
    given = keys(broker, **{URL: f"file://{file}"})
    file.write_text("expired\n")
    with pytest.raises(AuthenticationFailed, match=r"for OAUTHBEARER: .*Check file:///.*token") as refused:
        read_arrow(given, "orders")
    assert "expired" not in str(refused.value).replace(str(tmp_path), "")
    file.write_text(broker.credentials().token() + "\n")
    assert len(read_arrow(given, "orders")) == 1
    file.unlink()
    with pytest.raises(AuthenticationFailed, match="cannot be read: no such file"):
        read_arrow({**given, "client.id": "another"}, "orders")


def test_token_function__several_connections__called_once_with_its_config(broker: Broker) -> None:
    asked: list[str] = []

    def token(config: str) -> tuple[str, float, str, dict[str, str]]:
        asked.append(config)
        return broker.credentials().token(), time.time() + 300, "alice", {"traceId": "7"}

    given = keys(broker, oauth_cb=token, **{"sasl.oauthbearer.config": "scope=x"})
    assert len(read_arrow(given, "orders")) == 1
    assert len(read_arrow({**given, "client.id": "another"}, "orders")) == 1
    assert asked == ["scope=x"]


@pytest.mark.parametrize("result", [None, ("",), ("two words", 9e9), (b"bytes", 9e9), ("token", "never")])
def test_token_function__returns_no_token__error_names_the_function(broker: Broker, result: Any) -> None:
    with pytest.raises(AuthenticationFailed, match="oauth_cb"):
        read_arrow(keys(broker, oauth_cb=lambda _: result), "orders")


def test_token_from_identity_provider__https_endpoint__one_request_with_the_scope(
    broker: Broker, tmp_path: Path
) -> None:
    write_certificates(tmp_path)
    with provider(broker.credentials().token(), tmp_path) as (server, url):
        with pytest.raises(AuthenticationFailed, match=r"is not trusted: set 'https\.ca\.location'"):
            read_arrow(oidc(broker, url), "orders")
        given = oidc(
            broker, url, **{"https.ca.location": str(tmp_path / "ca.pem"), "sasl.oauthbearer.scope": "kafka rw"}
        )
        assert len(read_arrow(given, "orders")) == 1
        assert len(read_arrow({**given, "client.id": "another"}, "orders")) == 1
        assert server.requests == [{"grant_type": ["client_credentials"], "scope": ["kafka rw"]}]


def test_token_from_identity_provider__request_refused_or_redirected__error_without_the_secret(broker: Broker) -> None:
    with provider("") as (server, url):
        with pytest.raises(AuthenticationFailed, match=r"refused client 'web' \(HTTP status 401\). Check 'sasl\.oauth"):
            read_arrow(oidc(broker, url, "guess"), "orders")
        server.status = 302
        with pytest.raises(AuthenticationFailed, match="HTTP status 302"):
            read_arrow(oidc(broker, url), "orders")
        server.status = 200
        with pytest.raises(AuthenticationFailed, match="returned no token"):
            read_arrow(oidc(broker, url), "orders")
        server.status = 503
        with pytest.raises(ClientError, match="HTTP status 503") as failed:
            read_arrow(oidc(broker, url, **{"default.api.timeout.ms": 200}), "orders")
        assert not isinstance(failed.value, AuthenticationFailed), "it may pass"
        assert SECRET not in str(failed.value)


@pytest.mark.long
def test_sasl_session__ends_with_the_token__static_member_logs_in_again_and_keeps_its_seat() -> None:
    """Tokens of two seconds: the client logs in again before each of them expires (KIP-368)."""
    with Broker(
        {"connections.max.reauth.ms": 500}, security=BrokerSecurity(PROTOCOL, mechanisms=["OAUTHBEARER"])
    ) as broker:
        broker.create_topic("orders")
        broker.produce("orders", ["a"])
        logins: list[float] = []

        def token(_: str) -> tuple[str, float]:
            logins.append(time.monotonic())
            return broker.credentials().token(), time.time() + 0.2

        given = keys(broker, oauth_cb=token, **{"group.id": "g", "group.instance.id": "i"})
        with Consumer({**given, "auto.offset.reset": "earliest", "heartbeat.interval.ms": 50}) as consumer:
            consumer.subscribe(["orders"])
            while not consumer.poll(0.05):
                pass
            before, seen = broker.wait_until_stable("g", 1), len(logins)
            while len(logins) < seen + 5:
                consumer.poll(0.05)
                consumer.commit()
            assert broker.wait_until_stable("g", 1) == before


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, f"need one source: set '{URL}' or 'oauth_cb'"),
        ({URL: "file:///t", "oauth_cb": print}, "need one source"),
        ({URL: "http://idp.example/token"}, r"https:// URL \(http:// for this host only\)"),
        ({URL: "/etc/token"}, "must be a file:///PATH or https:// URL"),
        ({URL: "https://idp.example/token"}, r"Missing setting 'sasl\.oauthbearer\.client\.id'"),
        ({URL: "file:///t", "sasl.oauthbearer.method": "oidc"}, "set 'sasl.*' to an https:// URL"),
        ({URL: "file:///t", "sasl.oauthbearer.extensions": "auth=x"}, "without the name auth"),
        ({URL: "file:///t", "sasl.oauthbearer.extensions": "x"}, "a list of NAME=VALUE"),
        ({"oauth_cb": "print"}, "must be a function"),
        ({"sasl.password": b"planted secret"}, r"'sasl\.password': must be a string, not \[hidden\]"),
        ({"ssl.key.pem": "x"}, "set 'ssl.certificate.location'"),
        ({"ssl.certificate.pem": "x"}, r"Missing setting 'ssl\.key\.pem'"),
        ({"ssl.ca.pem": "x", "ssl.ca.location": "y"}, "are both set: remove one"),
        ({"ssl.keystore.location": "x", "ssl.certificate.location": "y"}, "are both set: remove one"),
    ],
)
def test_token_configuration__keys_contradict_each_other__error_names_key_and_remedy(
    changes: dict[str, Any], why: str
) -> None:
    given = {"security.protocol": PROTOCOL, "sasl.mechanism": "OAUTHBEARER", **changes}
    with pytest.raises(ConfigurationError, match=why):
        security(Configuration(SECURITY_KEYS, given))


def test_token_settings__repr__without_the_secret() -> None:
    given = {"bootstrap.servers": "b:1", "security.protocol": PROTOCOL, "sasl.mechanism": "OAUTHBEARER"}
    client = {"sasl.oauthbearer.client.id": "web", "sasl.oauthbearer.client.secret": SECRET}
    assert SECRET not in repr(bootstrap({**given, **client, URL: "https://idp.example"}))


def test_pipeline__token_function_in_its_configuration__refused() -> None:
    given = {"security.protocol": PROTOCOL, "sasl.mechanism": "OAUTHBEARER", "oauth_cb": print}
    with pytest.raises(PipelineConfigError, match="oauth_cb in security is a function, which Spark's tasks"):
        RunOptions(bootstrap_servers="b:1", security=given)
