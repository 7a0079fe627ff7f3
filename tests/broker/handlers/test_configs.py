"""Configs of topics and groups over the wire: altered, described, listed, and kept over a restart (rule 3.12b).

Error codes are those of Apache Kafka 4.3.0 for the same requests, except for an unknown operation, which it answers
with UNKNOWN_SERVER_ERROR.
"""

import re
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.alter_configs import AlterableConfig, AlterConfigsRequest, AlterConfigsResource
from tenure.protocol.generated.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
)
from tenure.protocol.generated.incremental_alter_configs import (
    IncrementalAlterableConfig,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    IncrementalAlterConfigsResponse,
)
from tenure.protocol.generated.list_config_resources import ListConfigResourcesRequest
from tests.broker.handlers.test_records import Topic, batch
from tests.broker.wire import Wire
from tests.serving import Serving, serving

TOPIC, BROKER, LOGGERS, CLIENT_METRICS, GROUP = 2, 4, 8, 16, 32
SET, DELETE, APPEND, SUBTRACT = range(4)
FROM_TOPIC, FROM_BROKER, FROM_DEFAULT, FROM_GROUP = 1, 4, 5, 8
"""Sources of a value in the answer of DescribeConfigs: topic, static broker setting, default, group."""

Change = tuple[str, int, str | None]


def resource(kind: int, name: str, *changes: Change) -> IncrementalAlterConfigsResource:
    return IncrementalAlterConfigsResource(kind, name, [IncrementalAlterableConfig(*change) for change in changes])


def alter(wire: Wire, kind: int, name: str, *changes: Change, version: int = 1, validate_only: bool = False) -> int:
    """Change configs; return the error code. Check that an error has a message."""
    request = IncrementalAlterConfigsRequest([resource(kind, name, *changes)], validate_only)
    (answer,) = wire.ask(request, version).responses
    assert (answer.resource_type, answer.resource_name) == (kind, name)
    assert bool(answer.error_message) is (answer.error_code != ErrorCode.NONE)
    code: int = answer.error_code
    return code


def described(
    wire: Wire, kind: int, name: str, *keys: str, version: int = 4, synonyms: bool = True
) -> dict[str, DescribeConfigsResourceResult]:
    asked = DescribeConfigsRequest([DescribeConfigsResource(kind, name, list(keys) or None)], synonyms)
    (answer,) = wire.ask(asked, version).results
    assert answer.error_code == ErrorCode.NONE, answer.error_message
    return {config.name: config for config in answer.configs}


def value(wire: Wire, kind: int, name: str, key: str) -> str | None:
    return described(wire, kind, name, key)[key].value


@pytest.fixture
def group_id(request: pytest.FixtureRequest) -> str:
    return f"g-{request.node.name}"


@pytest.fixture
def topic(wire: Wire, request: pytest.FixtureRequest) -> Topic:
    return Topic(wire, re.sub("[^a-z0-9_]", "-", request.node.name))


# --- altering ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(2))
def test_incremental_alter_configs__group_config_set_then_deleted__described_with_value_and_source(
    wire: Wire, group_id: str, version: int
) -> None:
    assert alter(wire, GROUP, group_id, ("target.group.size", SET, "3"), version=version) == 0
    config = described(wire, GROUP, group_id)["target.group.size"]
    assert (config.value, config.config_source, config.read_only, config.is_sensitive) == (
        "3",
        FROM_GROUP,
        False,
        False,
    )
    assert [(s.name, s.value, s.source) for s in config.synonyms] == [
        ("target.group.size", "3", FROM_GROUP),
        ("target.group.size", "2147483647", FROM_DEFAULT),
    ]
    assert alter(wire, GROUP, group_id, ("target.group.size", DELETE, None), version=version) == 0
    config = described(wire, GROUP, group_id)["target.group.size"]
    assert (config.value, config.config_source) == ("2147483647", FROM_DEFAULT)


def test_incremental_alter_configs__append_to_and_subtract_from_a_list__no_duplicate_entries(
    wire: Wire, group_id: str
) -> None:
    key = "group.expected.instance.ids"
    assert alter(wire, GROUP, group_id, (key, APPEND, "a,b")) == 0
    assert alter(wire, GROUP, group_id, (key, APPEND, "b,c")) == 0
    assert value(wire, GROUP, group_id, key) == "a,b,c"
    assert alter(wire, GROUP, group_id, (key, SUBTRACT, "a,nobody")) == 0
    assert value(wire, GROUP, group_id, key) == "b,c"


def test_incremental_alter_configs__append_to_a_list_that_is_not_set__appended_to_its_default(
    wire: Wire, topic: Topic
) -> None:
    assert alter(wire, TOPIC, topic.name, ("cleanup.policy", APPEND, "compact")) == 0
    assert value(wire, TOPIC, topic.name, "cleanup.policy") == "delete,compact"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("target.group.size", SET, "0"), ErrorCode.INVALID_CONFIG),
        (("target.group.size", SET, "many"), ErrorCode.INVALID_CONFIG),
        (("target.group.size", SET, "9" * 5_000), ErrorCode.INVALID_CONFIG),
        (("target.group.size", SET, "1_000"), ErrorCode.INVALID_CONFIG),
        (("target.group.size", SET, ""), ErrorCode.INVALID_CONFIG),
        (("target.group.size", SET, None), ErrorCode.INVALID_REQUEST),
        (("target.group.size", APPEND, "1"), ErrorCode.INVALID_CONFIG),
        (("target.group.size", SUBTRACT, "1"), ErrorCode.INVALID_CONFIG),
        (("target.group.size", 7, "1"), ErrorCode.INVALID_REQUEST),
        (("group.expected.instance.ids", SET, "a b"), ErrorCode.INVALID_CONFIG),
        (("group.expected.instance.ids", SET, "a" * 250), ErrorCode.INVALID_CONFIG),
        (("group.expected.instance.ids", SET, ",".join(["seat"] * 10_000)), ErrorCode.INVALID_CONFIG),
        (("group.expected.timeout.ms", SET, "240001"), ErrorCode.INVALID_CONFIG),
        (("group.rebalance.counter", SET, "-1"), ErrorCode.INVALID_CONFIG),
        (("group.commit.fencing", SET, "none"), ErrorCode.INVALID_CONFIG),
        (("consumer.session.timeout.ms", SET, "99999"), ErrorCode.INVALID_CONFIG),
        (("share.isolation.level", SET, "x"), ErrorCode.INVALID_CONFIG),
        (("no.such.key", SET, "1"), ErrorCode.INVALID_CONFIG),
    ],
)
def test_incremental_alter_configs__invalid_change__refused_and_nothing_changed(
    wire: Wire, group_id: str, change: Change, code: ErrorCode
) -> None:
    assert alter(wire, GROUP, group_id, ("consumer.heartbeat.interval.ms", SET, "6000"), change) == code
    assert value(wire, GROUP, group_id, "consumer.heartbeat.interval.ms") == "5000"


def test_incremental_alter_configs__delete_of_an_unknown_key__no_error(wire: Wire, group_id: str) -> None:
    assert alter(wire, GROUP, group_id, ("no.such.key", DELETE, None)) == 0


def test_incremental_alter_configs__same_key_twice_in_one_request__refused(wire: Wire, group_id: str) -> None:
    key = "target.group.size"
    assert alter(wire, GROUP, group_id, (key, SET, "1"), (key, DELETE, None)) == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    ("kind", "name", "code"),
    [
        (GROUP, "", ErrorCode.INVALID_REQUEST),
        (TOPIC, "", ErrorCode.INVALID_REQUEST),
        (TOPIC, "no-such-topic", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (BROKER, "7", ErrorCode.INVALID_REQUEST),
        (99, "x", ErrorCode.INVALID_REQUEST),
    ],
)
def test_incremental_alter_configs__resource_without_configs__refused(
    wire: Wire, kind: int, name: str, code: ErrorCode
) -> None:
    assert alter(wire, kind, name, ("retention.ms", SET, "1")) == code


def test_incremental_alter_configs__valid_and_invalid_resources_in_one_request__valid_ones_are_changed(
    wire: Wire, group_id: str
) -> None:
    good, bad = ("target.group.size", SET, "1"), ("target.group.size", SET, "0")
    twice = [resource(GROUP, f"{group_id}-twice", good)] * 2
    asked = [resource(GROUP, group_id, good), resource(GROUP, f"{group_id}-bad", bad), *twice]
    answer: IncrementalAlterConfigsResponse = wire.ask(IncrementalAlterConfigsRequest(asked))
    codes = [result.error_code for result in answer.responses]
    assert codes == [0, ErrorCode.INVALID_CONFIG, ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_REQUEST]
    assert value(wire, GROUP, group_id, "target.group.size") == "1"
    assert value(wire, GROUP, f"{group_id}-twice", "target.group.size") == "2147483647"


def test_incremental_alter_configs__validate_only__change_checked_but_not_made(wire: Wire, group_id: str) -> None:
    assert alter(wire, GROUP, group_id, ("target.group.size", SET, "1"), validate_only=True) == 0
    assert alter(wire, GROUP, group_id, ("target.group.size", SET, "0"), validate_only=True) == ErrorCode.INVALID_CONFIG
    assert value(wire, GROUP, group_id, "target.group.size") == "2147483647"


@pytest.mark.parametrize("version", range(3))
def test_alter_configs__older_api__configs_that_are_not_named_are_reset(
    wire: Wire, group_id: str, version: int
) -> None:
    assert alter(wire, GROUP, group_id, ("target.group.size", SET, "3"), ("group.rebalance.counter", SET, "1")) == 0
    configs = [AlterableConfig("group.rebalance.counter", "2")]
    asked = AlterConfigsRequest([AlterConfigsResource(GROUP, group_id, configs)])
    (answer,) = wire.ask(asked, version).responses
    assert answer.error_code == 0
    assert value(wire, GROUP, group_id, "target.group.size") == "2147483647"
    assert value(wire, GROUP, group_id, "group.rebalance.counter") == "2"


def test_incremental_alter_configs__more_configs_than_one_request_may_have__connection_closed(wire: Wire) -> None:
    wire.send_unanswered(IncrementalAlterConfigsRequest([resource(GROUP, str(n)) for n in range(20_001)]))
    assert wire.is_closed()


# --- effect on topics -------------------------------------------------------------------------------------------------


def test_topic__max_message_bytes_lowered_at_run_time__next_large_batch_refused(wire: Wire, topic: Topic) -> None:
    assert topic.produce(batch("x" * 2_000)).error_code == 0
    assert alter(wire, TOPIC, topic.name, ("max.message.bytes", SET, "1000")) == 0
    assert topic.produce(batch("x" * 2_000)).error_code == ErrorCode.MESSAGE_TOO_LARGE
    assert alter(wire, TOPIC, topic.name, ("max.message.bytes", DELETE, None)) == 0
    assert topic.produce(batch("x" * 2_000)).error_code == 0


# --- describing and listing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(1, 5))
def test_describe_configs__unknown_group__every_key_with_its_default(wire: Wire, group_id: str, version: int) -> None:
    found = described(wire, GROUP, group_id, version=version)
    assert len(found) == 32
    assert {config.config_source for config in found.values()} == {FROM_DEFAULT}
    assert found["consumer.session.timeout.ms"].value == "45000"
    if version >= 3:
        kinds = {name: found[name].config_type for name in ("target.group.size", "group.expected.instance.ids")}
        assert kinds == {"target.group.size": 3, "group.expected.instance.ids": 7}


def test_describe_configs__synonyms_not_requested__no_synonyms_in_the_answer(wire: Wire, group_id: str) -> None:
    assert not any(config.synonyms for config in described(wire, GROUP, group_id, synonyms=False).values())


def test_describe_configs__address_and_directory_given_on_the_command_line__shown(wire: Wire, broker: Serving) -> None:
    found = described(wire, BROKER, "1", "listeners", "log.dirs")
    assert found["listeners"].value == f"PLAINTEXT://{broker.address}"
    assert found["log.dirs"].value == str(broker.data_directory)
    assert {config.config_source for config in found.values()} == {FROM_BROKER}


@pytest.mark.parametrize("kind", [GROUP, TOPIC, BROKER])
def test_describe_configs__documentation_requested__every_key_has_documentation(
    wire: Wire, group_id: str, kind: int, topic: Topic
) -> None:
    name = {GROUP: group_id, TOPIC: topic.name, BROKER: "1"}[kind]
    asked = DescribeConfigsRequest([DescribeConfigsResource(kind, name, [])], include_documentation=True)
    (answer,) = wire.ask(asked).results
    assert answer.configs, "an empty list of keys asks for all, as in Kafka"
    assert all(config.documentation for config in answer.configs)


def test_describe_configs__group_with_empty_name__refused(wire: Wire) -> None:
    (answer,) = wire.ask(DescribeConfigsRequest([DescribeConfigsResource(GROUP, "", None)])).results
    assert answer.error_code == ErrorCode.INVALID_REQUEST


def test_list_config_resources__group_has_configs__listed_until_the_last_one_is_deleted(
    wire: Wire, group_id: str
) -> None:
    def listed() -> bool:
        answer = wire.ask(ListConfigResourcesRequest([GROUP]))
        return group_id in [found.resource_name for found in answer.config_resources]

    assert not listed()
    assert alter(wire, GROUP, group_id, ("target.group.size", SET, "3")) == 0
    assert listed()
    assert alter(wire, GROUP, group_id, ("target.group.size", DELETE, None)) == 0
    assert not listed()


def test_list_config_resources__no_types_requested__topics_and_broker_listed(wire: Wire, topic: Topic) -> None:
    answer = wire.ask(ListConfigResourcesRequest())
    assert {(topic.name, TOPIC), ("1", BROKER)} <= {(r.resource_name, r.resource_type) for r in answer.config_resources}


def test_list_config_resources__unknown_resource_type__unsupported_version(wire: Wire) -> None:
    assert wire.ask(ListConfigResourcesRequest([GROUP, 99])).error_code == ErrorCode.UNSUPPORTED_VERSION


def test_list_config_resources__version_0__only_client_metrics_listed(wire: Wire) -> None:
    answer = wire.ask(ListConfigResourcesRequest(), 0)
    assert (answer.error_code, answer.config_resources) == (0, [])
    assert alter(wire, CLIENT_METRICS, "m", ("interval.ms", SET, "200")) == 0
    (listed,) = wire.ask(ListConfigResourcesRequest(), 0).config_resources
    assert (listed.resource_name, listed.resource_type) == ("m", CLIENT_METRICS)
    assert alter(wire, CLIENT_METRICS, "m", ("interval.ms", DELETE, None)) == 0
    assert wire.ask(ListConfigResourcesRequest(), 0).config_resources == []


# --- after a restart --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_clean", [True, False], ids=["stopped", "killed"])
def test_group_configs__broker_stopped_or_killed_and_restarted__same_values(tmp_path: Path, is_clean: bool) -> None:
    with serving(tmp_path, "group.expected.timeout.ms=5000") as broker:
        with Wire(broker) as wire:
            assert alter(wire, GROUP, "g", ("target.group.size", SET, "3"), ("group.rebalance.counter", SET, "4")) == 0
            assert alter(wire, GROUP, "g", ("group.rebalance.counter", DELETE, None)) == 0
            default = described(wire, GROUP, "g")["group.expected.timeout.ms"]
            assert (default.value, default.config_source) == ("5000", FROM_BROKER)
        if not is_clean:
            broker.kill()
        broker.restart()
        with Wire(broker) as wire:
            found = described(wire, GROUP, "g")
            assert (found["target.group.size"].value, found["group.rebalance.counter"].value) == ("3", "0")


@pytest.mark.parametrize("name", ["", "1"], ids=["all-brokers", "this-broker"])
def test_broker_config__altered_at_run_time__applied_at_once_and_after_a_restart(tmp_path: Path, name: str) -> None:
    with serving(tmp_path, "message.max.bytes=100000") as broker:
        with Wire(broker) as wire:
            topic = Topic(wire, "t")
            assert topic.produce(batch("x" * 2_000)).error_code == 0
            assert alter(wire, BROKER, name, ("message.max.bytes", SET, "1000")) == 0
            assert topic.produce(batch("x" * 2_000)).error_code == ErrorCode.MESSAGE_TOO_LARGE
            values = [synonym.value for synonym in described(wire, BROKER, "1")["message.max.bytes"].synonyms]
            assert values == ["1000", "100000", "1048588"]
        broker.restart()
        with Wire(broker) as wire:
            topic = Topic(wire, "t")
            assert topic.produce(batch("x" * 2_000)).error_code == ErrorCode.MESSAGE_TOO_LARGE
            assert alter(wire, BROKER, name, ("message.max.bytes", DELETE, None)) == 0
            assert topic.produce(batch("x" * 2_000)).error_code == 0


def test_connection_limit_of_a_broker__altered_at_run_time__applied_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        assert alter(wire, BROKER, "1", ("max.connections.per.ip", SET, "1")) == 0
        with Wire(broker) as second, pytest.raises(ConnectionError):
            second.ask(ListConfigResourcesRequest([GROUP]))
        assert alter(wire, BROKER, "1", ("max.connections.per.ip", DELETE, None)) == 0
        with Wire(broker) as third:
            assert third.ask(ListConfigResourcesRequest([GROUP])).error_code == 0


# --- levels of loggers ------------------------------------------------------------------------------------------------


def test_log_level_of_a_logger__set_then_deleted__default_level_again(wire: Wire) -> None:
    before = value(wire, LOGGERS, "1", "tenure.groups")
    assert before == value(wire, LOGGERS, "1", "root")
    assert alter(wire, LOGGERS, "1", ("tenure.groups", SET, "ERROR")) == 0
    found = described(wire, LOGGERS, "1")["tenure.groups"]
    assert (found.value, found.config_source) == ("ERROR", 6)
    assert alter(wire, LOGGERS, "1", ("tenure.groups", DELETE, None)) == 0
    assert value(wire, LOGGERS, "1", "tenure.groups") == before


def test_log_level__validate_only__not_changed(wire: Wire) -> None:
    before = value(wire, LOGGERS, "1", "tenure.groups")
    assert alter(wire, LOGGERS, "1", ("tenure.groups", SET, "FATAL"), validate_only=True) == 0
    assert value(wire, LOGGERS, "1", "tenure.groups") == before


@pytest.mark.parametrize(
    ("name", "change", "error_code"),
    [
        ("2", ("root", SET, "INFO"), ErrorCode.INVALID_REQUEST),
        ("1", ("no.such", SET, "INFO"), ErrorCode.INVALID_CONFIG),
        ("1", ("no.such", DELETE, None), ErrorCode.INVALID_CONFIG),
        ("1", ("root", SET, "LOUD"), ErrorCode.INVALID_CONFIG),
        ("1", ("root", DELETE, None), ErrorCode.INVALID_REQUEST),
        ("1", ("root", APPEND, "INFO"), ErrorCode.INVALID_REQUEST),
    ],
)
def test_log_level__invalid_logger_value_or_operation__refused(
    wire: Wire, name: str, change: Change, error_code: ErrorCode
) -> None:
    assert alter(wire, LOGGERS, name, ("tenure.groups", SET, "ERROR"), change) == error_code
    assert value(wire, LOGGERS, "1", "tenure.groups") == value(wire, LOGGERS, "1", "root")


def test_log_level__of_another_broker__refused(wire: Wire) -> None:
    (answer,) = wire.ask(DescribeConfigsRequest([DescribeConfigsResource(LOGGERS, "2", None)])).results
    assert answer.error_code == ErrorCode.INVALID_REQUEST
