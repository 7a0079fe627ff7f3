"""Configs of groups and topics are accepted, refused and described as by Apache Kafka (rule 3.12b).

Neither error texts nor keys that only Tenure has are compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tenure.broker.config.topic_settings import TOPIC_KEYS
from tenure.protocol.generated.alter_configs import AlterableConfig, AlterConfigsRequest, AlterConfigsResource
from tenure.protocol.generated.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from tenure.protocol.generated.incremental_alter_configs import (
    IncrementalAlterableConfig,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
)
from tenure.protocol.generated.list_config_resources import ListConfigResourcesRequest
from tenure.protocol.message import Message
from tests.kafka_versions import NEW_KEYS, without_new_keys
from tests.oracle.classic_requests import TOPIC
from tests.oracle.side import PATIENCE_S, Side
from tests.oracle.test_topics_and_records import create, new
from tests.wire import Wire

pytestmark = pytest.mark.oracle

TOPICS, BROKERS, LOGGERS, CLIENT_METRICS, GROUPS = 2, 4, 8, 16, 32
SET, DELETE, APPEND, SUBTRACT = range(4)
GROUP = "configured"

SESSION, HEARTBEAT = "consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"

Change = tuple[str, int, str | None]


def resource(kind: int, name: str, *changes: Change) -> IncrementalAlterConfigsResource:
    return IncrementalAlterConfigsResource(kind, name, [IncrementalAlterableConfig(*change) for change in changes])


def alter(kind: int, name: str, *changes: Change, validate_only: bool = False) -> Message:
    return IncrementalAlterConfigsRequest([resource(kind, name, *changes)], validate_only)


def overwrite(kind: int, name: str, **configs: str | None) -> Message:
    found = [AlterableConfig(key.replace("_", "."), value) for key, value in configs.items()]
    return AlterConfigsRequest([AlterConfigsResource(kind, name, found)])


LEGAL_DURATIONS = ("PT1H", "P1DT2H3M4.5S", "p1dt2h", "PT0S", "PT1.S", "P0D")
INVALID_DURATIONS = ("", "nonsense", "P", "PT", "P1W", "1H", "-PT1H")
DURATIONS = [f"by_duration:{text}" for text in (*LEGAL_DURATIONS, *INVALID_DURATIONS)]

REFUSED_OR_ACCEPTED = [
    *(alter(GROUPS, "g", (SESSION, SET, value)) for value in ("50000", "0", "abc", "", None, "99999", "499")),
    *(alter(GROUPS, "g", (HEARTBEAT, SET, value)) for value in ("5000", "99", "15000", "15001")),
    *(alter(GROUPS, "g", (SESSION, SET, value)) for value in ("500", "5000", "5001", "60000", "60001")),
    *(
        alter(GROUPS, "g", (SESSION, SET, session), (HEARTBEAT, SET, heartbeat), validate_only=True)
        for session, heartbeat in (("6000", "6000"), ("6000", "5999"), ("5000", "5000"))
    ),
    *(alter(GROUPS, "g", ("streams.assignor.name", SET, value)) for value in ("sticky", "x", "")),
    *(alter(GROUPS, "g", ("errors.deadletterqueue.topic.name", SET, value)) for value in ("", "dlq", "__dlq", "a b")),
    *(alter(GROUPS, "g", ("errors.deadletterqueue.copy.record.enable", SET, value)) for value in ("true", "x")),
    *(alter(GROUPS, "g", ("share.isolation.level", SET, value)) for value in ("read_committed", "x")),
    *(alter(GROUPS, "g", ("share.auto.offset.reset", SET, value)) for value in ("earliest", "x", *DURATIONS)),
    *(alter(GROUPS, "g", ("share.renew.acknowledge.enable", SET, value)) for value in ("false", "x")),
    *(alter(GROUPS, "g", ("share.delivery.count.limit", SET, value)) for value in ("2", "1", "11")),
    *(alter(GROUPS, "g", ("share.record.lock.duration.ms", SET, value)) for value in ("15000", "14999", "60001")),
    *(alter(GROUPS, "g", ("share.partition.max.record.locks", SET, value)) for value in ("100", "99", "4001")),
    *(alter(GROUPS, "g", ("streams.num.standby.replicas", SET, value)) for value in ("2", "3", "-1")),
    *(alter(GROUPS, "g", ("streams.num.warmup.replicas", SET, value)) for value in ("0", "20", "21", "-1")),
    *(alter(GROUPS, "g", ("consumer.assignor.offload.enable", SET, value)) for value in ("true", "false", "x")),
    *(alter(GROUPS, "g", ("streams.assignor.offload.enable", SET, value)) for value in ("true", "false", "x")),
    *(alter(GROUPS, "g", ("consumer.assignment.interval.ms", SET, value)) for value in ("0", "15000", "15001")),
    *(
        alter(CLIENT_METRICS, "m", ("interval.ms", SET, value))
        for value in ("100", "99", "3600000", "3600001", "x", "")
    ),
    *(alter(CLIENT_METRICS, "m", ("metrics", SET, value)) for value in ("org.apache.kafka.,a", "*", "", "a,,b")),
    *(
        alter(CLIENT_METRICS, "m", ("match", SET, value))
        for value in (
            "client_id=a.*",
            "client_id=a,client_source_port=1",
            "",
            "client_id",
            "x=1",
            "client_id=(",
            "a=b=c",
        )
    ),
    *(
        alter(CLIENT_METRICS, "m", ("metrics", operation, value))
        for operation, value in ((APPEND, "b."), (SUBTRACT, "b."), (DELETE, None))
    ),
    alter(CLIENT_METRICS, "m", ("interval.ms", DELETE, None), ("match", DELETE, None)),
    alter(CLIENT_METRICS, "m", ("no.such", SET, "1")),
    alter(CLIENT_METRICS, "", ("interval.ms", SET, "100")),
    overwrite(CLIENT_METRICS, "m", interval_ms="200"),
    overwrite(CLIENT_METRICS, "m"),
    alter(GROUPS, "g", ("no.such", SET, "1")),
    alter(GROUPS, "g", ("no.such", DELETE, None)),
    alter(GROUPS, "g", (SESSION, APPEND, "1")),
    alter(GROUPS, "g", (SESSION, SUBTRACT, "1")),
    alter(GROUPS, "g", (SESSION, SET, "50000"), (SESSION, DELETE, None)),
    alter(GROUPS, "g", (SESSION, SET, "50000"), (SESSION, SET, "50001")),
    alter(GROUPS, "g"),
    alter(GROUPS, "", (SESSION, SET, "50000")),
    alter(GROUPS, "g", (SESSION, SET, "50001"), validate_only=True),
    alter(GROUPS, "g", (SESSION, SET, "1"), validate_only=True),
    *(alter(kind, "x", ("a", SET, "1")) for kind in (0, 1, 99)),
    *(alter(LOGGERS, "1", ("root", SET, level)) for level in ("INFO", "info", "", None)),
    *(alter(LOGGERS, "1", ("root", operation, "INFO")) for operation in (DELETE, APPEND, SUBTRACT)),
    *(alter(LOGGERS, name, ("root", SET, "INFO")) for name in ("", "x", "99")),
    alter(LOGGERS, "1", ("no.such", SET, "INFO")),
    alter(LOGGERS, "1", ("no.such", DELETE, None)),
    overwrite(LOGGERS, "1", root="INFO"),
    IncrementalAlterConfigsRequest([resource(GROUPS, "g", (SESSION, SET, "50000"))] * 2),
    alter(TOPICS, TOPIC, ("cleanup.policy", SET, "nope")),
    alter(TOPICS, TOPIC, ("no.such", SET, "1")),
    alter(TOPICS, TOPIC, ("no.such", DELETE, None)),
    alter(TOPICS, TOPIC, ("retention.ms", SET, "x")),
    alter(TOPICS, TOPIC, ("retention.ms", SET, "-5")),
    alter(TOPICS, TOPIC, ("retention.ms", APPEND, "1")),
    alter(TOPICS, "nobodys", ("retention.ms", SET, "1")),
    alter(TOPICS, "", ("retention.ms", SET, "1")),
    alter(BROKERS, "1", ("node.id", SET, "7")),
    *(
        alter(BROKERS, name, (key, SET, value), validate_only=True)
        for name in ("", "1", "7", "x")
        for key, value in (
            ("log.retention.ms", "7"),
            ("log.retention.ms", "x"),
            ("log.retention.ms", None),
            ("log.retention.hours", "5"),
            ("max.connections", "5"),
            ("max.connections", "-1"),
            ("log.segment.bytes", "5"),
            ("log.roll.ms", "0"),
            *(("log.cleanup.policy", value) for value in ("", "x", "compact", "compact,delete", None)),
            ("compression.type", "zip"),
            ("compression.type", "zstd"),
            ("message.max.bytes", "100"),
            ("num.partitions", "5"),
            ("num.io.threads", "2"),  # Apache Kafka takes half to twice its present number
            ("auto.create.topics.enable", "false"),
            ("max.connections.per.ip.overrides", "127.0.0.1:5"),
            ("transaction.partition.verification.enable", "false"),
            ("no.such", "1"),
            ("node.id", "7"),
        )
    ),
    *(alter(BROKERS, "1", (key, DELETE, None)) for key in ("log.retention.ms", "node.id", "no.such")),
    alter(BROKERS, "", ("log.retention.ms", APPEND, "7")),
    alter(BROKERS, "1", ("log.retention.ms", SET, "7"), ("node.id", SET, "3")),
    overwrite(BROKERS, "1"),
    overwrite(BROKERS, "", node_id="5"),
    overwrite(GROUPS, "g", consumer_session_timeout_ms="50000"),
    overwrite(GROUPS, "g", no_such="1"),
    overwrite(GROUPS, "g", consumer_session_timeout_ms=None),
    overwrite(GROUPS, "g"),
]


def test_alter_configs__valid_and_invalid_values__same_answers_from_both_brokers(kafka: Side, tenure: Side) -> None:
    differences = []
    with Wire(kafka.host, kafka.port) as theirs, Wire(tenure.host, tenure.port) as ours:
        for request in REFUSED_OR_ACCEPTED:
            if not NEW_KEYS.isdisjoint(config.name for one in request.resources for config in one.configs):
                continue
            answers = [
                [(found.error_code, found.resource_type, found.resource_name) for found in wire.ask(request).responses]
                for wire in (theirs, ours)
            ]
            if answers[0] != answers[1]:
                differences.append(f"{request}\n  Apache Kafka: {answers[0]}\n  Tenure:       {answers[1]}")
    assert not differences, "\n".join(differences)


VALUES = ("", "x", "-2", "-1", "0", "1", "5", " 5", "05", "1_0", "18", "23", "1.5", "0.5", "true", "FALSE", "1048576")
VALUES += (
    "2147483639",
    "2147483640",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "*",
    "0:1",
    "1:2,2:3",
    "*,0:1",
)
VALUES += (
    "delete",
    "delete, compact",
    "delete,delete",
    "CreateTime",
    "createtime",
    "gzip",
    "GZIP",
    "gzip,zstd",
    "uncompressed",
    "none",
)


def test_alter_configs__every_topic_config__same_values_valid_at_both_brokers(kafka: Side, tenure: Side) -> None:
    differences = []
    with Wire(kafka.host, kafka.port) as theirs, Wire(tenure.host, tenure.port) as ours:
        for key in without_new_keys(TOPIC_KEYS):
            for value in VALUES:
                request = alter(TOPICS, TOPIC, (key, SET, value), validate_only=True)
                codes = [wire.ask(request).responses[0].error_code for wire in (theirs, ours)]
                if codes[0] != codes[1]:
                    differences.append(f"{key} = {value!r}: Apache Kafka {codes[0]}, Tenure {codes[1]}")
    assert not differences, "\n".join(differences)


def test_describe_configs__topic__every_config_of_kafka_described_alike(kafka: Side, tenure: Side) -> None:
    configs = {"retention_ms": "7000", "cleanup_policy": "compact", "preallocate": "true", "flush_ms": "9"}
    answers = []
    for side in (kafka, tenure):
        with Wire(side.host, side.port) as wire:
            topic = new("described-settings", **configs)
            assert wire.ask(create(topic)).topics[0].error_code == 0
            side.wait_for_topic(topic.name)
            answers.append(describe(wire, TOPICS, topic.name))
    theirs, ours = answers
    assert len(ours) > 35
    assert without_new_keys(ours) == theirs


def describe(wire: Wire, kind: int, name: str, *keys: str) -> dict[str, tuple[Any, ...]]:
    (answer,) = wire.ask(DescribeConfigsRequest([DescribeConfigsResource(kind, name, list(keys))], True)).results
    return {
        config.name: (
            config.value,
            config.config_source,
            config.read_only,
            config.is_sensitive,
            config.config_type,
            [(synonym.name, synonym.value, synonym.source) for synonym in config.synonyms],
        )
        for config in answer.configs
    }


def described_group(side: Side, key: str, value: str) -> dict[str, tuple[Any, ...]]:
    """Return all configs of the group once the broker knows this one: Apache Kafka's controller answers earlier."""
    deadline = time.monotonic() + PATIENCE_S
    with Wire(side.host, side.port) as wire:
        while (found := describe(wire, GROUPS, GROUP))[key][0] != value:
            assert time.monotonic() < deadline, f"{side.name} never knew of {key} = {value}"
            time.sleep(0.02)
    return found


def steps() -> Iterator[tuple[Message, str, str]]:
    """Yield requests, each with the config whose appearance shows that the broker has applied it."""
    yield alter(GROUPS, GROUP, (SESSION, SET, "50000"), (HEARTBEAT, SET, "6000")), SESSION, "50000"
    yield alter(GROUPS, GROUP, (SESSION, DELETE, None)), SESSION, "45000"
    yield overwrite(GROUPS, GROUP, share_session_timeout_ms="46000"), HEARTBEAT, "5000"


def test_describe_configs__altered_groups__every_config_of_kafka_described_alike(kafka: Side, tenure: Side) -> None:
    for request, key, value in steps():
        answers = []
        for side in (kafka, tenure):
            with Wire(side.host, side.port) as wire:
                assert [found.error_code for found in wire.ask(request).responses] == [0]
            answers.append(described_group(side, key, value))
        theirs, ours = answers
        assert len(theirs) > 15
        assert {name: ours[name] for name in theirs} == theirs, request


def test_describe_configs__altered_client_metrics__listed_and_described_alike(kafka: Side, tenure: Side) -> None:
    answers = []
    for side in (kafka, tenure):
        with Wire(side.host, side.port) as wire:
            found = [describe(wire, CLIENT_METRICS, "clients"), describe(wire, CLIENT_METRICS, "")]
            request = alter(CLIENT_METRICS, "clients", ("match", SET, "client_id=a.*"), ("interval.ms", SET, "200"))
            assert wire.ask(request).responses[0].error_code == 0
            until_described(wire, "clients", "interval.ms", "200", CLIENT_METRICS)
            found.append(describe(wire, CLIENT_METRICS, "clients"))
            listed = until_listed(wire, "clients")
            keys = ("match", DELETE, None), ("interval.ms", DELETE, None)
            assert wire.ask(alter(CLIENT_METRICS, "clients", *keys)).responses[0].error_code == 0
            until_described(wire, "clients", "interval.ms", "300000", CLIENT_METRICS)
            found.append(describe(wire, CLIENT_METRICS, "clients"))
            answers.append((found, listed, until_listed(wire, "clients", is_listed=False)))
    assert answers[0] == answers[1]


def until_listed(wire: Wire, name: str, *, is_listed: bool = True) -> list[str]:
    """Return the names of client metrics, once one is listed or not. Apache Kafka updates this list last."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = [each.resource_name for each in wire.ask(ListConfigResourcesRequest([]), 0).config_resources]
        if (name in found) is is_listed:
            return found
        assert time.monotonic() < deadline, f"{found} never changed"
        time.sleep(0.02)


OF_ONE, OF_ALL = ("1", "log.retention.bytes", "9000000"), ("", "compression.type", "gzip")
POLICY = ("", "log.cleanup.policy", "compact")


def test_alter_configs__broker_at_run_time__described_alike_and_defaults_of_topics_change(
    kafka: Side, tenure: Side
) -> None:
    answers = []
    for side in (kafka, tenure):
        with Wire(side.host, side.port) as wire:
            for name, key, value in (OF_ONE, OF_ALL, POLICY, ("", "log.retention.bytes", "8000000")):
                assert wire.ask(alter(BROKERS, name, (key, SET, value))).responses[0].error_code == 0
            until_described(wire, "1", "log.retention.bytes", "9000000")
            until_described(wire, "1", "compression.type", "gzip")
            until_described(wire, "1", "log.cleanup.policy", "compact")
            until_described(wire, "", "log.retention.bytes", "8000000")
            changed = described_keys(wire)
            for name, key, _ in (OF_ONE, OF_ALL, POLICY, ("", "log.retention.bytes", "")):
                assert wire.ask(alter(BROKERS, name, (key, DELETE, None))).responses[0].error_code == 0
            until_described(wire, "1", "log.retention.bytes", "-1")
            until_described(wire, "1", "compression.type", "producer")
            until_described(wire, "1", "log.cleanup.policy", "delete")
            answers.append([changed, described_keys(wire)])
    assert answers[0] == answers[1]


def described_keys(wire: Wire) -> list[dict[str, tuple[Any, ...]]]:
    keys = ("log.retention.bytes", "compression.type", "message.max.bytes", "log.segment.bytes", "num.partitions")
    return [
        describe(wire, BROKERS, "1", *keys, "default.replication.factor", "connections.max.idle.ms"),
        describe(wire, BROKERS, "", "log.retention.bytes", "compression.type", "min.insync.replicas"),
        describe(wire, TOPICS, TOPIC, "retention.bytes", "compression.type", "cleanup.policy"),
    ]


def until_described(wire: Wire, name: str, key: str, value: str, kind: int = BROKERS) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while describe(wire, kind, name, key).get(key, (None,))[0] != value:
        assert time.monotonic() < deadline, f"{key} never became {value}"
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["", "bad name", "never-there"])
def test_describe_configs__topic_that_does_not_exist__same_error_code(kafka: Side, tenure: Side, name: str) -> None:
    request = DescribeConfigsRequest([DescribeConfigsResource(TOPICS, name, None)])
    with Wire(kafka.host, kafka.port) as theirs, Wire(tenure.host, tenure.port) as ours:
        expected, found = (wire.ask(request).results[0].error_code for wire in (theirs, ours))
    assert found == expected


def test_list_config_resources__each_resource_type__same_answers_from_both_brokers(kafka: Side, tenure: Side) -> None:
    for kinds, version in (([BROKERS], 1), ([8], 1), ([99], 1), ([GROUPS, 99], 1), ([16], 1), ([], 0)):
        answers = []
        for side in (kafka, tenure):
            with Wire(side.host, side.port) as wire:
                answer = wire.ask(ListConfigResourcesRequest(kinds), version)
            answers.append((answer.error_code, [(r.resource_name, r.resource_type) for r in answer.config_resources]))
        assert answers[0] == answers[1], kinds
