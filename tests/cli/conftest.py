"""One broker for all tests of a module, `tenure serve` or (marker oracle) Apache Kafka, and the command line on it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tenure.client.producer.producer import Producer
from tests.apache_kafka import apache_kafka
from tests.command_line import app
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.serving import serving

RECORDS = 20
"""Records in each of the two partitions of every topic."""


@pytest.fixture(scope="module", params=["tenure", pytest.param("kafka", marks=pytest.mark.oracle)])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def address(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if kind == "tenure":
        with serving(tmp_path_factory.mktemp("groups"), "offsets.topic.num.partitions=3") as broker:
            yield broker.address
    else:
        require_kafka()
        settings = {"offsets.topic.num.partitions": "1", "group.initial.rebalance.delay.ms": "0"}
        with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=settings) as other:
            wait_for_coordinator(other.host, other.port)
            yield other.address


class Cli:
    """Runner of commands in this process. A call runs `tenure groups` and returns its standard output."""

    def __init__(self, address: str) -> None:
        self.address = address

    def run(self, *arguments: str, stdin: str = "") -> Result:
        return CliRunner().invoke(
            app, list(arguments), input=stdin, env={"TENURE_BOOTSTRAP_SERVERS": self.address}, catch_exceptions=False
        )

    def __call__(self, *arguments: str, stdin: str = "") -> str:
        done = self.run("groups", *arguments, stdin=stdin)
        assert done.exit_code == 0, (arguments, done.stderr)
        return str(done.stdout)

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--json"))

    def rows(self, *arguments: str) -> list[list[str]]:
        """Return the rows of a table without its heading."""
        return [line.split("\t") for line in self(*arguments).splitlines()[1:]]

    def refused(self, *arguments: str, stdin: str = "") -> str:
        """Run a command that must fail, and return its error of one sentence."""
        done = self.run("groups", *arguments, stdin=stdin)
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1), (arguments, done.stdout, done.stderr)
        assert done.stderr.startswith("tenure: ")
        return str(done.stderr)


@pytest.fixture(scope="module")
def cli(address: str) -> Cli:
    return Cli(address)


def named_after(test: pytest.FixtureRequest) -> str:
    """Return a topic name from the name of the test, the same in every process."""
    return re.sub(r"[^\w-]+", "-", test.node.name)


@pytest.fixture
def topic(cli: Cli, request: pytest.FixtureRequest) -> str:
    name = named_after(request)
    assert cli.run("topics", "create", name, "-p", "2").exit_code == 0
    with Producer(cli.address) as producer:
        for partition in (0, 1):
            for number in range(RECORDS):
                producer.send(name, None, str(number).encode(), partition)
    return name
