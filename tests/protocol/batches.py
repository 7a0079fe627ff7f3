"""Random records and batches for tests."""

from hypothesis import strategies as st

from tenure.protocol.batches import encode_batch
from tenure.protocol.compression import Codec
from tenure.protocol.records import Record

NOW_MS = 1_763_700_000_000

_bytes = st.none() | st.binary(max_size=40) | st.binary(min_size=60, max_size=200)
_long = st.builds(lambda seed, size: seed * size, st.binary(min_size=1, max_size=3), st.integers(8_000, 40_000))
_headers = st.lists(st.tuples(st.text(max_size=8), st.none() | st.binary(max_size=20)), max_size=3)

records = st.builds(
    Record,
    offset=st.just(0),
    timestamp_ms=st.integers(NOW_MS - 10**11, NOW_MS + 10**9),
    key=_bytes,
    value=_bytes | _long,
    headers=_headers,
)


@st.composite
def batches(draw: st.DrawFn, max_batches: int = 6) -> tuple[bytes, list[Record]]:
    """Return the bytes of a few batches in a row, with gaps, and the records in them."""
    data, expected = b"", []
    offset = draw(st.integers(0, 2**40))
    for _ in range(draw(st.integers(1, max_batches))):
        rows = draw(st.lists(records, min_size=1, max_size=12))
        data += encode_batch(rows, base_offset=offset, codec=draw(st.sampled_from(Codec)))
        expected += [
            Record(offset + i, row.timestamp_ms, row.key, row.value, row.headers) for i, row in enumerate(rows)
        ]
        offset += len(rows) + draw(st.integers(0, 3))
    return data, expected


def rows(count: int, *, size: int = 20, first: int = 0) -> list[Record]:
    """Return plain records, all different and of one length."""
    return [
        Record(first + i, NOW_MS + first + i, b"key-%06d" % (first + i), b"%0*d" % (size, first + i))
        for i in range(count)
    ]
