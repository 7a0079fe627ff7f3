"""Configuration keys of Apache Kafka's brokers, from `kafka_keys.tsv`. The file is read on first use."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

KAFKA_KEYS: Final = Path(__file__).with_name("kafka_keys.tsv")

KINDS: Final = {
    "boolean": 1,
    "string": 2,
    "int": 3,
    "short": 4,
    "long": 5,
    "double": 6,
    "list": 7,
    "class": 8,
    "password": 9,
}
"""Kafka's number of each config type in DescribeConfigs, by the name of the type."""


NO_DEFAULT: Final = "null"
"""Value of `KafkaKey.default` for a key that has no default."""


class KafkaKey(NamedTuple):
    """One key of Apache Kafka: one line of `kafka_keys.tsv`."""

    name: str
    kind: str
    default: str
    update: str
    """`dynamic` if the value may be changed at run time, else empty."""


def kafka_keys() -> list[KafkaKey]:
    lines = KAFKA_KEYS.read_text("utf-8").splitlines()
    return [KafkaKey(*line.split("\t")) for line in lines if line[:1] != "#"]


@cache
def kafka_keys_by_name() -> Mapping[str, KafkaKey]:
    return {key.name: key for key in kafka_keys()}


def kind_in_kafka(name: str) -> int | None:
    """Return the type of a key, as Kafka's number for DescribeConfigs; None if Kafka does not have the key."""
    key = kafka_keys_by_name().get(name)
    return None if key is None else KINDS[key.kind]
