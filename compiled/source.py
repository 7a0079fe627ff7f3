"""Source as mypyc wants it: value classes written out, and subclasses allowed where there are interpreted ones.

`@value` (coordinator/values.py) stands for a constructor, a comparison and a representation that follow from the
annotations. mypyc sees nothing of what a decorator makes at run time. Written into the class itself, the three become
C functions and the fields members of a struct.
"""

from __future__ import annotations

import ast

from compiled.modules import SUBCLASSED

OPEN = "@mypyc_attr(allow_interpreted_subclasses=True)"


def prepared(source: str) -> str:
    """Return the source with changed classes; all other lines stay, because comments tell mypy about them."""
    module = ast.parse(source)
    lines = source.splitlines()
    opened = False
    for node in reversed(module.body):
        if isinstance(node, ast.ClassDef) and is_value(node):
            start = node.decorator_list[0].lineno - 1
            lines[start : node.end_lineno] = written_out(node).splitlines()
        elif isinstance(node, ast.ClassDef) and node.name in SUBCLASSED:
            lines.insert(node.lineno - 1, OPEN)
            opened = True
        elif isinstance(node, ast.Import | ast.ImportFrom) and opened:
            lines.insert(node.lineno - 1, "from mypy_extensions import mypyc_attr")
            opened = False
    return "\n".join(lines) + "\n"


def is_value(node: ast.ClassDef) -> bool:
    return [ast.unparse(decorator) for decorator in node.decorator_list] == ["value"]


def written_out(node: ast.ClassDef) -> str:
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
    node.decorator_list = []
    written = ast.parse("\n".join(methods(node, fields)))
    for field in fields:
        field.value = None  # it stands in the constructor now
    node.body += written.body
    return ast.unparse(node)


def methods(node: ast.ClassDef, fields: list[ast.AnnAssign]) -> list[str]:
    names = [ast.unparse(field.target) for field in fields]
    parameters = ", ".join(["self", *[ast.unparse(field) for field in fields]])
    mine, others = ("".join(f"{who}.{name}, " for name in names) for who in ("self", "other"))
    shown = ", ".join(f"{name}={{self.{name}!r}}" for name in names)
    return [
        f"def __init__({parameters}) -> None:",
        *([f"    self.{name} = {name}" for name in names] or ["    pass"]),
        "def __eq__(self, other: object) -> bool:",
        f"    return ({mine}) == ({others}) if isinstance(other, {node.name}) else NotImplemented",
        "def __repr__(self) -> str:",
        f"    return f'{node.name}({shown})'",
    ]
