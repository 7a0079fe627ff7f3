"""Compiled build that `make compiled-wheel` has installed in `.work/compiled`."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".work" / "compiled" / "venv"
PACKAGE = ROOT / "src" / "tenure"
LOCK = ROOT / ".work" / "compiled.lock"


@contextmanager
def build_lock() -> Iterator[None]:
    """Keep other processes from building, and from using a build that is not complete yet."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def compiled_python(environment: Path = ENVIRONMENT, package: Path = PACKAGE) -> Path | None:
    """Return the interpreter of the compiled build; None if there is no build, or one of another source.

    A wheel has the Python sources beside their extensions, so they can be compared.
    """
    for installed in environment.glob(f"lib/python*/site-packages/{package.name}"):
        if sources(installed) == sources(package):
            return environment / "bin" / "python"
    return None


def sources(package: Path) -> dict[str, bytes]:
    """Return the bytes of a package's Python files by name."""
    return {str(path.relative_to(package)): path.read_bytes() for path in package.rglob("*.py")}
