"""Command that generates `tenure/protocol/generated/`: `python -m tenure.protocol.generate [--check]`."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Final

from tenure.protocol.generator.modules import index_text, table_files
from tenure.protocol.schema import MessageSchema

HERE: Final = Path(__file__).parent
GENERATED: Final = HERE / "generated"


def tables() -> dict[str, list[MessageSchema]]:
    """Return the messages of each table file, in order."""
    found = {}
    for path in sorted((HERE / "tables").glob("[a-z]*.py")):
        module = import_module(f"tenure.protocol.tables.{path.stem}")
        found[path.stem] = [value for value in vars(module).values() if isinstance(value, MessageSchema)]
    return found


def wanted() -> dict[Path, str]:
    """Return the text of each file in `generated/`, by path."""
    every = tables()
    files = {GENERATED / name: text for table, messages in every.items() for name, text in table_files(table, messages)}
    files[GENERATED / "index.py"] = index_text(every)
    for package in (GENERATED, GENERATED / "readers", GENERATED / "writers", GENERATED / "piecewise"):
        files[package / "__init__.py"] = '"""Written by `python -m tenure.protocol.generate`; never edited."""\n'
    return files


def main(arguments: list[str]) -> int:
    files = wanted()
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    strays = [path for path in GENERATED.rglob("*.py") if path not in files]
    if "--check" in arguments:
        for path in (*stale, *strays):
            print(f"{path} differs from what the tables generate; run python -m tenure.protocol.generate")
        return 1 if stale or strays else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(files[path])
    for path in strays:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
