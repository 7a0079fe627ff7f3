"""Generated from `tenure/protocol/tables/unregister_controller.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.unregister_controller import (
    UnregisterControllerRequest,
    UnregisterControllerResponse,
)
from tenure.protocol.wire import (
    Elements,
    read_uvarint,
    skip_tags,
    utf8,
)

unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_unregister_controller_request_v0(data: bytes, at: int) -> tuple[UnregisterControllerRequest, int]:
    controller_id, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return UnregisterControllerRequest(controller_id), at


def read_unregister_controller_response_v0(data: bytes, at: int) -> tuple[UnregisterControllerResponse, int]:
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
    return UnregisterControllerResponse(throttle_time_ms, error_code, error_message), at


UnregisterControllerRequest.READERS = {
    0: read_unregister_controller_request_v0,
}
UnregisterControllerResponse.READERS = {
    0: read_unregister_controller_response_v0,
}
