"""Logins with tokens: issuer, audience, expiry and signature."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import MetadataRequest, SaslAuthenticateRequest, SaslHandshakeRequest
from tests.broker.wire import Wire
from tests.serving import Serving, serving

KEY = RSAKey.generate_key(2048, {"kid": "first"})
FOREIGN = RSAKey.generate_key(2048, {"kid": "first"})
LATER = ECKey.generate_key("P-256", {"kid": "later"})
SHARED = OctKey.import_key("a shared secret of some length, which nobody may use", {"kid": "first"})


@pytest.fixture(scope="module")
def jwks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("jwks") / "jwks.json"
    file.write_text(json.dumps(KeySet([KEY, LATER]).as_dict(private=False)))
    return file


@pytest.fixture(scope="module")
def broker(jwks: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = (
        "sasl.enabled.mechanisms=OAUTHBEARER",
        f"sasl.oauthbearer.jwks.endpoint.url=file://{jwks}",
        "sasl.oauthbearer.expected.audience=kafka,other",
        "sasl.oauthbearer.expected.issuer=https://issuer.example",
    )
    options = ("--listen", "SASL_PLAINTEXT://127.0.0.1:0", "--memory")
    with serving(tmp_path_factory.mktemp("oauth"), *settings, options=options) as running:
        yield running


def token(key: Any = KEY, algorithm: str = "RS256", **changes: Any) -> str:
    claims = {"sub": "alice", "iss": "https://issuer.example", "aud": "kafka", "exp": int(time.time()) + 300} | changes
    header = {"alg": algorithm, "kid": key.kid}
    present = {name: value for name, value in claims.items() if value is not None}
    return str(jwt.encode(header, present, key, algorithms=[algorithm]))


def unsigned() -> str:
    _, claims, _ = token().split(".")
    return f"eyJhbGciOiJub25lIn0.{claims}."


def log_in(wire: Wire, bearer: str, authorized: str = "") -> Any:
    assert wire.ask(SaslHandshakeRequest("OAUTHBEARER"), 1).error_code == 0
    return wire.ask(SaslAuthenticateRequest(f"n,{authorized},\x01auth=Bearer {bearer}\x01\x01".encode()))


@pytest.mark.parametrize("key", [KEY, LATER], ids=["RSA", "EC"])
def test_oauthbearer_token__valid__session_lifetime_ends_with_the_token(broker: Serving, key: Any) -> None:
    with Wire(broker) as wire:
        answer = log_in(wire, token(key, "RS256" if key is KEY else "ES256"))
        assert (answer.error_code, answer.auth_bytes) == (0, b"")
        assert 200_000 < answer.session_lifetime_ms <= 300_000
        assert wire.ask(MetadataRequest([])).brokers


@pytest.mark.parametrize(
    "bearer",
    [
        token(exp=1),
        token(exp=None),
        token(sub=None),
        token(aud="another"),
        token(iss="https://evil.example"),
        token(FOREIGN),
        token(SHARED, "HS256"),
        unsigned(),
        token()[:-8] + "AAAAAAAA",
        "a.b.c",
        "x",
    ],
    ids=[
        "expired",
        "endless",
        "nobody",
        "audience",
        "issuer",
        "foreign",
        "HS256",
        "none",
        "damaged",
        "garbage",
        "short",
    ],
)
def test_oauthbearer_token__expired_forged_or_malformed__refused(broker: Serving, bearer: str) -> None:
    with Wire(broker) as wire:
        challenge = log_in(wire, bearer)
        assert bytes(challenge.auth_bytes) == b'{"status":"invalid_token"}'
        refused = wire.ask(SaslAuthenticateRequest(b"\x01"))
        assert refused.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert wire.is_closed()
    assert bearer not in broker.log or len(bearer) < 10


def test_oauthbearer_token__authorization_id_of_another_user__refused(broker: Serving) -> None:
    with Wire(broker) as wire:
        assert log_in(wire, token(), "a=bob").error_code == ErrorCode.SASL_AUTHENTICATION_FAILED


@pytest.mark.interop
def test_oauthbearer_token__sent_by_librdkafka__accepted(broker: Serving) -> None:
    given = {
        "bootstrap.servers": broker.address,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "OAUTHBEARER",
        "oauth_cb": lambda _: (token(), time.time() + 300, "alice", {}),
    }
    admin = AdminClient(given)
    admin.poll(0)
    assert admin.list_topics(timeout=30).brokers
