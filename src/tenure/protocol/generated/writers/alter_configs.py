"""Generated from `tenure/protocol/tables/alter_configs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_configs import (
    AlterConfigsRequest,
    AlterConfigsResource,
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
    AlterableConfig,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Z: Final = Packer(">?").pack
pack_Zx: Final = Packer(">?x").pack
pack_b: Final = Packer(">b").pack
pack_bh: Final = Packer(">bh").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def write_alterable_config_v0_list(out: list[MessagePart], items: list[AlterableConfig]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.value is None:
            put(pack_h(-1))
        else:
            text = m.value.encode()
            put(pack_h(len(text)))
            put(text)


def write_alter_configs_resource_v0_list(out: list[MessagePart], items: list[AlterConfigsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        put(pack_i(len(m.configs)))
        write_alterable_config_v0_list(out, m.configs)


def write_alter_configs_request_v0(out: list[MessagePart], m: AlterConfigsRequest) -> None:
    put = out.append
    put(pack_i(len(m.resources)))
    write_alter_configs_resource_v0_list(out, m.resources)
    put(pack_Z(m.validate_only))


def write_alterable_config_v2_list(out: list[MessagePart], items: list[AlterableConfig]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.value is None:
            put(b"\0")
        else:
            text = m.value.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_alter_configs_resource_v2_list(out: list[MessagePart], items: list[AlterConfigsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_alterable_config_v2_list(out, m.configs)
        put(b"\0")


def write_alter_configs_request_v2(out: list[MessagePart], m: AlterConfigsRequest) -> None:
    put = out.append
    n = len(m.resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_configs_resource_v2_list(out, m.resources)
    put(pack_Zx(m.validate_only))


def write_alter_configs_resource_response_v0_list(out: list[MessagePart], items: list[AlterConfigsResourceResponse]) -> None:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)


def write_alter_configs_response_v0(out: list[MessagePart], m: AlterConfigsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_alter_configs_resource_response_v0_list(out, m.responses)


def write_alter_configs_resource_response_v2_list(out: list[MessagePart], items: list[AlterConfigsResourceResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_alter_configs_response_v2(out: list[MessagePart], m: AlterConfigsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_configs_resource_response_v2_list(out, m.responses)
    put(b"\0")


AlterConfigsRequest.WRITERS = {
    0: write_alter_configs_request_v0,
    1: write_alter_configs_request_v0,
    2: write_alter_configs_request_v2,
}
AlterConfigsResponse.WRITERS = {
    0: write_alter_configs_response_v0,
    1: write_alter_configs_response_v0,
    2: write_alter_configs_response_v2,
}
