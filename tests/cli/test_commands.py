"""Commands as a shell runs them: exit status, standard output, standard error."""

import json
import os
import signal
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from tenure.cli.output import time_text
from tenure.testing import Broker as InProcess
from tests.command_line import app
from tests.serving import Serving, serving


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("cli"), "group.initial.rebalance.delay.ms=0") as broker:
        yield broker


class Done(NamedTuple):
    stdout: bytes
    stderr: bytes


def as_a_process(broker: Serving | None, *arguments: str, stdin: bytes = b"", expect: int = 0) -> Done:
    """Run a command as a shell does."""
    done = subprocess.run(
        [sys.executable, "-m", "tenure", *arguments],
        input=stdin,
        capture_output=True,
        env=os.environ | environment(broker),
        timeout=100,
        check=False,
    )
    return checked(arguments, done.returncode, expect, Done(done.stdout, done.stderr))


def tenure(broker: Serving | None, *arguments: str, stdin: bytes = b"", expect: int = 0) -> Done:
    """Run a command in this process, because a new one takes half a second to start."""
    done = CliRunner().invoke(app, arguments, input=stdin, env=environment(broker), catch_exceptions=False)
    return checked(arguments, done.exit_code, expect, Done(done.stdout_bytes, done.stderr_bytes))


def environment(broker: Serving | None) -> dict[str, str]:
    return {"TENURE_BOOTSTRAP_SERVERS": "127.0.0.1:1" if broker is None else broker.address}


def checked(arguments: tuple[str, ...], status: int, expected: int, done: Done) -> Done:
    assert status == expected, (arguments, done)
    assert expected != 0 or not done.stderr, done.stderr
    return done


def lines(done: Done) -> list[list[str]]:
    return [line.split("\t") for line in done.stdout.decode().splitlines()]


def test_help__of_tenure__lists_every_command() -> None:
    printed = as_a_process(None, "--help").stdout.decode()
    assert all(command in printed for command in ("serve", "topics", "groups", "transactions", "produce", "consume"))


def test_help__terminal_of_80_columns__no_command_name_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    def check(command: Any, path: list[str]) -> None:
        printed = CliRunner().invoke(app, [*path, "--help"]).stdout
        if path != ["serve"]:
            shown = [option for option in command.params if not getattr(option, "hidden", False)]
            names = [name for option in shown for name in option.opts if name.startswith("-")]
            assert [name for name in names if name not in printed] == [], path
        for name, part in getattr(command, "commands", {}).items():
            check(part, [*path, name])

    check(get_command(app), [])


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("topics", "list", "--bootstrap-server=127.0.0.1:1"),
        ("groups", "expect", "g", "--instance-id", "web-1", "-b", "127.0.0.1:1"),
        ("groups", "remove-members", "g", "--instance-id", "web-1", "-b", "127.0.0.1:1"),
    ],
)
def test_option__alternative_name__accepted(arguments: tuple[str, ...]) -> None:
    assert "127.0.0.1:1: connection refused" in CliRunner().invoke(app, arguments).stderr


def test_topics_command__topic_created_and_deleted__listed_and_described_until_deleted(broker: Serving) -> None:
    tenure(broker, "topics", "create", "t-life", "--partitions", "2", "--config", "retention.ms=60000")
    assert ["t-life", "2"] in lines(tenure(broker, "topics", "list"))
    assert {"topic": "t-life", "partitions": 2} in json.loads(tenure(broker, "topics", "list", "--json").stdout)
    assert [row[:2] for row in lines(tenure(broker, "topics", "describe", "t-life"))[1:]] == [
        ["t-life", "0"],
        ["t-life", "1"],
    ]
    (described,) = json.loads(tenure(broker, "topics", "describe", "t-life", "--json").stdout)
    assert len(described["topic_id"]) == 22
    refused = tenure(broker, "topics", "create", "t-life", expect=1).stderr.decode()
    assert refused == "tenure: Topic 't-life' was not created: it already exists (TOPIC_ALREADY_EXISTS).\n"
    tenure(broker, "topics", "delete", "t-life")
    assert "t-life" not in str(tenure(broker, "topics", "list", "--json").stdout)
    assert "does not exist" in tenure(broker, "topics", "delete", "t-life", expect=1).stderr.decode()


def test_produce_and_consume__bytes_of_any_value__unchanged(broker: Serving) -> None:
    tenure(broker, "topics", "create", "t-bytes", "-p", "1")
    sent = b"k1=one\nk2=\xff\x00two\n=no key\nk4=\n"
    as_a_process(broker, "produce", "t-bytes", "--key-separator", "=", stdin=sent)
    read = as_a_process(broker, "consume", "t-bytes", "--from-beginning", "--until-end", "--key-separator", "=")
    assert read.stdout == sent
    records = [
        json.loads(line)
        for line in tenure(broker, "consume", "t-bytes", "--from-beginning", "--max-messages", "2", "--json")
        .stdout.decode()
        .splitlines()
    ]
    assert [(record["key"], record["value"], record["offset"]) for record in records] == [
        ("k1", "one", 0),
        ("k2", {"base64": "/wB0d28="}, 1),
    ]


def test_produce__line_without_the_key_separator__error_names_the_line(broker: Serving) -> None:
    tenure(broker, "topics", "create", "t-lines", "-p", "1")
    done = tenure(broker, "produce", "t-lines", "--key-separator", ":", stdin=b"a:b\nc\n", expect=1)
    assert b"Line 2 has no key separator" in done.stderr


def test_produce__in_one_transaction__all_lines_visible_or_none(broker: Serving) -> None:
    tenure(broker, "topics", "create", "t-whole", "-p", "1")
    produce = ("produce", "t-whole", "--key-separator", ":", "--transactional-id", "t-whole")
    as_a_process(broker, *produce, stdin=b"a:1\nbad\n", expect=1)
    tenure(broker, *produce, stdin=b"a:1\nb:2\n")
    read = ("consume", "t-whole", "--from-beginning", "--max-messages", "2", "--isolation-level", "read_committed")
    assert tenure(broker, *read).stdout == b"1\n2\n"
    assert tenure(broker, *read, "--until-end").stdout == b"1\n2\n"


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_consume__static_member_of_a_group__continues_where_it_stopped(broker: Serving, protocol: str) -> None:
    topic, group = f"t-{protocol}", f"readers-{protocol}"
    tenure(broker, "topics", "create", topic, "-p", "1")
    tenure(broker, "produce", topic, stdin=b"one\ntwo\nthree\n")
    member = ("--group", group, "--group-instance-id", "r-1", "--group-protocol", protocol)
    first = as_a_process(broker, "consume", topic, *member, "--from-beginning", "--max-messages", "2")
    assert first.stdout == b"one\ntwo\n"
    (described,) = json.loads(tenure(broker, "groups", "describe", group, "--json").stdout)
    assert [member["group_instance_id"] for member in described["members"]] == ["r-1"]
    assert [(at["committed"], at["end"], at["lag"], at["member"]) for at in described["positions"]] == [
        (2, 3, 1, "r-1")
    ]
    assert tenure(broker, "consume", topic, *member, "--until-end").stdout == b"three\n"
    plain = tenure(broker, "groups", "describe", group).stdout.decode()
    assert f"{topic}\t0\t3\t3\t0\tr-1\n" in plain
    assert f"{topic}:0\n" in plain
    assert [group, protocol, "consumer"] in [row[:3] for row in lines(tenure(broker, "groups", "list"))]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_consume__until_end_and_a_commit_is_lost__continues_until_the_end_is_committed(protocol: str) -> None:
    with InProcess({"group.consumer.assignment.interval.ms": 0}) as broker:
        broker.create_topic("t")
        broker.produce("t", ["one", "two"])
        lost = broker.drop_request("OffsetCommit")
        group = ("--group", "g", "--group-protocol", protocol, "--from-beginning", "--until-end")
        done = CliRunner().invoke(app, ["consume", "t", *group, "-b", broker.address])
        assert (done.exit_code, done.stdout, lost.happened) == (0, "one\ntwo\n", 1)
        assert broker.committed("g") == {("t", 0): 2}


@pytest.mark.parametrize("fetched_late_s", [0.0, 1.0])
@pytest.mark.parametrize(("options", "printed"), [(("--from-beginning",), "one\ntwo\n"), ((), "")])
def test_consume__committed_offset_out_of_range__starts_as_without_a_commit(
    options: tuple[str, ...], printed: str, fetched_late_s: float
) -> None:
    """Start as without a commit; the position is beyond the end until the first fetch is answered."""
    with InProcess() as broker:
        broker.create_topic("t")
        broker.produce("t", ["one", "two"])
        broker.commit("g", {("t", 0): 50})
        broker.delay("Fetch", fetched_late_s)
        done = CliRunner().invoke(app, ["consume", "t", "--group", "g", "--until-end", *options, "-b", broker.address])
        assert (done.exit_code, done.stdout) == (0, printed)
        assert broker.committed("g") == {("t", 0): 2}


@pytest.mark.parametrize("heard_late_s", [0.0, 3.0])
def test_consume__until_end_and_partitions_assigned_later__later_partitions_read_to_their_end(
    heard_late_s: float,
) -> None:
    """Read partitions that the coordinator assigns after the command has checked the state of the group."""
    settings = {"group.consumer.assignment.interval.ms": 1500, "group.consumer.heartbeat.interval.ms": 500}
    with InProcess(settings) as broker:
        broker.create_topic("t")
        broker.delay("ConsumerGroupDescribe", heard_late_s)
        group = ("--group", "g", "--group-protocol", "consumer", "--from-beginning", "--until-end")
        for word in ("one", "two"):  # the second member joins within the interval after the first
            broker.produce("t", [word])
            done = CliRunner().invoke(app, ["consume", "t", *group, "-b", broker.address])
            assert (done.exit_code, done.stdout) == (0, f"{word}\n")


def test_consume__ctrl_c__ends_without_a_traceback(broker: Serving) -> None:
    tenure(broker, "topics", "create", "t-follow", "-p", "1")
    tenure(broker, "produce", "t-follow", stdin=b"first\n")
    command = [sys.executable, "-m", "tenure", "consume", "t-follow", "--from-beginning", "-b", broker.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as following:
        assert following.stdout is not None
        assert following.stdout.readline() == b"first\n"
        following.send_signal(signal.SIGINT)
        _, errors = following.communicate(timeout=100)
    assert (following.returncode, errors) == (0, b"")


@pytest.mark.long
def test_consume__reader_closes_the_pipe__ends_without_a_traceback(broker: Serving) -> None:
    tenure(broker, "topics", "create", "t-head", "-p", "1")
    tenure(broker, "produce", "t-head", stdin=b"%0100d\n" % 0 * 20_000)
    command = [sys.executable, "-m", "tenure", "consume", "t-head", "--from-beginning", "-b", broker.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as following:
        assert following.stdout is not None
        assert following.stderr is not None
        following.stdout.readline()
        following.stdout.close()
        assert (following.stderr.read(), following.wait(100)) == (b"", 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "lines"), [(("topics", "list"), b""), (("produce", "t"), b""), (("produce", "t"), b"x\n")]
)
def test_any_command__broker_not_reachable__error_names_address_cause_and_remedy(
    arguments: tuple[str, ...], lines: bytes
) -> None:
    error = as_a_process(None, *arguments, stdin=lines, expect=1).stderr.decode()
    assert "127.0.0.1:1: connection refused" in error
    assert "tenure serve" in error
    assert error.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("answer", "cause"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", "the broker sent a malformed frame"), (b"", "the broker closed it")],
)
def test_any_command__server_is_not_a_kafka_broker__error_names_what_to_check(answer: bytes, cause: str) -> None:
    class Other(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(1024)
            self.request.sendall(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever).start()
        address = f"127.0.0.1:{server.server_address[1]}"
        done = CliRunner().invoke(app, ["groups", "list", "-b", address])
        server.shutdown()
    assert done.exit_code == 1
    assert f"{address}: the peer does not answer like a Kafka broker (" in done.stderr
    assert cause in done.stderr
    assert "check the port" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("topics", "describe", "absent"), "Unknown topic 'absent'"),
        (("groups", "describe", "absent"), "Group 'absent' does not exist"),
        (("consume", "absent", "--max-messages", "1"), "Unknown topic 'absent'"),
        (("topics", "list", "-b", "nonsense:x"), "Invalid broker address"),
    ],
)
def test_any_command__refused_by_the_broker__error_of_one_sentence_and_exit_status_1(
    broker: Serving, arguments: tuple[str, ...], sentence: str
) -> None:
    error = tenure(broker, *arguments, expect=1).stderr.decode()
    assert error.startswith("tenure: ")
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("topics", "create", "t", "--config", "retention.ms"), "write it as KEY=VALUE"),
        (("consume", "t", "--group-instance-id", "x"), "Missing option --group"),
        (("groups", "list", "--jso"), "groups list --help` shows the usage"),
        (("--nonsense",), "--help` shows the usage"),
        (("groups", "list", "--state", "happy"), "Choose among Stable, Empty"),
        (("groups", "describe"), "Name the groups to describe, or give --all"),
        (("groups", "remove-members", "g"), "Name the members to remove"),
        (("groups", "remove-members", "g", "--all", "--member-id", "m"), "Name the members to remove"),
        (("groups", "reset-offsets", "g", "--topic", "t"), "Give exactly one target"),
        (("groups", "reset-offsets", "g", "--to-earliest", "--to-latest", "--topic", "t"), "Give exactly one target"),
        (("groups", "reset-offsets", "g", "--to-earliest"), "Name the partitions to reset"),
        (("groups", "reset-offsets", "g", "--to-earliest", "--topic", "t:x"), "write them as t:0,2-4"),
        (("groups", "reset-offsets", "g", "--by-duration", "1 fortnight", "--topic", "t"), "Invalid duration"),
        (("groups", "reset-offsets", "g", "--to-current", "--topic", "t", "--execute", "--dry-run"), "one of them"),
        (("groups", "delete-offsets", "g"), "Name the topics whose offsets to delete"),
        (("groups", "expect", "g", "--clear", "--instance-ids", "a"), "--clear removes all expected instances"),
        (("groups", "expect", "g", "--timeout", "1s"), "give both"),
        (("groups", "config", "g", "a=b", "--unset", "a"), "a has a new value and is also in --unset: give only one"),
    ],
)
def test_any_command__invalid_arguments__error_of_one_sentence_and_exit_status_2(
    arguments: tuple[str, ...], sentence: str
) -> None:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 2
    assert done.stderr.startswith("tenure: ")
    assert sentence in done.stderr
    assert (done.stderr.count("\n"), done.stdout) == (1, "")


@pytest.mark.parametrize("unix_ms", [2**62, -(2**62), 253_402_400_000_000])
def test_time_text__timestamp_outside_of_the_calendar__shown_as_a_number(unix_ms: int) -> None:
    assert time_text(unix_ms) == str(unix_ms)
