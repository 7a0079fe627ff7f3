"""Generated from `tenure/protocol/tables/leave_group.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.leave_group import (
    LeaveGroupResponse,
)
from tenure.protocol.generated.writers.leave_group import (
    write_member_response_v3_list,
    write_member_response_v4_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack


def pieces_of_leave_group_response_v3(out: list[MessagePart], m: LeaveGroupResponse) -> Iterator[None]:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.members)))
    for start in range(0, len(m.members), 256):
        write_member_response_v3_list(out, m.members[start : start + 256])
        yield


def pieces_of_leave_group_response_v4(out: list[MessagePart], m: LeaveGroupResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.members), 256):
        write_member_response_v4_list(out, m.members[start : start + 256])
        yield
    put(b"\0")


LeaveGroupResponse.PIECEWISE_WRITERS = {
    3: pieces_of_leave_group_response_v3,
    4: pieces_of_leave_group_response_v4,
    5: pieces_of_leave_group_response_v4,
}
