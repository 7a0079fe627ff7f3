"""Kafka's own tools and clients with TLS and SASL of Tenure's broker: every mechanism, and users that tools create."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.command_line import app
from tests.interop.java_clients import TOOLS, JavaClients, java_clients
from tests.serving import Serving, serving

PASSWORD = "open sesame"
MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("certificates")
    assert CliRunner().invoke(app, ["certificates", str(directory), "--client", "alice"]).exit_code == 0
    (directory / "users").write_text(f"alice={PASSWORD}\n")
    both = (directory / "alice-key.pem").read_text() + (directory / "alice.pem").read_text()
    (directory / "alice-both.pem").write_text(both)
    return directory


@pytest.fixture(scope="module")
def broker(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = (
        f"ssl.keystore.location={files}/broker.pem,{files}/broker-key.pem",
        f"ssl.truststore.location={files}/ca.pem",
        "ssl.client.auth=requested",
        f"tenure.users.file={files}/users",
        f"sasl.enabled.mechanisms={','.join(MODULES)}",
        "connections.max.reauth.ms=2000",
    )
    options = ("--listen", "SASL_SSL://127.0.0.1:0,SSL://127.0.0.1:0", "--memory")
    with serving(tmp_path_factory.mktemp("secured"), *settings, options=options) as running:
        yield running


def address(broker: Serving, protocol: str) -> str:
    return next(at.partition("://")[2] for at in broker.address.split(",") if at.startswith(f"{protocol}://"))


@pytest.fixture(scope="module")
def java(broker: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaClients]:
    with java_clients(address(broker, "SASL_SSL"), tmp_path_factory.mktemp("java")) as clients:
        yield clients


def properties(files: Path, protocol: str, mechanism: str = "", user: str = "alice", password: str = PASSWORD) -> str:
    lines = [f"security.protocol={protocol}", "ssl.truststore.type=PEM", f"ssl.truststore.location={files}/ca.pem"]
    if mechanism:
        login = f'{MODULES[mechanism]} required username="{user}" password="{password}";'
        lines += [f"sasl.mechanism={mechanism}", f"sasl.jaas.config={login}"]
    else:
        lines += ["ssl.keystore.type=PEM", f"ssl.keystore.location={files}/alice-both.pem"]
    file = files / f"{protocol}-{mechanism}-{user}.properties"
    file.write_text("\n".join(lines))
    return str(file)


@pytest.mark.interop
@pytest.mark.oracle
@pytest.mark.parametrize("mechanism", MODULES)
def test_java_clients__each_sasl_mechanism__produce_and_consume(java: JavaClients, files: Path, mechanism: str) -> None:
    given, topic = properties(files, "SASL_SSL", mechanism), f"of-{mechanism}"
    java.tool("topics", "--command-config", given, "--create", "--topic", topic)
    java.tool("producer", "--command-config", given, "--topic", topic, stdin="one\ntwo\n")
    read = java.tool("consumer", "--command-config", given, "--topic", topic, "--from-beginning", "--max-messages", "2")
    assert "one\ntwo\n" in read


@pytest.mark.interop
@pytest.mark.oracle
def test_java_clients__client_certificate__topics_listed(java: JavaClients, broker: Serving, files: Path) -> None:
    given = properties(files, "SSL")
    arguments = ["--bootstrap-server", address(broker, "SSL"), "--command-config", given, "--list"]
    assert java.ask("tool", main=TOOLS["topics"], arguments=arguments, input="")["status"] == 0


@pytest.mark.interop
@pytest.mark.oracle
def test_kafka_configs_tool__scram_user_created__can_log_in_and_is_described(java: JavaClients, files: Path) -> None:
    given = properties(files, "SASL_SSL", "SCRAM-SHA-512")
    of_carol = ("--entity-type", "users", "--entity-name", "carol")
    added = java.tool("configs", "--command-config", given, "--alter", *of_carol, "--add-config",
                      "SCRAM-SHA-256=[iterations=4096,password=hers]")  # fmt: skip
    assert "Completed updating" in added
    described = java.tool("configs", "--command-config", given, "--describe", *of_carol)
    assert "SCRAM-SHA-256=iterations=4096" in described
    hers = properties(files, "SASL_SSL", "SCRAM-SHA-256", "carol", "hers")
    java.tool("topics", "--command-config", hers, "--create", "--topic", "of-carol")
    assert "of-carol" in java.tool("topics", "--command-config", hers, "--list")
