"""Reading a log by the column gives what reading it by the row gives, whatever stands in it."""

import random

import pytest

from tenure.protocol.compression import Codec
from tenure.protocol.consumer_offsets import OffsetCommitKey, OffsetCommitValue, encode_key, encode_value
from tenure.protocol.records import Record, encode_batch
from tenure.runtime import replay
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.replay import newest_records

HISTORIES = 12
SIFTED = 0
BY_THE_ROW = 1 << 62
MARKERS = (b"\0\0\0\0", b"\0\0\0\1")


def history(drawn: random.Random, kinds: str) -> list[bytes]:
    """Chunks of batches: `kinds` says which oddities may occur, one letter each."""
    chunks, offset = [], 0
    for _ in range(drawn.randint(1, 4)):
        chunk = b""
        for _ in range(drawn.randint(1, 30)):
            offset += drawn.choice((0, 0, 0, 7))  # compaction leaves offsets out
            batch, count = one_batch(drawn, kinds, offset)
            chunk += batch
            offset += count
        chunks.append(chunk)
    return chunks


def one_batch(drawn: random.Random, kinds: str, offset: int) -> tuple[bytes, int]:
    producer = drawn.randint(1, 2)
    if "t" in kinds and drawn.random() < 0.1:
        marker = Record(0, 0, drawn.choice(MARKERS), bytes(6))
        return encode_batch(
            [marker], base_offset=offset, producer_id=producer, is_transactional=True, is_control=True
        ), 1
    records = [one_record(drawn, kinds) for _ in range(drawn.choice((1, 2, 50)))]
    codec = drawn.choice((Codec.NONE, Codec.GZIP)) if "z" in kinds else Codec.NONE
    if "t" in kinds and drawn.random() < 0.2:
        return encode_batch(records, base_offset=offset, producer_id=producer, is_transactional=True), len(records)
    return encode_batch(records, base_offset=offset, codec=codec), len(records)


def one_record(drawn: random.Random, kinds: str) -> Record:
    key = encode_key(OffsetCommitKey(f"g{drawn.randrange(3)}", "t" * drawn.randint(1, 90), drawn.randrange(3)))
    if "o" in kinds and drawn.random() < 0.1:
        key = b"\0\0" + key[2:]
    value = encode_value(OffsetCommitValue(drawn.randrange(1 << 40), 1, "m" * drawn.randrange(200)), 4)
    return Record(0, drawn.randrange(1 << 40), key, None if drawn.random() < 0.1 else value)


@pytest.mark.parametrize("kinds", ["", "z", "o", "t", "zot"])
def test_newest__by_the_column_and_by_the_row__the_same(kinds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sifted_chunks = 0
    for seed in range(HISTORIES):
        print("seed", seed, "kinds", kinds)
        chunks = history(random.Random(seed), kinds)
        monkeypatch.setattr(replay, "LOAD_SIFTED_FROM_BYTES", BY_THE_ROW)
        expected = list(newest_records(chunks, GroupsCodec()))
        monkeypatch.setattr(replay, "LOAD_SIFTED_FROM_BYTES", SIFTED)
        monkeypatch.setattr(replay, "LOAD_HELD_BYTES_MAX", 1 if seed % 2 else 1 << 30)
        log = replay._Log(GroupsCodec())
        for chunk in chunks:
            log.take(chunk)
            sifted_chunks += len(log._sifted)
        assert list(newest_records(chunks, GroupsCodec())) == expected
        assert expected
    assert sifted_chunks or kinds not in ("", "z"), "nothing was read by the column"


def test_newest__commit_marker_alone_in_a_large_chunk__its_transaction_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = random.Random(1)
    pending = encode_batch([one_record(drawn, "")], producer_id=1, is_transactional=True)
    end = encode_batch(
        [Record(0, 0, MARKERS[1], bytes(6))], base_offset=1, producer_id=1, is_transactional=True, is_control=True
    )
    monkeypatch.setattr(replay, "LOAD_SIFTED_FROM_BYTES", SIFTED)
    assert [offset for offset, _ in newest_records([pending, end], GroupsCodec())] == [0]
