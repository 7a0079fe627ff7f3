"""TLS and SASL with Apache Kafka: accepted and refused clients, and their errors (rule 1.5)."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.admin import Admin
from tenure.client import ClientError, ConfigurationError, Consumer, GroupMember, TopicPartition, read_arrow
from tenure.client.configuration import Configuration
from tenure.client.errors import AuthenticationFailed
from tenure.client.net.security import SECURITY_KEYS, security
from tenure.client.producer.producer import Producer
from tenure.client.values import Assigned, OffsetAndMetadata
from tenure.exit_status import ExitStatus
from tests.command_line import app
from tests.oracle.conftest import require_kafka
from tests.secured_kafka import MECHANISMS, Secured, config, secured_kafka


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    require_kafka()
    with secured_kafka(tmp_path_factory.mktemp("secured")) as found:
        with Producer(found.kafka.address) as producer:
            for number in range(100):
                producer.send("flights", b"%d" % number, b"v", partition=0)
        yield found


@pytest.mark.oracle
def test_tls__trusted_certificate__records_are_read(secured: Secured) -> None:
    assert len(read_arrow(config(secured, "SSL"), "flights")) == 100


@pytest.mark.parametrize("protocol", ["SASL_SSL", "SASL_PLAINTEXT"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.oracle
def test_sasl__right_password__connects(secured: Secured, protocol: str, mechanism: str) -> None:
    assert len(read_arrow(config(secured, protocol, mechanism), "flights")) == 100


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.oracle
def test_sasl__wrong_password__refused_at_once(secured: Secured, mechanism: str) -> None:
    with pytest.raises(
        AuthenticationFailed, match=f"authentication failed at .* for 'alice' with {mechanism}: .*'sasl.username'"
    ):
        read_arrow(config(secured, "SASL_SSL", mechanism, sasl_password="guess"), "flights")


@pytest.mark.oracle
def test_sasl__session_ends_every_few_seconds__static_member_keeps_its_seat_and_reads(secured: Secured) -> None:
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
def test_tls__certificate_of_an_unknown_authority__error_without_a_retry(secured: Secured) -> None:
    given = config(secured, "SSL")
    del given["ssl.ca.location"]
    with pytest.raises(AuthenticationFailed, match=r"is not trusted .*'ssl\.ca\.location'"):
        read_arrow(given, "flights")


@pytest.mark.oracle
def test_tls__certificate_of_another_host_name__refused_unless_verification_is_off(secured: Secured) -> None:
    port = secured.kafka.secured["SSL"].rpartition(":")[2]
    given = config(secured, "SSL", bootstrap_servers=f"localhost:{port}")
    with pytest.raises(AuthenticationFailed, match="is not trusted"):
        read_arrow(given, "flights")
    assert len(read_arrow({**given, "ssl.endpoint.identification.algorithm": ""}, "flights")) == 100


@pytest.mark.oracle
def test_tls__listener_without_tls__connection_fails_with_an_error(secured: Secured) -> None:
    given = config(secured, "SSL", bootstrap_servers=secured.kafka.address, default_api_timeout_ms=3_000)
    with pytest.raises(ClientError, match=r"TLS is not enabled|TLS handshake with .* failed|No broker is reachable"):
        read_arrow(given, "flights")


# --- other functions that take an address -----------------------------------------------------------------------------


@pytest.mark.oracle
def test_admin_and_member__dictionary_with_security_keys__connect(secured: Secured) -> None:
    keys = config(secured, "SASL_SSL", "SCRAM-SHA-512")
    with GroupMember(keys, "members", ["flights"], group_instance_id="seat-1") as member:
        assigned = next(event for _ in range(600) for event in member.poll(0.1) if isinstance(event, Assigned))
        member.commit({at: OffsetAndMetadata(7) for at in assigned.partitions}, assigned.identity)
    with Admin(keys) as admin:
        (group,) = admin.describe_groups(["members"])
        assert [one.name for one in group.members] == ["seat-1"]
        assert [at.offset for at in admin.committed_offsets("members").values()] == [7]


@pytest.mark.oracle
def test_admin__wrong_password__refused_at_once(secured: Secured) -> None:
    keys = config(secured, "SASL_PLAINTEXT", "PLAIN", sasl_password="guess")
    with (
        Admin(keys) as admin,
        pytest.raises(AuthenticationFailed, match=r"Check 'sasl\.username' and 'sasl\.password'"),
    ):
        admin.list_topics()


@pytest.mark.oracle
def test_command_config__valid_file__connects(secured: Secured, tmp_path: Path) -> None:
    keys = config(secured, "SASL_SSL", "SCRAM-SHA-256")
    file = tmp_path / "client.properties"
    file.write_text("# who we are\n\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()))

    def tenure(*arguments: str, stdin: str = "") -> str:
        done = CliRunner().invoke(app, [*arguments, "--command-config", str(file)], input=stdin, catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        return str(done.stdout)

    tenure("topics", "create", "typed", "-p", "1")
    tenure("produce", "typed", stdin="one\ntwo\n")
    assert tenure("consume", "typed", "--from-beginning", "--until-end") == "one\ntwo\n"
    assert tenure("consume", "typed", "--group", "typists", "--from-beginning", "--until-end") == "one\ntwo\n"
    assert "typists\tclassic\tconsumer\tEmpty\n" in tenure("groups", "list")


@pytest.mark.oracle
def test_command_line__wrong_password__error_of_one_sentence_without_the_password(
    secured: Secured, tmp_path: Path
) -> None:
    keys = config(secured, "SASL_SSL", "PLAIN", sasl_password="guesswork")
    file = tmp_path / "client.properties"
    file.write_text("".join(f"{key}={value}\n" for key, value in keys.items()))
    done = CliRunner().invoke(app, ["topics", "list", "--command-config", str(file)], catch_exceptions=False)
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "for 'alice' with PLAIN" in done.stderr
    assert "guesswork" not in done.stderr


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("sasl.password\n", "line 1, is not a setting: write it as KEY=VALUE"),
        ("sasl.pasword=x\n", "Unknown setting 'sasl.pasword': did you mean 'sasl.password'?"),
        (
            "security.protocol=SASL_SSL\n",
            "Missing setting 'sasl.mechanism': it is required with security.protocol SASL_SSL",
        ),
        ("security.protocol=TLS\n", "'security.protocol': must be one of PLAINTEXT, SSL"),
        (None, "cannot be read: no such file or directory"),
    ],
)
def test_command_config__file_invalid_or_missing__error_of_one_sentence(
    tmp_path: Path, content: str | None, why: str
) -> None:
    file = tmp_path / "client.properties"
    if content is not None:
        file.write_text(content)
    done = CliRunner().invoke(app, ["topics", "list", "--command-config", str(file)], catch_exceptions=False)
    assert (done.exit_code, done.stderr.count("\n")) == (ExitStatus.MISUSED, 1), done.stderr
    assert why in done.stderr


def test_security_page__compared_with_the_security_keys__has_every_key() -> None:
    written = (Path(__file__).parents[3] / "docs" / "security.md").read_text("utf-8")
    assert {key.name for key in SECURITY_KEYS if f"`{key.name}`" not in written} == set()


def test_configuration__sasl_without_a_password__error_names_setting() -> None:
    values = Configuration(
        SECURITY_KEYS, {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.username": "alice"}
    )
    with pytest.raises(ConfigurationError, match=r"'sasl\.password': it is required with security\.protocol SASL_SSL"):
        security(values)


def test_configuration__certificate_file_missing__error_names_file(tmp_path: Path) -> None:
    values = Configuration(
        SECURITY_KEYS, {"security.protocol": "SSL", "ssl.ca.location": str(tmp_path / "nowhere.pem")}
    )
    with pytest.raises(ConfigurationError, match=r"TLS files cannot be loaded: .*nowhere\.pem \(No such file"):
        security(values)
