"""Generated from `tenure/protocol/tables/describe_configs.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_configs import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)
from tenure.protocol.generated.writers.describe_configs import (
    write_describe_configs_synonym_v1_list,
    write_describe_configs_synonym_v4_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ZbZ: Final = Packer(">?b?").pack
pack_ZbZi: Final = Packer(">?b?i").pack
pack_b: Final = Packer(">b").pack
pack_bh: Final = Packer(">bh").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_describe_configs_resource_result_v1_list(out: list[MessagePart], items: list[DescribeConfigsResourceResult]) -> Iterator[None]:
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
        for start in range(0, len(m.synonyms), 256):
            write_describe_configs_synonym_v1_list(out, m.synonyms[start : start + 256])
            yield
        yield


def pieces_of_describe_configs_result_v1_list(out: list[MessagePart], items: list[DescribeConfigsResult]) -> Iterator[None]:
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
        yield from pieces_of_describe_configs_resource_result_v1_list(out, m.configs)
        yield


def pieces_of_describe_configs_response_v1(out: list[MessagePart], m: DescribeConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    yield from pieces_of_describe_configs_result_v1_list(out, m.results)


def pieces_of_describe_configs_resource_result_v3_list(out: list[MessagePart], items: list[DescribeConfigsResourceResult]) -> Iterator[None]:
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
        for start in range(0, len(m.synonyms), 256):
            write_describe_configs_synonym_v1_list(out, m.synonyms[start : start + 256])
            yield
        if m.documentation is None:
            put(pack_bh(m.config_type, -1))
        else:
            text = m.documentation.encode()
            put(pack_bh(m.config_type, len(text)))
            put(text)
        yield


def pieces_of_describe_configs_result_v3_list(out: list[MessagePart], items: list[DescribeConfigsResult]) -> Iterator[None]:
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
        yield from pieces_of_describe_configs_resource_result_v3_list(out, m.configs)
        yield


def pieces_of_describe_configs_response_v3(out: list[MessagePart], m: DescribeConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    yield from pieces_of_describe_configs_result_v3_list(out, m.results)


def pieces_of_describe_configs_resource_result_v4_list(out: list[MessagePart], items: list[DescribeConfigsResourceResult]) -> Iterator[None]:
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
        for start in range(0, len(m.synonyms), 256):
            write_describe_configs_synonym_v4_list(out, m.synonyms[start : start + 256])
            yield
        put(pack_b(m.config_type))
        if m.documentation is None:
            put(b"\0")
        else:
            text = m.documentation.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")
        yield


def pieces_of_describe_configs_result_v4_list(out: list[MessagePart], items: list[DescribeConfigsResult]) -> Iterator[None]:
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
        yield from pieces_of_describe_configs_resource_result_v4_list(out, m.configs)
        put(b"\0")
        yield


def pieces_of_describe_configs_response_v4(out: list[MessagePart], m: DescribeConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_configs_result_v4_list(out, m.results)
    put(b"\0")


DescribeConfigsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_describe_configs_response_v1,
    2: pieces_of_describe_configs_response_v1,
    3: pieces_of_describe_configs_response_v3,
    4: pieces_of_describe_configs_response_v4,
}
