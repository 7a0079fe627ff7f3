"""Configuration keys of a broker of Apache Kafka, as `kafka_keys.tsv` lists them. Read only when they are needed."""

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
"""Number in DescribeConfigs by the name of a type."""


class KafkaKey(NamedTuple):
    """A line of the file."""

    name: str
    kind: str
    default: str
    update: str
    """`dynamic` for a key that changes at run time."""


def kafka_keys() -> list[KafkaKey]:
    lines = KAFKA_KEYS.read_text("utf-8").splitlines()
    return [KafkaKey(*line.split("\t")) for line in lines if line[:1] != "#"]


@cache
def kinds_in_kafka() -> Mapping[str, int]:
    """Return the number of each key's type."""
    return {key.name: KINDS[key.kind] for key in kafka_keys()}
