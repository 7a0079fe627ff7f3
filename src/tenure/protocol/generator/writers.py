"""Generator of writers. Adjacent fields of fixed width, and a classic length after them, are packed in one call."""

from collections.abc import Callable
from struct import calcsize
from typing import Final

from tenure.protocol.generator.layouts import Module, StructLayout, differs
from tenure.protocol.generator.source import Source
from tenure.protocol.schema import INT8, INT16, INT32, INT64, UUID, ArrayOf, Field, Fixed, StructSchema, Variable

NULL_STRUCT: Final = 'b"\\xff"'
TAGGED_NULL_STRUCT: Final = 'b"\\0"'


class WriterSource:
    """Source code of one writer.

    `pending` has (struct code, expression) of fields that are not packed yet; "x" is a zero byte.
    """

    def __init__(self, module: Module, layout: StructLayout, source: Source) -> None:
        self.module = module
        self.layout = layout
        self.line = source
        self.pending: list[tuple[str, str]] = []
        self.out, self.put = "out", "put"

    def struct_function(self) -> None:
        """Generate the function `write_<struct>(out, m)`, which appends the encoded struct `m` to `out`."""
        name = self.layout.struct.name
        self.line(f"def write_{self.layout.suffix}(out: list[MessagePart], m: {name}) -> None:")
        self.line.depth += 1
        self.line("put = out.append")
        self._fields()
        self.line.depth -= 1
        self.line()
        self.line()

    def list_function(self) -> None:
        """Generate the function `write_<struct>_list(out, items)`, which appends encoded structs to `out`."""
        name = self.layout.struct.name
        self.line(f"def write_{self.layout.suffix}_list(out: list[MessagePart], items: list[{name}]) -> None:")
        self.line.depth += 1
        self.line("put = out.append")
        self.line("for m in items:")
        self.line.depth += 1
        self._fields()
        self.line.depth -= 2
        self.line()
        self.line()

    def _fields(self) -> None:
        for field in self.layout.absent:
            if not field.ignorable:
                self.line(f"if {differs(field, f'm.{field.name}')}:")
                path = f"{self.layout.struct.name}.{field.name}"
                self.line(f'    raise UnsupportedVersion("{path} exists in versions {field.versions} only")')
        for field in self.layout.body:
            self._field(field, f"m.{field.name}")
        if self.layout.tagged:
            self._tags()
        elif self.layout.flexible:
            self.pending.append(("x", ""))
        self._pack()

    def _field(self, field: Field, value: str) -> None:
        match field.type:
            case Fixed(code=code):
                self.pending.append((code, value))
            case Variable(python="str"):
                self._or_null(field, value, "h", lambda: self._text(value))
            case Variable(python=python):
                self._or_null(field, value, "i", lambda: self._bytes(value, python))
            case ArrayOf(element=element):
                self._or_null(field, value, "i", lambda: self._array(field, element, value))
            case StructSchema():
                self._pack()
                if self.layout.nullable(field):
                    self._struct_or_null(field, value)
                else:
                    self._struct(field, value)

    def _struct(self, field: Field, value: str) -> None:
        self.line(f"write_{self.module.inner(self.layout, field).suffix}({self.out}, {value})")

    def _struct_or_null(self, field: Field, value: str) -> None:
        """Generate code that writes a nullable struct, and the byte before it that marks null.

        The byte -1 means null. In a tagged field, 0 means null.
        """
        self.line(f"if {value} is None:")
        self.line(f"    {self.put}({NULL_STRUCT if field.tag is None else TAGGED_NULL_STRUCT})")
        self.line("else:")
        self.line.depth += 1
        self.line(f'{self.put}(b"\\x01")')
        self._struct(field, value)
        self.line.depth -= 1

    def _or_null(self, field: Field, value: str, code: str, write: Callable[[], None]) -> None:
        """Generate code that writes a length and then calls `write`, or writes the mark for null."""
        if field.tag is not None and field.default is None:
            write()  # null is the default, and tagged fields with their default are not written
            return
        if not self.layout.nullable(field):
            self._refuse_null(field, value)
            write()
            return
        if self.layout.flexible:
            self._pack()
        pending = list(self.pending)
        self.line(f"if {value} is None:")
        self.line.depth += 1
        if self.layout.flexible:
            self.line(f'{self.put}(b"\\0")')
        else:
            self.pending.append((code, "-1"))
            self._pack()
        self.line.depth -= 1
        self.line("else:")
        self.line.depth += 1
        self.pending = pending
        write()
        self.line.depth -= 1

    def _refuse_null(self, field: Field, value: str) -> None:
        """Generate a check that the value is not null, for a field that may be null only in other versions."""
        if field.nullable:
            self.line(f"if {value} is None:")
            path = f"{self.layout.struct.name}.{field.name}"
            self.line(f'    raise InvalidMessage("{path} may be null in versions {field.nullable} only")')

    def _length(self, code: str, value: str) -> None:
        if self.layout.flexible:
            self._pack()
            self.line(f"n = len({value}) + 1")
            self.line(f"{self.put}(UVARINT[n] if n < 128 else uvarint(n))")
        else:
            self.pending.append((code, f"len({value})"))
            self._pack()

    def _text(self, value: str) -> None:
        self.line(f"text = {value}.encode()")
        self._length("h", "text")
        self.line(f"{self.put}(text)")

    def _bytes(self, value: str, python: str) -> None:
        self._length("i", value)
        self.line(f"{self.put}({value})" if python == "bytes" else f"{self.put}(uncopied({value}))")

    def _array(self, field: Field, element: Fixed | Variable | StructSchema, value: str) -> None:
        if element is INT32:
            self._pack()
            pack = "pack_compact_int32s" if self.layout.flexible else "pack_int32s"
            self.line(f"{self.put}({pack}({value}))")
            return
        self._length("i", value)
        if isinstance(element, StructSchema):
            self.line(f"write_{self.module.inner(self.layout, field).suffix}_list({self.out}, {value})")
        elif isinstance(element, Variable):
            self.line(f"{'write_compact_strings' if self.layout.flexible else 'write_strings'}({self.out}, {value})")
        elif element is UUID:
            self.line(f"{self.out}.extend({value})")
        elif element is INT8:
            self.line(f"{self.put}(pack_int8s({value}))")
        elif element is INT16:
            self.line(f"{self.put}(pack_int16s({value}))")
        elif element is INT64:
            self.line(f"{self.put}(pack_int64s({value}))")
        else:
            raise TypeError(f"{field.name}: arrays of {element.python} are not supported")

    def _pack(self) -> None:
        if not self.pending:
            return
        codes = "".join(code for code, _ in self.pending)
        values = ", ".join(value for _, value in self.pending if value)
        packed = 'b"\\0"' if codes == "x" else f"{self.line.packer('pack', codes)}({values})"
        self.line(f"{self.put}({packed})")
        self.pending.clear()

    def _tags(self) -> None:
        """Generate code that writes the tagged fields whose values are not the default, each as one `MessagePart`."""
        self._pack()
        self.line("tags: list[MessagePart] = []")
        if not all(isinstance(field.type, Fixed) for field in self.layout.tagged):
            self.line("part: list[MessagePart]")
        for field in self.layout.tagged:
            self.line(f"if {differs(field, f'm.{field.name}')}:")
            self.line.depth += 1
            if isinstance(field.type, Fixed):
                head = bytes((field.tag or 0, calcsize(f">{field.type.code}")))
                self.line(f"tags.append({head!r} + {self.line.packer('pack', field.type.code)}(m.{field.name}))")
            else:
                self.line("part = []")
                self.out, self.put = "part", "part.append"
                self._field(field, f"m.{field.name}")
                self._pack()
                self.line(f"tags.append(tagged({field.tag}, joined(part)))")
            self.line.depth -= 1
        self.out, self.put = "out", "put"
        self.line("put(UVARINT[len(tags)])")
        self.line("out.extend(tags)")
