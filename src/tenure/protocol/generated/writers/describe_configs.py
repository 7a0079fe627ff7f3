"""Generated from `tenure/protocol/tables/describe_configs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
    write_strings,
)

pack_Z: Final = Packer(">?").pack
pack_ZZ: Final = Packer(">??").pack
pack_ZZx: Final = Packer(">??x").pack
pack_ZbZ: Final = Packer(">?b?").pack
pack_ZbZi: Final = Packer(">?b?i").pack
pack_b: Final = Packer(">b").pack
pack_bh: Final = Packer(">bh").pack
pack_bx: Final = Packer(">bx").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def write_describe_configs_resource_v1_list(out: list[MessagePart], items: list[DescribeConfigsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        if m.configuration_keys is None:
            put(pack_i(-1))
        else:
            put(pack_i(len(m.configuration_keys)))
            write_strings(out, m.configuration_keys)


def write_describe_configs_request_v1(out: list[MessagePart], m: DescribeConfigsRequest) -> None:
    put = out.append
    if m.include_documentation:
        raise UnsupportedVersion("DescribeConfigsRequest.include_documentation exists in versions 3+ only")
    put(pack_i(len(m.resources)))
    write_describe_configs_resource_v1_list(out, m.resources)
    put(pack_Z(m.include_synonyms))


def write_describe_configs_request_v3(out: list[MessagePart], m: DescribeConfigsRequest) -> None:
    put = out.append
    put(pack_i(len(m.resources)))
    write_describe_configs_resource_v1_list(out, m.resources)
    put(pack_ZZ(m.include_synonyms, m.include_documentation))


def write_describe_configs_resource_v4_list(out: list[MessagePart], items: list[DescribeConfigsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.configuration_keys is None:
            put(b"\0")
        else:
            n = len(m.configuration_keys) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_compact_strings(out, m.configuration_keys)
        put(b"\0")


def write_describe_configs_request_v4(out: list[MessagePart], m: DescribeConfigsRequest) -> None:
    put = out.append
    n = len(m.resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_configs_resource_v4_list(out, m.resources)
    put(pack_ZZx(m.include_synonyms, m.include_documentation))


def write_describe_configs_synonym_v1_list(out: list[MessagePart], items: list[DescribeConfigsSynonym]) -> None:
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
        put(pack_b(m.source))


def write_describe_configs_resource_result_v1_list(out: list[MessagePart], items: list[DescribeConfigsResourceResult]) -> None:
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
        put(pack_ZbZi(m.read_only, m.config_source, m.is_sensitive, len(m.synonyms)))
        write_describe_configs_synonym_v1_list(out, m.synonyms)


def write_describe_configs_result_v1_list(out: list[MessagePart], items: list[DescribeConfigsResult]) -> None:
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
        put(pack_i(len(m.configs)))
        write_describe_configs_resource_result_v1_list(out, m.configs)


def write_describe_configs_response_v1(out: list[MessagePart], m: DescribeConfigsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_describe_configs_result_v1_list(out, m.results)


def write_describe_configs_resource_result_v3_list(out: list[MessagePart], items: list[DescribeConfigsResourceResult]) -> None:
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
        put(pack_ZbZi(m.read_only, m.config_source, m.is_sensitive, len(m.synonyms)))
        write_describe_configs_synonym_v1_list(out, m.synonyms)
        if m.documentation is None:
            put(pack_bh(m.config_type, -1))
        else:
            text = m.documentation.encode()
            put(pack_bh(m.config_type, len(text)))
            put(text)


def write_describe_configs_result_v3_list(out: list[MessagePart], items: list[DescribeConfigsResult]) -> None:
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
        put(pack_i(len(m.configs)))
        write_describe_configs_resource_result_v3_list(out, m.configs)


def write_describe_configs_response_v3(out: list[MessagePart], m: DescribeConfigsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_describe_configs_result_v3_list(out, m.results)


def write_describe_configs_synonym_v4_list(out: list[MessagePart], items: list[DescribeConfigsSynonym]) -> None:
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
        put(pack_bx(m.source))


def write_describe_configs_resource_result_v4_list(out: list[MessagePart], items: list[DescribeConfigsResourceResult]) -> None:
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
        put(pack_ZbZ(m.read_only, m.config_source, m.is_sensitive))
        n = len(m.synonyms) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_configs_synonym_v4_list(out, m.synonyms)
        put(pack_b(m.config_type))
        if m.documentation is None:
            put(b"\0")
        else:
            text = m.documentation.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_describe_configs_result_v4_list(out: list[MessagePart], items: list[DescribeConfigsResult]) -> None:
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
        n = len(m.configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_configs_resource_result_v4_list(out, m.configs)
        put(b"\0")


def write_describe_configs_response_v4(out: list[MessagePart], m: DescribeConfigsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_configs_result_v4_list(out, m.results)
    put(b"\0")


DescribeConfigsRequest.WRITERS = {
    1: write_describe_configs_request_v1,
    2: write_describe_configs_request_v1,
    3: write_describe_configs_request_v3,
    4: write_describe_configs_request_v4,
}
DescribeConfigsResponse.WRITERS = {
    1: write_describe_configs_response_v1,
    2: write_describe_configs_response_v1,
    3: write_describe_configs_response_v3,
    4: write_describe_configs_response_v4,
}
