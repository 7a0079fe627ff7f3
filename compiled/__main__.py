"""`python -m compiled`: stage the source, make the wheel, install it beside the dependencies of this environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

from compiled.rooms import files
from compiled.source import prepared

PROJECT = Path(__file__).resolve().parent.parent
WORK = PROJECT / ".work" / "compiled"
STAGE = WORK / "stage"
ENVIRONMENT = WORK / "venv"

PURE_BUILD = 'requires = ["hatchling>=1.27"]\nbuild-backend = "hatchling.build"'
COMPILED_BUILD = f"""\
requires = ["mypy[mypyc]=={version("mypy")}", "setuptools>=77"]
build-backend = "setuptools.build_meta"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
"*" = ["*"]
"""
MYPY = """\
[mypy]
ignore_missing_imports = True
follow_imports = silent
"""
"""Types were checked before; here they only guide the compiler."""


def main() -> None:
    shutil.rmtree(WORK, ignore_errors=True)
    stage()
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", WORK, STAGE], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ENVIRONMENT], check=True)
    python = ENVIRONMENT / "bin" / "python"
    subprocess.run([*pip, "--python", python, "install", "--no-deps", *WORK.glob("*.whl")], check=True)
    share_dependencies()
    subprocess.run([ENVIRONMENT / "bin" / "tenure", "--version"], check=True)


def stage() -> None:
    package = STAGE / "src" / "tenure"
    shutil.copytree(PROJECT / "src", STAGE / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "LICENSE"):
        shutil.copy(PROJECT / name, STAGE)
    shutil.copy(Path(__file__).parent / "setup.py", STAGE)
    declared = (PROJECT / "pyproject.toml").read_text()
    assert PURE_BUILD in declared, "pyproject.toml names another build than this one knows to replace"
    declared = declared.replace(PURE_BUILD, COMPILED_BUILD)
    declared = declared.replace("dependencies = [", 'dependencies = [\n    "mypy_extensions>=1",', 1)
    (STAGE / "pyproject.toml").write_text(declared)
    (STAGE / "mypy.ini").write_text(MYPY)
    modules = files(package)
    for path in modules:
        path.write_text(prepared(path.read_text()))
    (STAGE / "modules").write_text("\n".join(str(path.relative_to(STAGE)) for path in modules))


def share_dependencies() -> None:
    """All but Tenure comes from the environment that builds: a path in a .pth file brings no editable installs."""
    (site,) = ENVIRONMENT.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")


if __name__ == "__main__":
    main()
