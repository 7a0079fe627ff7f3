"""SASL logins of other clients and ours: accepted and refused ones, and requests before the login."""

import asyncio
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion

from tenure.client import Producer, read_arrow
from tenure.client.errors import AuthenticationFailed
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ApiVersionsRequest,
    MetadataRequest,
    SaslAuthenticateRequest,
    SaslHandshakeRequest,
)
from tests.broker.wire import Wire
from tests.serving import Serving, serving

PASSWORD = "planted secret"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
LISTEN = ("--listen", "SASL_PLAINTEXT://127.0.0.1:0", "--memory")
LIBRARY = ApiVersionsRequest("a-library", "1.0")


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("users") / "users.properties"
    file.write_text(f"# of tests\nalice={PASSWORD}\n\nbob=other=one\n")
    return file


def started(tmp_path: Path, users: Path, *settings: str) -> Any:
    enabled = "sasl.enabled.mechanisms=" + ",".join(MECHANISMS)
    return serving(tmp_path, f"tenure.users.file={users}", enabled, *settings, options=LISTEN)


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory, users: Path) -> Iterator[Serving]:
    with started(tmp_path_factory.mktemp("sasl"), users) as broker:
        yield broker
        assert PASSWORD not in broker.log


def keys(broker: Serving, mechanism: str, user: str = "alice", password: str = PASSWORD) -> dict[str, Any]:
    return {
        "bootstrap.servers": broker.address,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": mechanism,
        "sasl.username": user,
        "sasl.password": password,
    }


def by_librdkafka(broker: Serving, mechanism: str, password: str) -> bool:
    refused: list[Any] = []
    admin = AdminClient({**keys(broker, mechanism, password=password), "error_cb": refused.append, "log_level": 0})
    try:
        return bool(admin.list_topics(timeout=20 if password == PASSWORD else 2).brokers)
    except KafkaException:
        return False


def by_kafka_python(broker: Serving, mechanism: str, password: str) -> bool:
    from kafka import KafkaConsumer
    from kafka.errors import KafkaError

    try:
        consumer = KafkaConsumer(
            bootstrap_servers=broker.address,
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism=mechanism,
            sasl_plain_username="alice",
            sasl_plain_password=password,
            request_timeout_ms=20_000,
            bootstrap_timeout_ms=20_000 if password == PASSWORD else 2_000,
        )
    except KafkaError:
        return False
    consumer.topics()
    consumer.close()
    return True


def by_aiokafka(broker: Serving, mechanism: str, password: str) -> bool:
    from aiokafka import AIOKafkaClient
    from aiokafka.errors import KafkaError

    async def run() -> bool:
        client = AIOKafkaClient(
            bootstrap_servers=broker.address,
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism=mechanism,
            sasl_plain_username="alice",
            sasl_plain_password=password,
        )
        try:
            await client.bootstrap()
        except KafkaError:
            return False
        finally:
            await client.close()
        return True

    return asyncio.run(run())


def by_tenure(broker: Serving, mechanism: str, password: str) -> bool:
    topic = f"of-{mechanism.lower()}"
    given = keys(broker, mechanism, password=password)
    try:
        with Producer(given) as producer:
            producer.send(topic, b"k", b"v", partition=0)
    except AuthenticationFailed:
        return False
    return len(read_arrow(given, topic)) >= 1


LOGINS = {log_in.__name__: log_in for log_in in (by_librdkafka, by_kafka_python, by_aiokafka, by_tenure)}


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("by", LOGINS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of kafka-python
@pytest.mark.interop
def test_login__right_or_wrong_password__only_the_right_one_accepted(secured: Serving, by: str, mechanism: str) -> None:
    log_in: Callable[[Serving, str, str], bool] = LOGINS[by]
    assert log_in(secured, mechanism, PASSWORD)
    assert not log_in(secured, mechanism, "guess")


def test_login__scram_user_created_with_an_admin_client__accepted_until_deleted(secured: Serving) -> None:
    admin = AdminClient(keys(secured, "SCRAM-SHA-512"))
    change = UserScramCredentialUpsertion("carol", ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), b"hers")
    admin.alter_user_scram_credentials([change])["carol"].result(timeout=60)
    given = keys(secured, "SCRAM-SHA-256", "carol", "hers")
    assert AdminClient(given).list_topics(timeout=60).brokers
    described = admin.describe_user_scram_credentials(["carol"])["carol"].result(timeout=60)
    assert [info.iterations for info in described.scram_credential_infos] == [4096]


def logged_in(wire: Wire, password: str = PASSWORD, version: int = 2) -> Any:
    wire.ask(SaslHandshakeRequest("PLAIN"), 1)
    return wire.ask(SaslAuthenticateRequest(f"\0alice\0{password}".encode()), version)


def test_login__after_an_api_versions_request__later_requests_answered(secured: Serving) -> None:
    with Wire(secured) as wire:
        assert wire.ask(LIBRARY).error_code == 0
        assert logged_in(wire).error_code == 0
        assert wire.ask(MetadataRequest([])).brokers


def test_sasl_handshake__unknown_mechanism__supported_ones_listed_and_connection_closed(secured: Serving) -> None:
    with Wire(secured) as wire:
        answer = wire.ask(SaslHandshakeRequest("GSSAPI"), 1)
        assert (answer.error_code, answer.mechanisms) == (ErrorCode.UNSUPPORTED_SASL_MECHANISM, list(MECHANISMS))
        assert wire.is_closed()


def test_sasl_handshake__version_0__token_without_a_request_header_accepted(secured: Serving) -> None:
    with Wire(secured) as wire:
        assert wire.ask(SaslHandshakeRequest("PLAIN"), 0).error_code == 0
        token = f"\0alice\0{PASSWORD}".encode()
        wire.send_bytes(struct.pack(">i", len(token)) + token)
        assert wire.receive_bytes() == b""
        assert wire.ask(MetadataRequest([])).brokers


def test_login__wrong_password__refused_and_connection_closed(secured: Serving) -> None:
    with Wire(secured) as wire:
        answer = logged_in(wire, "guess")
        assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert answer.error_message == "Authentication failed: Invalid username or password"
        assert wire.is_closed()
    assert "authentication as 'alice' with PLAIN failed" in secured.log
    assert "guess" not in secured.log


def test_sasl_handshake__already_logged_in_without_session_lifetime__illegal_sasl_state(secured: Serving) -> None:
    with Wire(secured) as wire:
        logged_in(wire)
        assert wire.ask(SaslHandshakeRequest("PLAIN"), 1).error_code == ErrorCode.ILLEGAL_SASL_STATE


FIRST = SaslAuthenticateRequest(b"n,,n=alice,r=abcdef")
BEFORE = {
    "Metadata first": [MetadataRequest([])],
    "ApiVersions twice": [LIBRARY, LIBRARY],
    "SaslAuthenticate without handshake": [SaslAuthenticateRequest(b"\0alice\0" + PASSWORD.encode())],
    "Metadata after handshake": [SaslHandshakeRequest("SCRAM-SHA-256"), MetadataRequest([])],
    "ApiVersions after handshake": [SaslHandshakeRequest("SCRAM-SHA-256"), LIBRARY],
    "Metadata within the exchange": [SaslHandshakeRequest("SCRAM-SHA-256"), FIRST, MetadataRequest([])],
    "handshake within the exchange": [SaslHandshakeRequest("SCRAM-SHA-256"), FIRST, SaslHandshakeRequest("PLAIN")],
}


@pytest.mark.parametrize("what", BEFORE)
def test_request__before_the_login__connection_closed_without_an_answer(secured: Serving, what: str) -> None:
    *first, last = BEFORE[what]
    with Wire(secured) as wire:
        for request in first:
            assert wire.ask(request).error_code == 0
        wire.send(last)
        assert wire.is_closed()


def test_frame__too_large_before_the_login__connection_closed(secured: Serving) -> None:
    with Wire(secured) as wire:
        wire.send_bytes(struct.pack(">i", 524_289))
        assert wire.is_closed()


def ask_for_ever(wire: Wire) -> None:
    while True:
        wire.ask(MetadataRequest([]))


@pytest.mark.long
def test_sasl_session__lifetime_over__connection_closed_unless_the_client_logs_in_again(
    tmp_path: Path, users: Path
) -> None:
    with started(tmp_path, users, "connections.max.reauth.ms=1500") as broker:
        with Wire(broker) as wire, Wire(broker) as lazy, Wire(broker) as other:
            for one in (wire, lazy, other):
                assert logged_in(one).session_lifetime_ms == 1500
            assert logged_in(wire).session_lifetime_ms == 1500  # a second login, before the session has ended
            other.ask(SaslHandshakeRequest("PLAIN"), 1)
            changed = other.ask(SaslAuthenticateRequest(b"\0bob\0other=one"))
            assert changed.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
            assert other.is_closed()
            with pytest.raises(ConnectionError):
                ask_for_ever(lazy)
        assert "the SASL session has ended" in broker.log


def test_login__takes_longer_than_the_limit__connection_closed(tmp_path: Path, users: Path) -> None:
    with started(tmp_path, users, "tenure.connection.login.max.ms=300") as broker, Wire(broker) as wire:
        wire.ask(LIBRARY)
        assert wire.is_closed()


def test_plain_login__backend_raises_an_error_with_the_password__refused_and_password_not_logged(
    tmp_path: Path,
) -> None:
    settings = ("sasl.enabled.mechanisms=PLAIN", "tenure.sasl.plain.backend=codecs:encode")
    with serving(tmp_path, *settings, options=LISTEN) as broker:
        with Wire(broker) as wire:
            assert logged_in(wire).error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert "the function of tenure.sasl.plain.backend raised LookupError" in broker.log
        assert PASSWORD not in broker.log


@pytest.mark.parametrize("user", ["alice", "nobody"])
def test_scram_login__wrong_nonce_and_proof__same_refusal_for_known_and_unknown_users(
    secured: Serving, user: str
) -> None:
    with Wire(secured) as wire:
        wire.ask(SaslHandshakeRequest("SCRAM-SHA-256"), 1)
        first = wire.ask(SaslAuthenticateRequest(f"n,,n={user},r=abcdef".encode()))
        assert first.error_code == 0
        assert first.auth_bytes.startswith(b"r=abcdef")
        final = wire.ask(SaslAuthenticateRequest(b"c=biws,r=abcdefforeign,p=" + b"A" * 43 + b"="))
        assert final.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert wire.is_closed()


def test_scram_login__replayed_exchange__refused(secured: Serving) -> None:
    from scramp import ScramClient

    def exchange(wire: Wire, client: Any, final: bytes | None = None) -> tuple[Any, bytes]:
        wire.ask(SaslHandshakeRequest("SCRAM-SHA-256"), 1)
        first = wire.ask(SaslAuthenticateRequest(client.get_client_first().encode()))
        if final is None:
            client.set_server_first(bytes(first.auth_bytes).decode())
            final = client.get_client_final().encode()
        return wire.ask(SaslAuthenticateRequest(final)), final

    with Wire(secured) as wire:
        answer, recorded = exchange(wire, ScramClient(["SCRAM-SHA-256"], "alice", PASSWORD, c_nonce="fixed"))
        assert answer.error_code == 0
    with Wire(secured) as wire:
        answer, _ = exchange(wire, ScramClient(["SCRAM-SHA-256"], "alice", PASSWORD, c_nonce="fixed"), recorded)
        assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED


TRUNCATED = {
    "nothing": [b""],
    "no nonce": [b"n,,n=alice"],
    "no user": [b"n,,r=abcdef"],
    "final first": [b"c=biws,r=abcdef,p=AAAA"],
    "channel binding": [b"p=tls-unique,,n=alice,r=abcdef"],
    "no final": [b"n,,n=alice,r=abcdef", b""],
    "first twice": [b"n,,n=alice,r=abcdef", b"n,,n=alice,r=abcdef"],
    "no proof": [b"n,,n=alice,r=abcdef", b"c=biws,r=abcdef"],
    "short proof": [b"n,,n=alice,r=abcdef", b"c=biws,r=abcdef,p=AA=="],
    "no base64": [b"n,,n=alice,r=abcdef", b"c=biws,r=abcdef,p=\xff\xfe"],
}


@pytest.mark.parametrize("what", TRUNCATED)
def test_scram_login__truncated_or_reordered_exchange__refused_and_connection_closed(
    secured: Serving, what: str
) -> None:
    *before, last = TRUNCATED[what]
    with Wire(secured) as wire:
        wire.ask(SaslHandshakeRequest("SCRAM-SHA-256"), 1)
        for token in before:
            assert wire.ask(SaslAuthenticateRequest(token)).error_code == 0
        refused = wire.ask(SaslAuthenticateRequest(last))
        assert (refused.error_code, refused.auth_bytes) == (ErrorCode.SASL_AUTHENTICATION_FAILED, b"")
        assert wire.is_closed()
    assert "a bug in the broker" not in secured.log
