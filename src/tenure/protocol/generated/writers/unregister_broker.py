"""Generated from `tenure/protocol/tables/unregister_broker.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ih: Final = Packer(">ih").pack
pack_ix: Final = Packer(">ix").pack


def write_unregister_broker_request_v0(out: list[MessagePart], m: UnregisterBrokerRequest) -> None:
    put = out.append
    put(pack_ix(m.broker_id))


def write_unregister_broker_response_v0(out: list[MessagePart], m: UnregisterBrokerResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


UnregisterBrokerRequest.WRITERS = {
    0: write_unregister_broker_request_v0,
}
UnregisterBrokerResponse.WRITERS = {
    0: write_unregister_broker_response_v0,
}
