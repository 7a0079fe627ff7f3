"""Apache Kafka's own classes read and write every message and version of Tenure (rule 1.7).

The test draws a message and encodes it. Kafka's class decodes it, finds the same values under the same names, and
writes the same bytes; Tenure decodes them again.
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tenure.protocol.apis import ApiKey
from tenure.protocol.codec import decode, encode
from tenure.protocol.message import Message
from tenure.protocol.schema import UUID, ArrayOf, Field, StructSchema, Variable
from tests.apache_kafka import javac, jvm, quick_jvm
from tests.kafka_versions import NEW_FIELDS, versions_in_kafka
from tests.oracle.conftest import require_kafka
from tests.protocol.samples import SEED, TABLES, every_message_and_version, rng, sample

pytestmark = pytest.mark.oracle

SOURCE = Path(__file__).with_name("Messages.java")
MESSAGES_OF_A_VERSION = 25
MESSAGES_MIN = 7_000
PATIENCE_S = 200.0
"""Timeout for the Java process, which shares the machine with many others."""

PACKAGES = {
    "cluster_metadata": "org.apache.kafka.common.metadata.{}",
    "consumer_group_records": "org.apache.kafka.coordinator.group.generated.{}",
    "consumer_offsets": "org.apache.kafka.coordinator.group.generated.{}",
    "consumer_protocol": "org.apache.kafka.common.message.{}",
    "streams_group_records": "org.apache.kafka.coordinator.group.generated.{}",
    "transaction_state": "org.apache.kafka.coordinator.transaction.generated.{}",
}
"""Classes of records; those of requests and responses are `...message.<name>Data`."""

WITHOUT_CLASS = "AssignorUserData"
"""Suffix of the names of messages without a class in Apache Kafka, because its assignors write them field by field."""

Sample = tuple[str, int, Message, bytes]


def random_samples() -> Iterator[Sample]:
    for name, version in every_message_and_version():
        if not is_in_kafka(name, version):
            continue
        draw = rng("Apache Kafka", name, version)
        for _ in range(0 if name.endswith(WITHOUT_CLASS) else MESSAGES_OF_A_VERSION):
            message = sample(name, version, draw)
            yield name, version, message, encode(message, version)


def is_in_kafka(name: str, version: int) -> bool:
    """Return whether the version of Apache Kafka under test has this version of a message. All have the records."""
    home, table = TABLES[name]
    return home in PACKAGES or version in versions_in_kafka(ApiKey(table.key))


def class_of(name: str) -> str:
    return PACKAGES.get(TABLES[name][0], "org.apache.kafka.common.message.{}Data").format(name)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory with the compiled Java driver."""
    require_kafka()
    classes = tmp_path_factory.mktemp("classes")
    javac(SOURCE, classes)
    return classes


def results_of_kafka(driver: Path, samples: list[Sample]) -> list[str]:
    command = jvm("512M", "Messages", (), quick_jvm())
    at = command.index("-cp") + 1
    command[at] = f"{command[at]}:{driver}"
    lines = [f"{class_of(name)} {version} {data.hex()}\n" for name, version, _, data in samples]
    done = subprocess.run(
        command, input="".join(lines), capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_messages__random_values_in_every_version__same_bytes_and_values_as_kafkas_classes(driver: Path) -> None:
    print(f"TENURE_TEST_SEED={SEED}")
    samples = list(random_samples())
    assert len(samples) >= MESSAGES_MIN
    for (name, version, message, data), line in zip(samples, results_of_kafka(driver, samples), strict=True):
        about = f"TENURE_TEST_SEED={SEED}: {name} v{version} {message}"
        written, _, values = line.partition(" ")
        assert written != "!", f"{about}\n{values}"
        assert written == data.hex(), about
        assert unlike(message, json.loads(values), TABLES[name][1].struct, version) == [], about
        assert decode(type(message), version, data) == message, about


# --- our values and Kafka's JSON of them ------------------------------------------------------------------------------


def unlike(message: Any, values: dict[str, Any], struct: StructSchema, version: int) -> list[str]:
    """Return the fields that Kafka's class read differently. A tagged field with its default is not on the wire."""
    read = {name.lower(): value for name, value in values.items()}
    found = []
    for field in struct.fields:
        if version not in field.versions or field.name in NEW_FIELDS:
            continue
        ours, name = getattr(message, field.name), field.name.replace("_", "")
        if name in read:
            found += [] if alike(ours, read[name], field.type, version) else [field.name]
        elif f"{name}sizeinbytes" in read:
            found += [] if len(ours or b"") == read[f"{name}sizeinbytes"] else [field.name]
        elif field.tag is None or ours != getattr(type(message)(), field.name):
            found.append(field.name)
    return found


def alike(ours: Any, read: Any, kind: Any, version: int) -> bool:
    if ours is None or read is None:
        return ours is read
    match kind:
        case ArrayOf(element=element):
            return len(ours) == len(read) and all(
                alike(one, other, element, version) for one, other in zip(ours, read, strict=True)
            )
        case StructSchema():
            return not unlike(ours, read, kind, version)
        case Variable(python="bytes"):
            return bool(ours == base64.b64decode(read))
        case _ if kind is UUID:
            return bool(ours == base64.urlsafe_b64decode(f"{read}=="))
    return bool(ours == read)


def test_random_messages_of_the_comparison__all_records_of_consumer_groups__included() -> None:
    names = {name for name, (home, _) in TABLES.items() if home == "consumer_group_records"}
    keys = {TABLES[name][1].key for name in names if name.endswith("Key")}
    assert keys == {3, 4, 5, 6, 7, 8, 16}
    assert names <= {name for name, *_ in every_message_and_version()}


def test_comparison_of_messages__field_differs_or_is_missing__detected() -> None:
    """Prove that the comparison can fail."""
    table = TABLES["HeartbeatRequest"][1].struct
    message = sample("HeartbeatRequest", 4, rng("canary"))
    told = {"groupId": message.group_id, "generationId": message.generation_id, "memberId": message.member_id}
    assert unlike(message, {**told, "groupInstanceId": message.group_instance_id}, table, 4) == []
    assert unlike(message, {**told, "groupInstanceId": "another"}, table, 4) == ["group_instance_id"]
    assert unlike(message, told, table, 4) == ["group_instance_id"]
    assert [field.name for field in table.fields if isinstance(field, Field)][-1] == "group_instance_id"
