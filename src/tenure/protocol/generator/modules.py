"""Generator of whole files: classes, readers, writers and piecewise writers of each table, and an index of all classes.

Readers and writers are not in the module of the classes, because they are most of the code, and a process needs only a
few of them. `codec` imports the readers and writers of a message on first use.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from tenure.protocol.generator.classes import class_lines
from tenure.protocol.generator.layouts import Module, versions
from tenure.protocol.generator.piecewise import PiecewiseSource, piecewise_layouts
from tenure.protocol.generator.readers import ReaderSource
from tenure.protocol.generator.source import Source, packer_name
from tenure.protocol.generator.writers import WriterSource
from tenure.protocol.schema import FOREVER, MessageSchema

BY = "by `python -m tenure.protocol.generate`."
EXPORTS = {
    "tenure.protocol.message": "Data EMPTY InvalidMessage MalformedMessage Message MessagePart Records Struct "
    "UnsupportedVersion",
    "tenure.protocol.types": "BrokerId GenerationId GroupId InstanceId MemberId PartitionId ProducerId TopicId "
    "TopicName ZERO_TOPIC_ID",
    "tenure.protocol.wire": "Elements UNBOUNDED UNCOUNTED_BYTES UVARINT joined pack_compact_int32s pack_int32s "
    "pack_int16s pack_int64s pack_int8s read_compact_strings read_int16s read_int32s read_int64s read_int8s "
    "read_strings read_tag read_text_length read_uuids read_uvarint skip_tags tagged "
    "too_many uncopied utf8 utf8_of uvarint write_compact_strings write_strings",
}


def table_files(table: str, messages: Sequence[MessageSchema]) -> Iterator[tuple[str, str]]:
    """Yield (path below `generated`, text) of all files for one table file."""
    module = Module(table, messages)
    yield f"{table}.py", _text(module, _classes, {})
    names = [struct.name for struct in module.structs]
    defaults = [f"DEFAULT_{constant}" for constant in module.default_names()]
    home = {f"tenure.protocol.generated.{table}": " ".join([*names, *defaults])}
    yield f"readers/{table}.py", _text(module, _readers, home)
    yield f"writers/{table}.py", _text(module, _writers, home)
    if piecewise_layouts(module):
        writers = " ".join(f"write_{layout.suffix}{many}" for layout in module.layouts() for many in ("", "_list"))
        plain = {f"tenure.protocol.generated.writers.{table}": writers}
        yield f"piecewise/{table}.py", _text(module, _piecewise_writers, {**home, **plain})


def index_text(tables: Mapping[str, Sequence[MessageSchema]]) -> str:
    """Return the text of the index: module of each class, and versions of each API.

    Importing the index imports none of these modules.
    """
    line = Source()
    line(f'"""Index of all classes and versions. Generated from the tables {BY}"""')
    line()
    line("from typing import TYPE_CHECKING, Final")
    line()
    line("if TYPE_CHECKING:")
    homes = sorted(_homes(tables).items())
    for name, table in homes:
        line(f"    from tenure.protocol.generated.{table} import {name} as {name}")
    line()
    line("HOMES: Final = {")
    for name, table in homes:
        line(f'    "{name}": "{table}",')
    line("}")
    line('"""Class -> module. A struct whose name two modules use is missing here: import it from its own module."""')
    line()
    line("API_ROWS: Final = (")
    for row in sorted(_api_rows(tables)):
        line(f"    {row},".replace("'", '"'))
    line(")")
    line('"""(key, name, first version, last version, first flexible version)"""')
    return "\n".join(line.lines) + "\n"


def _text(module: Module, write: Callable[[Module, Source], None], exports: Mapping[str, str]) -> str:
    body = Source()
    write(module, body)
    text = "\n".join(body.lines)
    head = [f'"""Generated from `tenure/protocol/tables/{module.table}.py` {BY}"""', ""]
    if "Iterator" in text:
        head.append("from collections.abc import Iterator")
    if body.packers:
        head.append("from struct import Struct as Packer")
    if body.packers or "Final" in text:
        head += ["from typing import Final", ""]
    used = set(_identifiers(text))
    for source, names in sorted({**EXPORTS, **exports}.items()):
        wanted = sorted(used.intersection(names.split()))
        if wanted:
            head += [f"from {source} import (", *(f"    {name}," for name in wanted), ")"]
    head += ["", *_packers(body), ""]
    return "\n".join([*head, text]).rstrip() + "\n"


def _classes(module: Module, line: Source) -> None:
    for struct in module.structs:
        for text in class_lines(module, struct):
            line(text)


def _readers(module: Module, line: Source) -> None:
    _functions(module, line, ReaderSource)
    _by_version(module, line, "read", "READERS")


def _writers(module: Module, line: Source) -> None:
    _functions(module, line, WriterSource)
    _by_version(module, line, "write", "WRITERS")


def _piecewise_writers(module: Module, line: Source) -> None:
    layouts = piecewise_layouts(module)
    for layout in layouts:
        source = PiecewiseSource(module, layout, line)
        if layout.struct.name in module.message_names:
            source.struct_function()
        else:
            source.list_function()
    for message in module.messages:
        found = {
            version: module.layout(message.struct, version, version in message.flexible)
            for version in versions(message)
        }
        if message.name.endswith("Response") and any(layout in layouts for layout in found.values()):
            line(f"{message.name}.PIECEWISE_WRITERS = {{")
            for version, layout in found.items():
                if layout in layouts:
                    line(f"    {version}: pieces_of_{layout.suffix},")
            line("}")


def _functions(module: Module, line: Source, source: type[ReaderSource] | type[WriterSource]) -> None:
    for layout in module.layouts():
        if layout.struct.name in module.message_names | module.singles:
            source(module, layout, line).struct_function()
        if layout.struct.name in module.listed:
            source(module, layout, line).list_function()


def _by_version(module: Module, line: Source, verb: str, table: str) -> None:
    for message in module.messages:
        line(f"{message.name}.{table} = {{")
        for version in versions(message):
            layout = module.layout(message.struct, version, version in message.flexible)
            line(f"    {version}: {verb}_{layout.suffix},")
        line("}")


def _packers(body: Source) -> Iterator[str]:
    for verb, codes in sorted(body.packers):
        method = "pack" if verb == "pack" else "unpack_from"
        yield f'{packer_name(verb, codes)}: Final = Packer(">{codes}").{method}'
    if body.packers:
        yield ""


def _identifiers(text: str) -> Iterator[str]:
    for separator in "()[]{}.,:|*=":
        text = text.replace(separator, " ")
    yield from text.split()


def _homes(tables: Mapping[str, Sequence[MessageSchema]]) -> dict[str, str]:
    homes: dict[str, str] = {}
    ambiguous: set[str] = set()
    for table, messages in tables.items():
        for struct in Module(table, messages).structs:
            if struct.name in homes:
                ambiguous.add(struct.name)
            homes[struct.name] = table
    return {name: table for name, table in homes.items() if name not in ambiguous}


def _api_rows(tables: Mapping[str, Sequence[MessageSchema]]) -> Iterator[tuple[int, str, int, int, int]]:
    for messages in tables.values():
        for m in messages:
            if m.is_request:
                flexible = m.flexible.first if m.flexible.first != FOREVER else m.versions.last + 1
                yield m.key, m.name.removesuffix("Request"), m.versions.first, m.versions.last, flexible
