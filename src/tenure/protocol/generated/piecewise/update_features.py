"""Generated from `tenure/protocol/tables/update_features.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.update_features import (
    UpdateFeaturesResponse,
)
from tenure.protocol.generated.writers.update_features import (
    write_updatable_feature_result_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ih: Final = Packer(">ih").pack


def pieces_of_update_features_response_v0(out: list[MessagePart], m: UpdateFeaturesResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.results), 256):
        write_updatable_feature_result_v0_list(out, m.results[start : start + 256])
        yield
    put(b"\0")


UpdateFeaturesResponse.PIECEWISE_WRITERS = {
    0: pieces_of_update_features_response_v0,
    1: pieces_of_update_features_response_v0,
}
