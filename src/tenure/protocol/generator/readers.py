"""Generator of readers. Adjacent fields of fixed width, and a length after them, are unpacked in one call."""

from collections.abc import Callable
from typing import Final

from tenure.protocol.generator.layouts import Module, StructLayout, default, python_type
from tenure.protocol.generator.source import Source
from tenure.protocol.schema import (
    CONFIG_VALUE,
    INT8,
    INT16,
    INT32,
    INT64,
    UUID,
    ArrayOf,
    Field,
    Fixed,
    StructSchema,
    Variable,
)

WIDTHS = {"?": 1, "b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "q": 8, "d": 8, "16s": 16}


class ReaderSource:
    """Source code of one reader. `pending` has (struct code, local name) of fixed fields that are not unpacked yet."""

    def __init__(self, module: Module, layout: StructLayout, source: Source) -> None:
        self.module = module
        self.layout = layout
        self.line = source
        self.pending: list[tuple[str, str]] = []
        self.data: Final = "Data" if layout.struct.name in module.in_place else "bytes"
        self.is_counted: Final = layout.struct.name in module.counted
        self.is_message: Final = layout.struct.name in module.message_names
        self.elements: Final = "elements" if not self.is_message or self._has_nested() else "Elements()"
        self.pass_elements: Final = f", {self.elements}" if self.is_counted else ""

    def struct_function(self) -> None:
        """Generate the function `read_<struct>(data, at) -> (struct, end)`.

        The generated function decodes the struct that begins at byte `at` of `data`, and returns the struct and the
        position after it.
        """
        name = self.layout.struct.name
        parameters = f"data: {self.data}, at: int{self._elements_parameter()}"
        self.line(f"def read_{self.layout.suffix}({parameters}) -> tuple[{name}, int]:")
        self.line.depth += 1
        if self.is_counted and self.is_message and self._has_nested():
            self.line("elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()")
        self._fields()
        self.line(f"return {self._construction()}, at")
        self.line.depth -= 1
        self.line()
        self.line()

    def list_function(self) -> None:
        """Generate the function `read_<struct>_list(data, at, announced) -> (list of structs, end)`.

        The generated function decodes `announced` structs from byte `at` of `data` on, and returns them and the
        position after the last one. In the generated code, n is the length of a field.
        """
        name = self.layout.struct.name
        least = self.layout.bytes_min()
        assert least > 0, f"{name} may be empty: a count of them is not bounded by the data"
        parameters = f"data: {self.data}, at: int, announced: int{self._elements_parameter()}"
        self.line(f"def read_{self.layout.suffix}_list({parameters}) -> tuple[list[{name}], int]:")
        self.line.depth += 1
        self.line(f"if announced * {least} > len(data) - at:")
        self.line(f"    raise too_many(announced, {least}, data, at)")
        self.line(f"found: list[{name}] = []")
        self.line("for _ in range(announced):")
        self.line.depth += 1
        self._fields()
        self.line(f"found.append({self._construction()})")
        self.line.depth -= 1
        self.line("return found, at")
        self.line.depth -= 1
        self.line()
        self.line()

    def _elements_parameter(self) -> str:
        """Return the source code of the reader's parameter `elements`; "" if the reader does not need it.

        Only the reader of a struct that occurs in requests needs it. The reader of a whole message does not.
        """
        if not self.is_counted or self.is_message:
            return ""
        return ", elements: Elements" + (" = UNBOUNDED" if self.layout.struct.name in self.module.uncounted else "")

    def _count(self, count: str) -> None:
        """Generate code that adds the number `count` of array elements to the request's total (see `wire.Elements`).

        A small request cannot have too many elements. Its reader gets UNBOUNDED, and the generated code skips the call.
        """
        if self.is_counted and self.elements == "elements":
            self.line("if elements is not UNBOUNDED:")
            self.line(f"    elements.add({count})")
        elif self.is_counted:
            self.line(f"{self.elements}.take({count})")

    def _has_nested(self) -> bool:
        return any(isinstance(field.type, ArrayOf | StructSchema) for field in (*self.layout.body, *self.layout.tagged))

    def _construction(self) -> str:
        """Return the source code that constructs the struct, with arguments up to the last field of the version."""
        here = {f.name for f in (*self.layout.body, *self.layout.tagged)}
        values = [f.name if f.name in here else default(f) for f in self.layout.struct.fields]
        while values and self.layout.struct.fields[len(values) - 1].name not in here:
            values.pop()
        return f"{self.layout.struct.name}({', '.join(values)})"

    def _fields(self) -> None:
        for field in self.layout.body:
            self._field(field)
        if self.layout.flexible:
            self.pending.append(("B", "tags"))
        self._unpack()
        if self.layout.flexible:
            self._tags()

    def _field(self, field: Field) -> None:
        match field.type:
            case Fixed(code=code):
                self.pending.append((code, field.name))
            case Variable(python=python, length_code=code):
                self._length(code, is_text=python == "str" and field.type is not CONFIG_VALUE)
                self._or_null(field, lambda: self._variable(field))
            case ArrayOf(element=element):
                self._length("i")
                self._or_null(field, lambda: self._array(field, element))
            case StructSchema():
                self._unpack()
                if self.layout.nullable(field):
                    self._struct_or_null(field)
                else:
                    self._struct(field)

    def _struct(self, field: Field) -> None:
        self.line(
            f"{field.name}, at = read_{self.module.inner(self.layout, field).suffix}(data, at{self.pass_elements})"
        )

    def _struct_or_null(self, field: Field) -> None:
        """Generate code that reads a nullable struct, and the byte before it that marks null.

        The byte -1 means null. In a tagged field, 0 means null.
        """
        if field.tag is None:
            self.pending.append(("b", "n"))
            self._unpack()
        else:
            self.line("n, at = read_uvarint(data, at)")
        self.line(f"if n {'<' if field.tag is None else '=='} 0:")
        self.line(f"    {field.name} = None")
        self.line("else:")
        self.line.depth += 1
        self._struct(field)
        self.line.depth -= 1

    def _unpack(self) -> None:
        if not self.pending:
            return
        codes = "".join(code for code, _ in self.pending)
        names = ", ".join(name for _, name in self.pending)
        if codes == "B":
            self.line(f"{names} = data[at]")
        elif len(self.pending) == 1:
            self.line(f"({names},) = {self.line.packer('unpack', codes)}(data, at)")
        else:
            self.line(f"{names} = {self.line.packer('unpack', codes)}(data, at)")
        self.line(f"at += {sum(WIDTHS[code] for code, _ in self.pending)}")
        self.pending.clear()

    def _length(self, code: str, *, is_text: bool = False) -> None:
        """Generate code that reads a length into `n`. A negative length means null."""
        self.pending.append(("B" if self.layout.flexible else code, "n"))
        self._unpack()
        if self.layout.flexible:
            self.line("if n > 127:")
            read = "read_text_length" if is_text and self.is_counted else "read_uvarint"
            self.line(f"    n, at = {read}(data, at - 1)")
            self.line("n -= 1")

    def _or_null(self, field: Field, read: Callable[[], None]) -> None:
        path = f"{self.layout.struct.name}.{field.name}"
        if not self.layout.nullable(field):
            self.line("if n < 0:")
            self.line(f'    raise MalformedMessage("{path} is null")')
            read()
            return
        self.line("if n >= 0:")
        self.line.depth += 1
        read()
        self.line.depth -= 1
        if self.layout.flexible:
            self.line("else:")
            self.line(f"    {field.name} = None")
        else:
            self.line("elif n == -1:")
            self.line(f"    {field.name} = None")
            self.line("else:")
            self.line(f'    raise MalformedMessage("{path} has a negative length")')

    def _variable(self, field: Field) -> None:
        assert isinstance(field.type, Variable)
        self.line("end = at + n")
        self.line(f"{field.name} = {self._value(field.type.python)}")
        self.line("at = end")

    def _value(self, python: str) -> str:
        if python != "str":
            return "data[at:end]"
        return "utf8(data[at:end])" if self.data == "bytes" else "utf8_of(data[at:end])"

    def _array(self, field: Field, element: Fixed | Variable | StructSchema) -> None:
        self._count("n")
        if isinstance(element, StructSchema):
            inner = self.module.inner(self.layout, field)
            self.line(f"{field.name}, at = read_{inner.suffix}_list(data, at, n{self.pass_elements})")
        elif isinstance(element, Variable):
            read = "read_compact_strings" if self.layout.flexible else "read_strings"
            length = ", read_text_length" if self.layout.flexible and self.is_counted else ""
            self.line(f"{field.name}, at = {read}(data, at, n{length})")
        elif element is UUID:
            self.line(f"{field.name} = read_uuids(data, at, n)")
            self.line("at += 16 * n")
        elif element is INT32:
            self.line(f"{field.name} = read_int32s(data, at, n)")
            self.line("at += 4 * n")
        elif element is INT8:
            self.line(f"{field.name} = read_int8s(data, at, n)")
            self.line("at += n")
        elif element is INT16:
            self.line(f"{field.name} = read_int16s(data, at, n)")
            self.line("at += 2 * n")
        elif element is INT64:
            self.line(f"{field.name} = read_int64s(data, at, n)")
            self.line("at += 8 * n")
        else:
            raise TypeError(f"{field.name}: arrays of {element.python} are not supported")

    def _tags(self) -> None:
        tagged = self.layout.tagged
        for field in tagged:
            self.line(f"{field.name}: {python_type(field)} = {default(field)}")
        self.line("if tags:")
        self.line.depth += 1
        if tagged:
            self._known_tags(tagged)
        else:
            self.line(f"at = skip_tags(data, at - 1{self.pass_elements})")
        self.line.depth -= 1

    def _known_tags(self, tagged: list[Field]) -> None:
        self.line("tags, at = read_uvarint(data, at - 1)")
        self._count("tags")
        self.line("tag = -1")
        self.line("for _ in range(tags):")
        self.line.depth += 1
        self.line("tag, n, at = read_tag(data, at, tag)")
        self.line("stop = at + n")
        for word, field in zip(["if", *["elif"] * len(tagged)], tagged, strict=False):
            self.line(f"{word} tag == {field.tag}:")
            self.line.depth += 1
            self._field(field)
            self._unpack()
            self.line.depth -= 1
        self.line("else:")
        self.line("    at = stop")
        self.line("if at != stop:")
        self.line(f'    raise MalformedMessage(f"tag {{tag}} of {self.layout.struct.name} has a wrong size")')
        self.line.depth -= 1
