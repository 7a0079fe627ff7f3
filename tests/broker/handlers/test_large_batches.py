"""Batches that no client produces, and large ones that are checked while other clients are served."""

from typing import Final

import pytest

from tenure.limits.protocol import BATCH_HEADERS_MAX, BATCH_RECORDS_MAX, BATCH_UNPACKED_BYTES_MAX, RECORD_HEADERS_MAX
from tenure.protocol.batches import PackedRecords, encode_batch, encode_packed
from tenure.protocol.compression import Codec, compress
from tenure.protocol.errors import ErrorCode
from tenure.protocol.records import Record, encode_record
from tests.broker.handlers.test_records import Topic
from tests.broker.server.counting_server import CountingServer, with_server
from tests.broker.wire import Wire
from tests.serving import Serving
from tests.wire import Wire as WireTo

STEPS_MIN: Final = 100
"""Smallest number of steps in which the broker may check a batch with some hundred thousand headers."""
HEADER: Final = ("", None)


def packed(body: bytes, count: int, codec: Codec = Codec.ZSTD) -> bytes:
    return encode_packed(PackedRecords(compress(codec, body), codec, count, 0, 0))


def headers(count: int) -> bytes:
    return encode_record(Record(0, 0, None, None, [HEADER] * count), 0, 0)


LARGE: Final = encode_batch([Record(0, 0, None, bytes(10_000)) for _ in range(300)], codec=Codec.ZSTD)
"""Batch whose decompressed size is three times the limit for decompression on the event loop."""


@pytest.mark.parametrize(
    ("batch", "error_code"),
    [
        (packed(headers(RECORD_HEADERS_MAX + 1), 1), ErrorCode.INVALID_RECORD),
        (packed(headers(RECORD_HEADERS_MAX) * 101, 101), ErrorCode.MESSAGE_TOO_LARGE),
        (packed(headers(0), BATCH_RECORDS_MAX + 1), ErrorCode.MESSAGE_TOO_LARGE),
        (packed(bytes(BATCH_UNPACKED_BYTES_MAX + 1), 1), ErrorCode.MESSAGE_TOO_LARGE),
    ],
    ids=["headers of a record", "headers of a batch", "records", "bytes"],
)
def test_produce__batch_exceeds_a_limit_of_headers_records_or_bytes__refused(
    wire: Wire, batch: bytes, error_code: ErrorCode
) -> None:
    topic = Topic(wire, "bombs")
    assert topic.produce(batch).error_code == error_code
    assert topic.offset(-1) == (ErrorCode.NONE, -1, 0)


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.ZSTD])
def test_produce__batch_with_very_many_headers__checked_in_steps(codec: Codec) -> None:
    count = BATCH_HEADERS_MAX // 100 if codec else 4_500  # more do not fit into a megabyte

    def client(server: CountingServer, port: int) -> None:
        with WireTo("127.0.0.1", port) as wire:
            topic = Topic(wire, "checked-in-steps")
            before = server.steps
            topic.produce(packed(headers(100) * count, count, codec))
            assert server.steps - before >= STEPS_MIN

    with_server(client, CountingServer)


def test_produce__small_batch_between_large_ones_on_one_connection__appended_in_order(wire: Wire) -> None:
    topic = Topic(wire, "in-order")
    small = encode_batch([Record(0, 0, None, b"v")])
    for batch in (LARGE, small, LARGE):
        wire.send(topic.produce_request(batch))
    offsets = [wire.receive().responses[0].partition_responses[0].base_offset for _ in range(3)]
    assert offsets == [0, 300, 301]


def test_produce__clients_disconnect_during_decompression__others_continue(broker: Serving, wire: Wire) -> None:
    topic = Topic(wire, "left-alone")
    for _ in range(5):
        with Wire(broker) as other:
            other.send(topic.produce_request(packed(bytes(BATCH_UNPACKED_BYTES_MAX), 1)))
    assert topic.produce(LARGE).error_code == ErrorCode.NONE
