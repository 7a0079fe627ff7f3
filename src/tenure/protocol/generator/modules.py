"""A generated module, whole, and the index of all of them."""

from collections.abc import Iterator, Mapping, Sequence

from tenure.protocol.generator.classes import class_lines
from tenure.protocol.generator.layouts import Module, versions
from tenure.protocol.generator.readers import ReaderSource
from tenure.protocol.generator.source import Source, packer_name
from tenure.protocol.generator.writers import WriterSource
from tenure.protocol.schema import FOREVER, Message

IMPORTS = {
    "tenure.protocol.message": (
        "EMPTY", "InvalidMessage", "MalformedMessage", "Message", "Struct", "UnsupportedVersion",
    ),
    "tenure.protocol.types": (
        "BrokerId", "GenerationId", "GroupId", "InstanceId", "MemberId", "PartitionId", "ProducerId", "TopicId",
        "TopicName", "ZERO_TOPIC_ID",
    ),
    "tenure.protocol.wire": (
        "UVARINT", "pack_fixed", "pack_int32s", "read_compact_strings", "read_fixed", "read_strings", "read_tag",
        "read_uuids", "read_uvarint", "skip_tags", "tagged", "too_many", "utf8", "uvarint", "write_compact_strings",
        "write_strings",
    ),
}  # fmt: skip


def module_text(table: str, messages: Sequence[Message]) -> str:
    """The generated module of one table file."""
    module = Module(messages)
    body = _body(module)
    text = "\n".join(body.lines)
    head = [f'"""Generated from `tenure/protocol/tables/{table}.py` by `python -m tenure.protocol.generate`."""', ""]
    if body.packers:
        head.append("from struct import Struct as Packer")
    head += ["from typing import Final", ""] if "Final" in text or body.packers else []
    used = set(_identifiers(text))
    for source, names in IMPORTS.items():
        wanted = sorted(used.intersection(names))
        if wanted:
            head.append(f"from {source} import (")
            head += [f"    {name}," for name in wanted]
            head.append(")")
    head.append("")
    head += _packers(body)
    return "\n".join([*head, "", text]).rstrip() + "\n"


def index_text(tables: Mapping[str, Sequence[Message]]) -> str:
    """Which module holds which class, and which versions each API has, without importing any of them."""
    line = Source()
    line('"""Generated from the tables by `python -m tenure.protocol.generate`: what there is and where it stands."""')
    line()
    line("from typing import TYPE_CHECKING, Final")
    line()
    line("if TYPE_CHECKING:")
    homes = _homes(tables)
    for name, table in sorted(homes.items()):
        line(f"    from tenure.protocol.generated.{table} import {name} as {name}")
    line()
    line("HOMES: Final = {")
    for name, table in sorted(homes.items()):
        line(f'    "{name}": "{table}",')
    line("}")
    line('"""Class -> module. A struct whose name two modules use is missing here: import it from its own module."""')
    line()
    line("API_ROWS: Final = (")
    for row in sorted(_api_rows(tables)):
        line(f"    {row},")
    line(")")
    line('"""(key, name, first version, last version, first flexible version)"""')
    return "\n".join(line.lines) + "\n"


def _body(module: Module) -> Source:
    line = Source()
    for struct in module.structs:
        for text in class_lines(module, struct):
            line(text)
    tops = {message.struct.name for message in module.messages}
    for source in (ReaderSource, WriterSource):
        for layout in module.layouts():
            if layout.struct.name in tops | module.singles:
                source(module, layout, line).single()
            if layout.struct.name in module.listed:
                source(module, layout, line).many()
    for message in module.messages:
        for verb, table in (("read", "READERS"), ("write", "WRITERS")):
            line(f"{message.name}.{table} = {{")
            for version in versions(message):
                layout = module.layout(message.struct, version, version in message.flexible)
                line(f"    {version}: {verb}_{layout.suffix},")
            line("}")
    return line


def _packers(body: Source) -> Iterator[str]:
    for verb, codes in sorted(body.packers):
        method = "pack" if verb == "pack" else "unpack_from"
        yield f'{packer_name(verb, codes)}: Final = Packer(">{codes}").{method}'
    yield ""


def _identifiers(text: str) -> Iterator[str]:
    for separator in "()[]{}.,:|*=":
        text = text.replace(separator, " ")
    yield from text.split()


def _homes(tables: Mapping[str, Sequence[Message]]) -> dict[str, str]:
    homes: dict[str, str] = {}
    ambiguous: set[str] = set()
    for table, messages in tables.items():
        for struct in Module(messages).structs:
            if struct.name in homes:
                ambiguous.add(struct.name)
            homes[struct.name] = table
    return {name: table for name, table in homes.items() if name not in ambiguous}


def _api_rows(tables: Mapping[str, Sequence[Message]]) -> Iterator[tuple[int, str, int, int, int]]:
    for messages in tables.values():
        for m in messages:
            if m.name.endswith("Request"):
                flexible = m.flexible.first if m.flexible.first != FOREVER else m.versions.last + 1
                yield m.key, m.name.removesuffix("Request"), m.versions.first, m.versions.last, flexible
