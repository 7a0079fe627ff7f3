"""Client quotas (KIP-546, rule 1.10) are accepted, refused and described as by Apache Kafka."""

from __future__ import annotations

import math
import time
from typing import Any, Final

import pytest

from tenure.protocol.messages import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasRequest,
    ComponentData,
    DescribeClientQuotasRequest,
    DescribeUserScramCredentialsRequest,
    OpData,
    UserName,
)
from tests.oracle.side import PATIENCE_S, Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

NOBODY: Final = "nobody-else"
"""Client id whose quota is written last: a broker that has it has all the others."""

Entity = dict[str, str | None]
USER, CLIENT, IP = "user", "client-id", "ip"
PRODUCE, FETCH, REQUESTS, CREATIONS = (
    "producer_byte_rate",
    "consumer_byte_rate",
    "request_percentage",
    "controller_mutation_rate",
)
CONNECTIONS = "connection_creation_rate"


def entry(entity: Entity, *removed: str, **rates: float) -> AlterClientQuotasEntry:
    ops = [OpData(key, rate, False) for key, rate in rates.items()]
    ops += [OpData(key, 0.0, True) for key in removed]
    return AlterClientQuotasEntry([AlterClientQuotasEntity(*part) for part in entity.items()], ops)


def alter(*entries: AlterClientQuotasEntry, validate_only: bool = False) -> AlterClientQuotasRequest:
    return AlterClientQuotasRequest(list(entries), validate_only)


NOT_FINITE: Final = (math.nan, math.inf, -math.inf)
TWICE = AlterClientQuotasEntry([AlterClientQuotasEntity(USER, "u")], [OpData(PRODUCE, 1.0), OpData(PRODUCE, 2.0)])

ALTERED = [
    alter(entry({USER: "u"}, producer_byte_rate=1024.0)),
    alter(entry({USER: "u"}, producer_byte_rate=1024.0, consumer_byte_rate=2048.0)),
    alter(entry({USER: None}, request_percentage=10000.5), entry({CLIENT: None}, controller_mutation_rate=1e6)),
    alter(entry({USER: "u", CLIENT: "c"}, consumer_byte_rate=7.0)),
    alter(entry({USER: "u", CLIENT: None}, consumer_byte_rate=8.0)),
    alter(entry({CLIENT: "c", USER: None}, consumer_byte_rate=9.0)),
    alter(entry({CLIENT: "c"}, consumer_byte_rate=10.0)),
    alter(entry({IP: "10.0.0.7"}, connection_creation_rate=5.0), entry({IP: None}, connection_creation_rate=1e6)),
    alter(entry({IP: "10.0.0.7"}, connection_creation_rate=5.5)),
    alter(entry({IP: "10.0.0.7"}, connection_creation_rate=2.0**31)),
    alter(entry({IP: "10.0.0.7"}, producer_byte_rate=5.0)),
    alter(entry({IP: "no address"}, connection_creation_rate=5.0)),
    alter(entry({IP: "10.0.0.7", USER: "u"}, connection_creation_rate=5.0)),
    alter(entry({})),
    alter(entry({}, producer_byte_rate=1.0)),
    alter(entry({USER: ""}, producer_byte_rate=1.0)),
    alter(entry({"group": "g"}, producer_byte_rate=1.0)),
    alter(entry({USER: "u"}, connection_creation_rate=1.0)),
    alter(entry({USER: "u"}, no_such=1.0)),
    alter(entry({USER: "u"}, "no_such")),
    *(alter(entry({USER: "v"}, producer_byte_rate=rate)) for rate in (0.0, -1.0, 1.5, 1e30, 3.0000000001)),
    *(alter(entry({USER: "v"}, request_percentage=rate)) for rate in (0.0, 1e-9, 1e300)),
    alter(entry({USER: "v"}, controller_mutation_rate=-1.0)),
    *(alter(entry({IP: "10.0.0.8"}, connection_creation_rate=rate)) for rate in (-1.0, 0.0)),
    alter(TWICE),
    alter(entry({USER: "w"}, producer_byte_rate=1.0), entry({USER: "w"}, producer_byte_rate=2.0)),
    alter(entry({USER: "x"}, producer_byte_rate=1.0), entry({USER: "y"}, producer_byte_rate=-2.0)),
    alter(entry({USER: "looked-at"}, producer_byte_rate=1.0), validate_only=True),
    alter(entry({USER: "u"}, PRODUCE)),
    alter(entry({CLIENT: "c"}, FETCH, REQUESTS)),
    alter(),
]
WITHOUT_A_FINITE_NUMBER = [
    *(alter(entry({USER: "v"}, producer_byte_rate=rate)) for rate in NOT_FINITE),
    *(alter(entry({USER: "no numbers"}, request_percentage=rate)) for rate in NOT_FINITE),
    *(alter(entry({USER: "v"}, controller_mutation_rate=rate)) for rate in NOT_FINITE),
    *(alter(entry({IP: "10.0.0.8"}, connection_creation_rate=rate)) for rate in NOT_FINITE),
]


def component(kind: str, match_type: int, match: str | None = None) -> ComponentData:
    return ComponentData(kind, match_type, match)


FILTERS = [
    ([], False),
    ([], True),
    ([component(USER, 0, "u")], False),
    ([component(USER, 0, "u")], True),
    ([component(USER, 1)], False),
    ([component(USER, 1)], True),
    ([component(USER, 2)], False),
    ([component(USER, 2), component(CLIENT, 2)], True),
    ([component(USER, 0, "u"), component(CLIENT, 1)], True),
    ([component(IP, 2)], False),
    ([component(IP, 0, "10.0.0.7")], False),
    ([component(IP, 2), component(USER, 2)], False),
    ([component(USER, 2), component(USER, 2)], False),
    ([component("", 2)], False),
    ([component("group", 2)], False),
    ([component(USER, 0)], False),
    ([component(USER, 1, "u")], False),
    ([component(USER, 2, "u")], False),
    ([component(USER, 3)], False),
    ([component(USER, 0, "nobody")], False),
]


def entity_key(entity: list[Any]) -> tuple[tuple[str, str | None], ...]:
    return tuple(sorted((part.entity_type, part.entity_name) for part in entity))


def altered(wire: Wire, request: AlterClientQuotasRequest, version: int) -> list[Any]:
    answer = wire.ask(request, version)
    return sorted(((entity_key(found.entity), found.error_code) for found in answer.entries), key=repr)


def described(wire: Wire, components: list[ComponentData], strict: bool, version: int) -> tuple[Any, ...]:
    answer = wire.ask(DescribeClientQuotasRequest(components, strict), version)
    entries = [(entity_key(one.entity), sorted((v.key, v.value) for v in one.values)) for one in answer.entries or ()]
    return answer.error_code, answer.entries is None, sorted(entries, key=repr)


def settle(side: Side) -> None:
    """Wait until the broker knows the quotas: Apache Kafka's controller answers earlier."""
    deadline = time.monotonic() + PATIENCE_S
    with Wire(side.host, side.port) as wire:
        assert altered(wire, alter(entry({CLIENT: NOBODY}, consumer_byte_rate=1.0)), 1)
        while not described(wire, [component(CLIENT, 0, NOBODY)], True, 1)[2]:
            assert time.monotonic() < deadline, f"{side.name} never described the quota"
            time.sleep(0.02)


def remove_all(side: Side) -> None:
    """Remove all quotas, because Apache Kafka would throttle other tests."""
    with Wire(side.host, side.port) as wire:
        found = wire.ask(DescribeClientQuotasRequest([], False)).entries
        all_of_it = [entry(dict(entity_key(one.entity)), *(value.key for value in one.values)) for one in found]
        assert {code for _, code in altered(wire, alter(*all_of_it), 1)} == {0}
        deadline = time.monotonic() + PATIENCE_S
        while wire.ask(DescribeClientQuotasRequest([], False)).entries:
            assert time.monotonic() < deadline, f"{side.name} never forgot its quotas"
            time.sleep(0.02)


@pytest.mark.parametrize("requests", [ALTERED, WITHOUT_A_FINITE_NUMBER], ids=["finite", "not finite"])
def test_client_quotas__altered_and_described__same_answers_from_both_brokers(
    requests: list[AlterClientQuotasRequest], kafka: Side, tenure: Side
) -> None:
    differences = []
    with Wire(kafka.host, kafka.port) as theirs, Wire(tenure.host, tenure.port) as ours:
        for number, request in enumerate(requests):
            found = [altered(wire, request, number % 2) for wire in (theirs, ours)]
            if repr(found[0]) != repr(found[1]):
                differences.append(f"{request}\n  Apache Kafka: {found[0]}\n  Tenure:       {found[1]}")
        for side in (kafka, tenure):
            settle(side)
        for number, (components, strict) in enumerate(FILTERS):
            seen = [described(wire, components, strict, number % 2) for wire in (theirs, ours)]
            if repr(seen[0]) != repr(seen[1]):  # NaN does not equal NaN
                differences.append(f"{components} {strict}\n  Apache Kafka: {seen[0]}\n  Tenure:       {seen[1]}")
        assert len(described(ours, [], False, 1)[2]) > (8 if requests is ALTERED else 0)
    for side in (kafka, tenure):
        remove_all(side)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("users", [None, [], ["u"], ["u", "v", "u"]])
def test_describe_scram_credentials__none_exist__same_answers_from_both_brokers(
    users: list[str] | None, kafka: Side, tenure: Side
) -> None:
    """Describe SCRAM credentials, which Apache Kafka's tool requests together with the quotas of users."""
    entity_key = []
    for side in (kafka, tenure):
        with Wire(side.host, side.port) as wire:
            named = None if users is None else [UserName(user) for user in users]
            answer = wire.ask(DescribeUserScramCredentialsRequest(named))
        found = [(one.user, one.error_code, one.credential_infos) for one in answer.results]
        entity_key.append((answer.error_code, sorted(found)))
    assert entity_key[0] == entity_key[1]
