"""Compiled build that benchmarks measure beside the interpreted one."""

import shutil
from pathlib import Path

import pytest

from compiled.installed import compiled_python


@pytest.fixture
def package(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "some"
    (package / "inner").mkdir(parents=True)
    (package / "inner" / "hot.py").write_text("x = 1\n")
    return package


@pytest.fixture
def environment(tmp_path: Path, package: Path) -> Path:
    """An environment with a build of the package."""
    shutil.copytree(package, tmp_path / "venv" / "lib" / "python3.11" / "site-packages" / "some")
    return tmp_path / "venv"


def test_compiled_python__build_of_the_present_source_exists__its_interpreter(package: Path, environment: Path) -> None:
    assert compiled_python(environment, package) == environment / "bin" / "python"


def test_compiled_python__source_changed_since_the_build__none(package: Path, environment: Path) -> None:
    (package / "inner" / "hot.py").write_text("x = 2\n")
    assert compiled_python(environment, package) is None


def test_compiled_python__no_build_exists__none(package: Path, tmp_path: Path) -> None:
    assert compiled_python(tmp_path / "venv", package) is None
