"""`tenure what-if` on running groups of `tenure serve` and Apache Kafka, which it does not change."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_consumer_groups import members_at
from tests.cli.test_groups import create_group


def what_if(cli: Cli, *arguments: str) -> Any:
    done = cli.run("what-if", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def static_group(cli: Cli, topic: str) -> str:
    """A classic group with one static member."""
    create_group(cli, f"what-if-{topic}", topic, "web-1")
    return f"what-if-{topic}"


def test_what_if_command__classic_group__figures_before_and_after_the_change(cli: Cli, static_group: str) -> None:
    before = cli.json("describe", static_group)
    found = what_if(cli, static_group, "--down", "10s", "--dynamic", "--members", "+1")
    assert (found["protocol"], found["members"], found["static_members"], found["partitions"]) == ("classic", 1, 1, 2)
    assert found["change"] == "dynamic members, +1 members"
    assert (found["before"]["rebalances"], found["before"]["partitions_moved"]) == (0, 0)
    assert found["before"]["median_pause_ms"] >= 10_000
    assert found["after"]["rebalances"] >= 4
    assert cli.json("describe", static_group) == before


def test_what_if_command__consumer_group__session_timeout_from_the_group_configs(cli: Cli, topic: str) -> None:
    group = f"what-if-{topic}"
    cli("config", group, "consumer.session.timeout.ms=50000")
    with members_at(cli) as members:
        members.join(group, topic, "m-1")
        found = what_if(cli, group, "--bounce", "one", "--crash", "--down", "2m")
    assert (found["protocol"], found["members"], found["change"], found["after"]) == ("consumer", 1, None, None)
    assert found["before"]["longest_pause_ms"] >= 120_000


def test_what_if_command__table_and_picture__columns_before_and_after_the_change_and_image_written(
    cli: Cli, static_group: str, tmp_path: Path
) -> None:
    picture = tmp_path / "what-if.png"
    done = cli.run("what-if", static_group, "--protocol", "consumer", "--picture", str(picture))
    assert done.exit_code == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0] == ["", "AS IS", "CONSUMER PROTOCOL"]
    assert rows[1] == ["rebalances", "0", "0"]
    assert done.stderr.startswith(f"tenure: group {static_group}: classic protocol, range, 1 member (static), 2 ")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--current", "linger.ms=5"), "Unknown setting 'linger.ms': what-if knows session.timeout.ms, "),
        (("--assignor", "uniform"), "Unknown assignor 'uniform': the classic protocol has range, "),
        (("--bounce", "half"), "Unknown restart 'half': use one of rolling, all, one, none."),
        (("--members", "-1"), "A group of 0 members cannot be simulated"),
    ],
)
def test_what_if_command__impossible_change__error_of_one_sentence(
    cli: Cli, static_group: str, arguments: tuple[str, ...], sentence: str
) -> None:
    done = cli.run("what-if", static_group, *arguments)
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert sentence in done.stderr


def test_what_if_command__group_without_members__error_with_the_remedy(cli: Cli, topic: str) -> None:
    cli("import", f"empty-{topic}", "-", "--execute", stdin=f"{topic},0,5\n")
    done = cli.run("what-if", f"empty-{topic}")
    assert done.exit_code == 1
    assert "has no members. Start them, or use an audit" in done.stderr
