"""The records of the coordinator's and the metadata log, byte for byte as Apache Kafka 4.3.0 wrote them."""

import pytest

from tenure.protocol.codec import MalformedMessage
from tenure.protocol.coordinator_logs import cluster_metadata
from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
    UnknownRecord,
    decode_record,
    encode_key,
    encode_value,
)
from tenure.protocol.messages import FeatureLevelRecord, PartitionChangeRecord, PartitionRecord, TopicRecord
from tenure.protocol.types import GroupId, TopicId, TopicName
from tests.protocol.samples import SEED, TABLES, rng, sample, versions

TOPIC_ID = TopicId(bytes(range(1, 17)))
KEY = OffsetCommitKey(GroupId("flights"), TopicName("t"), 3)
OFFSET = OffsetCommitValue(42, 5, "m", 1_234_567_890_123, topic_id=TOPIC_ID)
MEMBER = MemberMetadata("A", "web-1", "c", "/h", 7, 8, b"\1\2", b"")
GROUP = GroupMetadataValue("consumer", 6, "range", None, 77, [MEMBER])
PARTITION = {"partition_id": 1, "topic_id": TOPIC_ID, "replicas": [1, 2], "isr": [1], "leader": 1}
EPOCHS = {"leader_epoch": 4, "partition_epoch": 5}

OFFSET_VALUES = [
    "0000 000000000000002a 0001 6d 0000011f71fb04cb",
    "0001 000000000000002a 0001 6d 0000011f71fb04cb ffffffffffffffff",
    "0002 000000000000002a 0001 6d 0000011f71fb04cb",
    "0003 000000000000002a 00000005 0001 6d 0000011f71fb04cb",
    "0004 000000000000002a 00000005 02 6d 0000011f71fb04cb 01 00 10 0102030405060708090a0b0c0d0e0f10",
]
GROUP_VALUES = [
    (
        "0000 0008 636f6e73756d6572 00000006 0005 72616e6765 ffff 00000001"
        "0001 41 0001 63 0002 2f68 00000008 00000002 0102 00000000"
    ),
    (
        "0001 0008 636f6e73756d6572 00000006 0005 72616e6765 ffff 00000001"
        "0001 41 0001 63 0002 2f68 00000007 00000008 00000002 0102 00000000"
    ),
    (
        "0002 0008 636f6e73756d6572 00000006 0005 72616e6765 ffff 000000000000004d 00000001"
        "0001 41 0001 63 0002 2f68 00000007 00000008 00000002 0102 00000000"
    ),
    (
        "0003 0008 636f6e73756d6572 00000006 0005 72616e6765 ffff 000000000000004d 00000001"
        "0001 41 0005 7765622d31 0001 63 0002 2f68 00000007 00000008 00000002 0102 00000000"
    ),
    (
        "0004 09 636f6e73756d6572 00000006 06 72616e6765 00 000000000000004d 02"
        "02 41 06 7765622d31 02 63 03 2f68 00000007 00000008 03 0102 01 00 00"
    ),
]


def test_offset_commit_key__encoded__same_bytes_as_kafka() -> None:
    assert encode_key(KEY) == bytes.fromhex("0001 0007 666c6967687473 0001 74 00000003")
    assert decode_record(encode_key(KEY), None) == (KEY, None)


def test_group_metadata_key__encoded__same_bytes_as_kafka() -> None:
    key = GroupMetadataKey(GroupId("flights"))
    assert encode_key(key) == bytes.fromhex("0002 0007 666c6967687473")
    assert decode_record(encode_key(key), None) == (key, None)


@pytest.mark.parametrize(("version", "text"), list(enumerate(OFFSET_VALUES)))
def test_offset_commit_value__encoded__same_bytes_as_kafka(version: int, text: str) -> None:
    assert encode_value(OFFSET, version) == bytes.fromhex(text)


@pytest.mark.parametrize(("version", "text"), list(enumerate(GROUP_VALUES)))
def test_group_metadata_value__encoded__same_bytes_as_kafka(version: int, text: str) -> None:
    assert encode_value(GROUP, version) == bytes.fromhex(text)


@pytest.mark.parametrize("name", ["OffsetCommit", "GroupMetadata"])
def test_coordinator_record__random_values_encoded_and_decoded__unchanged(name: str) -> None:
    for version in versions(TABLES[f"{name}Value"][1]):
        draw = rng("record", name, version)
        for _ in range(20):
            key, value = sample(f"{name}Key", 0, draw), sample(f"{name}Value", version, draw)
            assert decode_record(encode_key(key), encode_value(value, version)) == (key, value), (
                f"TENURE_TEST_SEED={SEED}"
            )


def test_coordinator_record__key_of_type_0__decoded_as_an_offset_commit() -> None:
    assert decode_record(b"\0\0" + encode_key(KEY)[2:], encode_value(OFFSET, 3))[0] == KEY


def test_coordinator_record__unknown_key_type__unknown_record_with_its_number() -> None:
    assert decode_record(bytes.fromhex("0063 aaaa"), b"anything") == UnknownRecord(99)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"\0", None),
        (encode_key(KEY)[:-1], None),
        (encode_key(KEY) + b"\0", None),
        (encode_key(KEY), b""),
        (encode_key(KEY), bytes.fromhex("0005") + encode_value(OFFSET, 4)[2:]),
        (encode_key(KEY), bytes.fromhex("ffff")),
        (encode_key(KEY), encode_value(OFFSET, 4)[:-1]),
    ],
)
def test_coordinator_record__malformed_or_unknown_version__refused(key: bytes, value: bytes | None) -> None:
    with pytest.raises(MalformedMessage):
        decode_record(key, value)


METADATA = [
    (TopicRecord(TopicName("t"), TOPIC_ID), 0, "01 02 00 02 74 0102030405060708090a0b0c0d0e0f10 00"),
    (
        PartitionRecord(**PARTITION, **EPOCHS),  # type: ignore[arg-type]
        0,
        (
            "01 03 00 00000001 0102030405060708090a0b0c0d0e0f10 03 00000001 00000002 02 00000001 01 01"
            "00000001 00000004 00000005 00"
        ),
    ),
    (
        PartitionRecord(**PARTITION, **EPOCHS, directories=[TOPIC_ID], eligible_leader_replicas=[2]),  # type: ignore[arg-type]
        2,
        (
            "01 03 02 00000001 0102030405060708090a0b0c0d0e0f10 03 00000001 00000002 02 00000001 01 01"
            "00000001 00000004 00000005 02 0102030405060708090a0b0c0d0e0f10 01 01 05 02 00000002"
        ),
    ),
    (
        PartitionChangeRecord(1, TOPIC_ID, isr=[1, 2], leader=2, directories=[TOPIC_ID]),  # type: ignore[arg-type,list-item]
        2,
        (
            "01 05 02 00000001 0102030405060708090a0b0c0d0e0f10 03 00 09 03 00000001 00000002 01 04 00000002"
            "08 11 02 0102030405060708090a0b0c0d0e0f10"
        ),
    ),
    (FeatureLevelRecord("group.version", 1), 0, "01 0c 00 0e 67726f75702e76657273696f6e 0001 00"),
]


@pytest.mark.parametrize(("record", "version", "text"), METADATA, ids=lambda value: type(value).__name__)
def test_metadata_record__encoded__same_bytes_as_kafka(record: TopicRecord, version: int, text: str) -> None:
    assert cluster_metadata.encode_record(record, version) == bytes.fromhex(text)
    assert cluster_metadata.decode_record(bytes.fromhex(text)) == record


def test_metadata_record__encoded_without_a_version__newest_version_used() -> None:
    assert cluster_metadata.encode_record(PartitionRecord())[:3] == bytes((1, 3, 2))


def test_metadata_record__unknown_type_or_version__decoded_as_an_unknown_record() -> None:
    assert cluster_metadata.decode_record(bytes.fromhex("01 63 00 aa")) == cluster_metadata.UnknownRecord(99, 0)
    assert cluster_metadata.decode_record(bytes.fromhex("01 02 07 aa")) == cluster_metadata.UnknownRecord(2, 7)


@pytest.mark.parametrize("data", ["", "01", "0102", "00 02 00 02 74", "01 02 00 02", "01 02 00 00"])
def test_metadata_record__malformed__refused(data: str) -> None:
    with pytest.raises(MalformedMessage):
        cluster_metadata.decode_record(bytes.fromhex(data))
