"""Generator of piecewise writers: encoders of large responses in steps, between which other requests are served.

Piecewise writers produce the same bytes as plain writers. Structs without arrays of structs are encoded by the plain
writer, many in one step.
"""

from typing import Final

from tenure.protocol.generator.layouts import Module, StructLayout, nested
from tenure.protocol.generator.writers import WriterSource
from tenure.protocol.schema import ArrayOf, Field, Fixed, StructSchema, Variable

PIECE_ELEMENTS: Final = 256
"""Elements that one step encodes with a plain writer, in about a hundred microseconds."""


def holds_structs(layout: StructLayout) -> bool:
    """Return whether a struct contains an array of structs, so that it needs a piecewise writer."""
    return any(isinstance(field.type, ArrayOf) and nested(field) is not None for field in layout.body)


def piecewise_layouts(module: Module) -> list[StructLayout]:
    """Return the layouts of responses and their structs that get a piecewise writer, inner structs first."""
    found: list[StructLayout] = []
    for message in module.messages:
        if message.name.endswith("Response"):
            for version in range(message.versions.first, message.versions.last + 1):
                _collect(module, module.layout(message.struct, version, version in message.flexible), found)
    return found


def _collect(module: Module, layout: StructLayout, found: list[StructLayout]) -> None:
    if layout in found or not holds_structs(layout):
        return
    for field in layout.body:
        if isinstance(field.type, ArrayOf) and nested(field) is not None:
            _collect(module, module.inner(layout, field), found)
    found.append(layout)


class PiecewiseSource(WriterSource):
    def struct_function(self) -> None:
        """Generate the function `pieces_of_<message>(out, m)`.

        The generated function is a generator that appends the encoded message `m` to `out` in pieces, and yields after
        each step.
        """
        self.line(
            f"def pieces_of_{self.layout.suffix}(out: list[MessagePart], m: {self.layout.struct.name}) -> "
            "Iterator[None]:"
        )
        self.line.depth += 1
        self.line("put = out.append")
        self._fields()
        self.line.depth -= 1
        self.line()
        self.line()

    def list_function(self) -> None:
        """Generate the function `pieces_of_<struct>_list(out, items)`.

        The generated function is a generator that appends the encoded structs of an array to `out`, and yields after
        each struct.
        """
        items = f"items: list[{self.layout.struct.name}]"
        self.line(f"def pieces_of_{self.layout.suffix}_list(out: list[MessagePart], {items}) -> Iterator[None]:")
        self.line.depth += 1
        self.line("put = out.append")
        self.line("for m in items:")
        self.line.depth += 1
        self._fields()
        self.line("yield")
        self.line.depth -= 2
        self.line()
        self.line()

    def _array(self, field: Field, element: Fixed | Variable | StructSchema, value: str) -> None:
        if not isinstance(element, StructSchema) or self.out != "out":
            super()._array(field, element, value)
            return
        self._length("i", value)
        inner = self.module.inner(self.layout, field)
        if holds_structs(inner):
            self.line(f"yield from pieces_of_{inner.suffix}_list(out, {value})")
            return
        self.line(f"for start in range(0, len({value}), {PIECE_ELEMENTS}):")
        self.line(f"    write_{inner.suffix}_list(out, {value}[start : start + {PIECE_ELEMENTS}])")
        self.line("    yield")
