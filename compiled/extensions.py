"""`python -m compiled.extensions DIRECTORY`: compile the hot path; the extensions are below DIRECTORY/lib.

The build hook (`hatch_build.py`) runs this in an environment that has mypyc and setuptools.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from compiled.modules import files
from compiled.source import prepared

PROJECT = Path(__file__).resolve().parent.parent
MYPY = """\
[mypy]
ignore_missing_imports = True
follow_imports = silent
"""
"""Types were checked before; here they only guide the compiler."""


def main(directory: Path) -> None:
    stage = directory / "stage"
    shutil.copytree(PROJECT / "src", stage, ignore=shutil.ignore_patterns("__pycache__"))
    modules = files(stage / "tenure")
    for path in modules:
        path.write_text(prepared(path.read_text("utf-8")), "utf-8")
    (stage / "modules").write_text("\n".join(str(path.relative_to(stage)) for path in modules))
    (stage / "mypy.ini").write_text(MYPY)
    shutil.copy(Path(__file__).parent / "setup.py", stage)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--build-lib", directory.resolve() / "lib"]
    subprocess.run(command, cwd=stage, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
