"""Classic groups and committed offsets in every version of their records, as older versions of Apache Kafka wrote them.

No request leads to the older versions, but a log has them after an upgrade until they are compacted (rule 6.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
    encode_key,
    encode_value,
)
from tenure.protocol.records import Record
from tests.oracle.classic_requests import LONG_MS, RANGE, TOPIC
from tests.oracle.consumer_requests import Consumers

PARTITIONS: Final = (0, 1, 2, 3)
MEMBER: Final = "old-member"
GENERATION: Final = 3
COMMITTED_AT_MS: Final = 1_700_000_000_000
OFFSET_VERSIONS: Final = OffsetCommitValue.VERSIONS
GROUP_VERSIONS: Final = GroupMetadataValue.VERSIONS
GROUPS: Final = tuple(f"old-group-{version}" for version in GROUP_VERSIONS)


def records() -> list[Record]:
    """Return the records of all groups."""
    return [Record(0, 1, key, value) for version in GROUP_VERSIONS for key, value in group_records(version)]


def group_records(version: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the records of a group with one member. All groups together have offsets of every version."""
    group = GROUPS[version]
    member = MemberMetadata(
        MEMBER,  # type: ignore[arg-type]
        "old-instance" if version >= 3 else None,  # type: ignore[arg-type]
        "old-client",
        "/127.0.0.1",
        LONG_MS if version >= 1 else -1,
        LONG_MS,
        RANGE["range"],
        b"all",
    )
    state_since_ms = COMMITTED_AT_MS if version >= 2 else -1
    value = GroupMetadataValue("consumer", GENERATION, "range", MEMBER, state_since_ms, [member])  # type: ignore[arg-type]
    for partition in PARTITIONS:
        key = encode_key(OffsetCommitKey(group, TOPIC, partition))  # type: ignore[arg-type]
        offset = OffsetCommitValue(100 * version + partition, -1, f"metadata {version}", COMMITTED_AT_MS)
        offset_version = (version + partition) % len(OFFSET_VERSIONS)
        yield key, encode_value(offset, offset_version)
    yield encode_key(GroupMetadataKey(group)), encode_value(value, version)  # type: ignore[arg-type]


def ask(groups: dict[str, Consumers]) -> None:
    """Send requests for these groups to see how the broker understands the records."""
    for name in GROUPS:
        group = groups[name]
        group.describe()
        group.fetch(partitions=PARTITIONS)
        group.list()
        group.heartbeat("M", MEMBER, generation=GENERATION)
        group.commit("M", {0: 5}, MEMBER, generation=GENERATION)
        group.commit("M", {0: 6}, MEMBER, generation=GENERATION - 1)
        group.join("M", MEMBER)
        group.describe()
