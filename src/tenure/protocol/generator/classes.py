"""Generator of the class of a struct: slots, and a constructor with the schema's defaults."""

from collections.abc import Iterator

from tenure.protocol.generator.layouts import Module, default, python_type, snake_case
from tenure.protocol.schema import ArrayOf, Field, StructSchema


def class_lines(module: Module, struct: StructSchema) -> Iterator[str]:
    message = next((m for m in module.messages if m.struct is struct), None)
    names = [f.name for f in struct.fields]
    yield f"class {struct.name}({'Message' if message else 'Struct'}):"
    yield f"    __slots__ = ({', '.join(repr(n) for n in names)}{',' if len(names) == 1 else ''})".replace("'", '"')
    if message:
        yield f'    TABLE = "{module.table}"'
        yield f"    KEY = {message.key}"
        yield f"    VERSIONS = range({message.versions.first}, {message.versions.last + 1})"
    if struct.fields:
        yield ""
        yield "    def __init__("
        yield "        self,"
        yield from (f"        {f.name}: {python_type(f)} = {_parameter_default(f)}," for f in struct.fields)
        yield "    ) -> None:"
        yield from (f"        self.{f.name}: Final = {_value(f)}" for f in struct.fields)
    yield ""
    yield ""
    if struct.name in module.singles:
        yield f"DEFAULT_{snake_case(struct.name).upper()}: Final = {struct.name}()"
        yield ""
        yield ""


def _needs_new_default(field: Field) -> bool:
    """Return whether each object needs a new default value, because the default is mutable."""
    return isinstance(field.type, ArrayOf) and field.default is not None


def _parameter_default(field: Field) -> str:
    return "EMPTY" if _needs_new_default(field) else default(field)


def _value(field: Field) -> str:
    return f"[] if {field.name} is EMPTY else {field.name}" if _needs_new_default(field) else field.name
