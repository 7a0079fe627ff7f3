"""Transfer of the user's modules to executors.

Tasks refer to functions by their module, and executors import this module. So the driver sends the modules to which
tasks refer, and the loaded modules in the same directories: packages as a whole, with their data files. Installed
modules are not sent; they must be installed on the executors too, like Tenure itself.
"""

import hashlib
import io
import os
import pickletools
import site
import sys
import sysconfig
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from tenure.limits.spark import SHIPPED_BYTES_MAX
from tenure.pipeline.errors import PipelineConfigError

if TYPE_CHECKING:
    from pyspark import SparkContext

NEVER_SHIPPED: Final = frozenset({"tenure", "pyspark_tenure", "pytest_tenure", "pyspark", "py4j"})
"""Packages that are never sent, because executors have them. The driver may import them from a source directory."""

ZIP_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Modification time of all files in an archive. Therefore the same modules always give the same archive."""


def ship_modules(context: "SparkContext", pickled: bytes, py_files: Sequence[str] = ()) -> None:
    """Send the user's files, and the modules to which the pickled task refers, to all tasks of the session.

    Raises:
        PipelineConfigError: The modules are larger than SHIPPED_BYTES_MAX.
    """
    for place in py_files:
        context.addPyFile(place)
    if content := module_archive(modules_to_ship(pickled)):
        # Spark removes this directory when its Java process ends.
        archive = Path(context._temp_dir, f"tenure-modules-{hashlib.sha256(content).hexdigest()[:16]}.zip")
        archive.write_bytes(content)
        context.addPyFile(str(archive))


def modules_to_ship(pickled: bytes) -> list[Path]:
    """Return files and package directories of the user's modules to which the pickled task refers.

    Also return all other loaded modules in the same directories.
    """
    named = {value for _, value, _ in pickletools.genops(pickled) if isinstance(value, str)}
    roots = {root for name in named if (root := import_root(sys.modules.get(name))) is not None}
    return sorted(
        {
            top_level(module, root)
            for module in list(sys.modules.values())
            if (root := import_root(module)) is not None and root in roots
        }
    )


def import_root(module: ModuleType | None) -> Path | None:
    """Return the directory of the import path that contains the module; None for installed modules."""
    name, file = getattr(module, "__name__", "__main__"), getattr(module, "__file__", None)
    if name == "__main__" or not isinstance(file, str) or name.partition(".")[0] in NEVER_SHIPPED:
        return None  # Functions of __main__ are pickled with their code.
    path = Path(os.path.abspath(file))
    depth = name.count(".") + (path.name == "__init__.py")
    return None if len(path.parents) <= depth or has_installed_modules(path.parents[depth]) else path.parents[depth]


@cache
def has_installed_modules(root: Path) -> bool:
    """Return whether executors have the modules in this directory of the import path.

    True for the standard library, for directories into which pip installs, and for archives.
    """
    place = root.resolve()
    return (
        not place.is_dir()
        or any(place.is_relative_to(installed) for installed in INSTALLED)
        or any(place.glob("*.dist-info"))
    )


def top_level(module: ModuleType, root: Path) -> Path:
    """Return the file or package directory through which the module is imported from `root`."""
    package = root / module.__name__.partition(".")[0]
    return package if package.is_dir() else Path(os.path.abspath(str(module.__file__)))


def module_archive(paths: Iterable[Path]) -> bytes:
    """Return a zip archive of files and directories; empty for none."""
    buffer, size = io.BytesIO(), 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in (found for root in paths for found in files_of(root)):
            size += path.stat().st_size
            if size > SHIPPED_BYTES_MAX:
                raise PipelineConfigError(
                    f"The modules beside {path} have more than {SHIPPED_BYTES_MAX >> 20} MB and are not shipped to"
                    " executors: move data out of the package, or install the package on the executors."
                )
            archive.writestr(zipfile.ZipInfo(name, ZIP_EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue() if size else b""


def files_of(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield two values for each file: its name in the archive, and its path. Skip hidden files and `__pycache__`."""
    if root.is_file():
        yield root.name, root
        return
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root.parent).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
            yield "/".join(parts), path


INSTALLED: Final = tuple(
    Path(place).resolve()
    for place in {
        *sysconfig.get_paths().values(),
        *site.getsitepackages(),
        site.getusersitepackages(),
    }
    if place not in (sys.prefix, sys.base_prefix, sysconfig.get_path("data"))
)
"""Directories of the standard library and of installed packages."""
