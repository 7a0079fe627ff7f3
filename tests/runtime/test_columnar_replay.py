"""Reading a log by columns gives the same state as reading it by rows."""

import random

import numpy as np
import pytest

from tenure.coordinator.groups.records import OffsetsRead
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import Now
from tenure.protocol.batches import encode_batch
from tenure.protocol.compression import Codec
from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
    encode_key,
    encode_value,
)
from tenure.protocol.records import Record
from tenure.runtime import newest_by_key, replay
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState
from tenure.runtime.replay import UnreadableRecord, newest_records
from tests.quick import quick_first

HISTORIES = 12
AS_COLUMNS = 0
AS_ROWS = 1 << 62
MARKERS = (b"\0\0\0\0", b"\0\0\0\1")


def random_log(rng: random.Random, kinds: str) -> list[bytes]:
    """Return chunks of batches; each letter of `kinds` allows one kind of unusual record."""
    chunks, offset = [], 0
    for _ in range(rng.randint(1, 4)):
        chunk = b""
        for _ in range(rng.randint(1, 30)):
            offset += rng.choice((0, 0, 0, 7))  # compaction leaves offsets out
            batch, count = random_batch(rng, kinds, offset)
            chunk += batch
            offset += count
        chunks.append(chunk)
    return chunks


def random_batch(rng: random.Random, kinds: str, offset: int) -> tuple[bytes, int]:
    producer = rng.randint(1, 2)
    if "t" in kinds and rng.random() < 0.1:
        marker = Record(0, 0, rng.choice(MARKERS), bytes(6))
        return encode_batch(
            [marker], base_offset=offset, producer_id=producer, is_transactional=True, is_control=True
        ), 1
    records = [random_record(rng, kinds) for _ in range(rng.choice((1, 2, 50)))]
    codec = rng.choice((Codec.NONE, Codec.GZIP)) if "z" in kinds else Codec.NONE
    if "t" in kinds and rng.random() < 0.2:
        return encode_batch(records, base_offset=offset, producer_id=producer, is_transactional=True), len(records)
    return encode_batch(records, base_offset=offset, codec=codec), len(records)


def random_record(rng: random.Random, kinds: str) -> Record:
    group_id, topic = f"g{rng.randrange(3)}", "t" * rng.randint(0, 150)
    key = encode_key(OffsetCommitKey(group_id, topic, rng.randrange(-1, 3)))
    if "o" in kinds and rng.random() < 0.1:
        key = b"\0\0" + key[2:]
    value = commit_value(rng)
    if "g" in kinds and rng.random() < 0.2:
        key, value = group_record(rng, group_id)
    return Record(0, rng.randrange(1 << 40), key, None if rng.random() < 0.1 else value)


def commit_value(rng: random.Random) -> bytes:
    metadata = "é" * rng.choice((0, 0, 0, 1, 62, 63, 64, 200))
    value = OffsetCommitValue(rng.randrange(1 << 40), rng.randrange(-1, 9), metadata, 7, -1, rng.randbytes(16))
    return encode_value(value, rng.choice((4, 4, 4, 3, 1)))


def group_record(rng: random.Random, group_id: str) -> tuple[bytes, bytes]:
    """Return a record of the group itself, or of an unknown kind."""
    if rng.random() < 0.3:
        return b"\0\x63" + group_id.encode(), b"?"
    value = GroupMetadataValue("consumer", rng.randrange(9), None, None, 5, [])
    return encode_key(GroupMetadataKey(group_id)), encode_value(value, 3)


def loaded(chunks: list[bytes]) -> Host[GroupsShard]:
    host = Host(lambda: GroupsShard(GroupSettings(), random.Random(1).randbytes), GroupsCodec())
    host.load(chunks, Now(9, 9))
    assert host.state is HostState.ACTIVE, host.failure
    return host


@pytest.mark.parametrize("kinds", quick_first(["zotg", "", "g", "z", "o", "t"]))
def test_load__log_read_by_columns_or_by_rows__same_shard_state(kinds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sifted_chunks = read_at_once = 0
    for seed in range(HISTORIES):
        print("seed", seed, "kinds", kinds)
        chunks = random_log(random.Random(seed), kinds)
        monkeypatch.setattr(replay, "LOAD_AS_COLUMNS_FROM_BYTES", AS_ROWS)
        expected = loaded(chunks).shard.digest()
        monkeypatch.setattr(replay, "LOAD_AS_COLUMNS_FROM_BYTES", AS_COLUMNS)
        monkeypatch.setattr(replay, "LOAD_HELD_BYTES_MAX", 1 if seed % 2 else 1 << 30)
        monkeypatch.setattr(
            newest_by_key, "_FACTOR", newest_by_key._FACTOR * np.uint64(seed % 3 > 0)
        )  # 0: every hash is 0
        log = replay._Log(GroupsCodec())
        for chunk in chunks:
            log.take(chunk)
            sifted_chunks += len(log._columns)
        assert loaded(chunks).shard.digest() == expected
        assert any(expected)
        read_at_once += sum(isinstance(found, OffsetsRead) for _, found in newest_records(chunks, GroupsCodec()))
    assert (sifted_chunks and read_at_once) or kinds not in ("", "g", "z"), "nothing was read by the column"


@pytest.mark.parametrize("spoilt", [b"\0\1", b"\0\1\0\2\xff\xff\0\1t\0\0\0\0", b"\0\1\0\x09g\0\1t\0\0\0\0"])
def test_load__unreadable_record_key__error_names_its_offset(spoilt: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    records = [random_record(rng, "") for _ in range(9)]
    records[5] = Record(0, 0, spoilt, commit_value(rng))
    monkeypatch.setattr(replay, "LOAD_AS_COLUMNS_FROM_BYTES", AS_COLUMNS)
    with pytest.raises(UnreadableRecord, match="offset 5 "):
        list(newest_records([encode_batch(records)], GroupsCodec()))


def test_load__commit_metadata_is_not_utf_8__error_names_its_offset(monkeypatch: pytest.MonkeyPatch) -> None:
    value = encode_value(OffsetCommitValue(1, 1, "ab"), 4).replace(b"ab", b"\xff\xff")
    records = [Record(0, 0, encode_key(OffsetCommitKey("g", "t", n)), value) for n in range(2)]
    monkeypatch.setattr(replay, "LOAD_AS_COLUMNS_FROM_BYTES", AS_COLUMNS)
    with pytest.raises(UnreadableRecord, match="offset 0 "):
        list(newest_records([encode_batch(records)], GroupsCodec()))


def test_newest_records__longer_keys_in_a_later_chunk__each_key_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "LOAD_AS_COLUMNS_FROM_BYTES", AS_COLUMNS)
    chunks = [
        encode_batch([Record(0, 0, encode_key(GroupMetadataKey("g" * size)), b"?") for size in sizes], base_offset=at)
        for at, sizes in ((0, (1, 9)), (10, (1, 9, 90)), (20, (1,)), (30, (200, 1, 9)))
    ]
    log = replay._Log(GroupsCodec())
    for chunk in chunks:
        log.take(chunk)
    assert [offset for offset, _ in log.newest()] == [12, 30, 31, 32]


def test_newest_records__commit_marker_in_a_chunk_of_its_own__records_of_the_transaction_yielded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(1)
    pending = encode_batch([random_record(rng, "")], producer_id=1, is_transactional=True)
    end = encode_batch(
        [Record(0, 0, MARKERS[1], bytes(6))], base_offset=1, producer_id=1, is_transactional=True, is_control=True
    )
    monkeypatch.setattr(replay, "LOAD_AS_COLUMNS_FROM_BYTES", AS_COLUMNS)
    assert [offset for offset, _ in newest_records([pending, end], GroupsCodec())] == [0]
