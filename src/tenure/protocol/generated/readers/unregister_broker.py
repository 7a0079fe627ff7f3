"""Generated from `tenure/protocol/tables/unregister_broker.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from tenure.protocol.wire import (
    Elements,
    read_uvarint,
    skip_tags,
    utf8,
)

unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_unregister_broker_request_v0(data: bytes, at: int) -> tuple[UnregisterBrokerRequest, int]:
    broker_id, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return UnregisterBrokerRequest(broker_id), at


def read_unregister_broker_response_v0(data: bytes, at: int) -> tuple[UnregisterBrokerResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return UnregisterBrokerResponse(throttle_time_ms, error_code, error_message), at


UnregisterBrokerRequest.READERS = {
    0: read_unregister_broker_request_v0,
}
UnregisterBrokerResponse.READERS = {
    0: read_unregister_broker_response_v0,
}
