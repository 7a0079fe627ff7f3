"""Each key of a broker can change at run time, for one broker or for all, where Apache Kafka allows it (rule 1.9).

The tables name all keys that differ, each with its reason.
"""

from __future__ import annotations

from typing import Final

import pytest

from tenure.broker.config.kafka_keys import NO_DEFAULT, KafkaKey, kafka_keys
from tenure.broker.config.keys import KEYS
from tenure.protocol.errors import ErrorCode
from tests.kafka_versions import NEW_KEYS
from tests.oracle.side import Side
from tests.oracle.test_configs import BROKERS, SET, alter, describe
from tests.wire import Wire

pytestmark = pytest.mark.oracle

LISTENERS_CHANGE_WITH_A_RESTART: Final = {
    "listener.security.protocol.map", "listeners", "sasl.enabled.mechanisms", "ssl.cipher.suites", "ssl.client.auth",
    "ssl.enabled.protocols",
}  # fmt: skip
"""Apache Kafka can change them for listeners that a client adds. Tenure has the listeners with which it started."""
RELATIVE_TO_THE_PRESENT: Final = {"num.io.threads", "num.network.threads"}
"""Apache Kafka allows half to twice the present number, which is 1 in these tests."""
SAMPLES: Final = {"int": "5", "long": "5", "boolean": "true", "double": "0.5"}
"""Value for a key without a default, by its type."""
ELR: Final = "min.insync.replicas"
"""Apache Kafka refuses it for one broker while eligible leader replicas are enabled; Tenure does not have them."""


def compared_keys() -> list[KafkaKey]:
    return [key for key in kafka_keys() if key.name not in NEW_KEYS]


def value_of(key: KafkaKey) -> str:
    if key.name in RELATIVE_TO_THE_PRESENT:
        return "1"
    return SAMPLES.get(key.kind, "x") if key.default == NO_DEFAULT else key.default


def stored_without_effect(name: str) -> bool:
    """Return whether Apache Kafka stores the key for one broker, although no listener of that broker uses it.

    Tenure refuses it: a user could rely on a protection that does not exist.
    """
    is_of_security = name.startswith(("sasl.", "ssl.")) or name == "principal.builder.class"
    return is_of_security and name != "ssl.engine.factory.class"


def test_describe_configs__every_key_that_both_brokers_have__same_read_only_flag_sensitivity_and_type(
    kafka: Side, tenure: Side
) -> None:
    with Wire(kafka.host, kafka.port) as theirs, Wire(tenure.host, tenure.port) as ours:
        described = [describe(wire, BROKERS, "1") for wire in (theirs, ours)]
    assert len(described[0]) == len(compared_keys())
    common = [key.name for key in compared_keys() if key.name in KEYS]
    assert len(common) > 100
    differing = {name for name in common if described[0][name][2:5] != described[1][name][2:5]}
    assert differing == LISTENERS_CHANGE_WITH_A_RESTART


@pytest.mark.parametrize("name", ["1", ""], ids=["one broker", "all brokers"])
def test_alter_configs__each_key_of_kafka__accepted_or_refused_alike(kafka: Side, tenure: Side, name: str) -> None:
    differing = {}
    with Wire(kafka.host, kafka.port) as theirs, Wire(tenure.host, tenure.port) as ours:
        for key in compared_keys():
            request = alter(BROKERS, name, (key.name, SET, value_of(key)), validate_only=True)
            codes = [wire.ask(request).responses[0].error_code for wire in (theirs, ours)]
            if codes[0] != codes[1]:
                differing[key.name] = tuple(codes)
    refused_here = {key for key, codes in differing.items() if codes == (0, ErrorCode.INVALID_REQUEST)}
    others = {key: codes for key, codes in differing.items() if key not in refused_here}
    assert others == ({ELR: (ErrorCode.INVALID_CONFIG, 0)} if name else {})
    refused_here = {key for key in refused_here if not (name and stored_without_effect(key))}
    assert refused_here == set()
