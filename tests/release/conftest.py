"""The archives that `make wheels` builds. Building needs the package registry and the extra `release`."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from compiled.installed import build_lock
from release import wheels
from release.environments import pip

COMPILED = wheels.ROOT / ".work" / "compiled"


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip without the package registry; not in CI, where it must be reachable."""
    download = ("download", "--no-deps", "--dest", tmp_path_factory.mktemp("registry"), "hatchling")
    try:
        pip(sys.executable, *download)
    except subprocess.CalledProcessError:
        if os.environ.get("CI"):
            raise
        pytest.skip("the package registry cannot be reached")


def built_once(tmp_path_factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a directory that `build(directory)` has filled; one process fills it for all."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    out = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            building = tmp_path_factory.mktemp("building")
            build(building)
            building.rename(out)
    return out


@pytest.fixture(scope="session")
def archives(registry: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """Return the directory of the source archive and the pure wheel."""
    return built_once(tmp_path_factory, "dist", lambda directory: wheels.build(wheels.ROOT, directory, []))


@pytest.fixture(scope="session")
def pure_wheel(archives: Path) -> Path:
    (wheel,) = archives.glob("*-py3-none-any.whl")
    return wheel


@pytest.fixture(scope="session")
def compiled_wheel(pure_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of `make compiled` if it fits this source. Otherwise skip, and in CI build it: 90 s of CPU."""
    with build_lock():  # `.ci/run` builds it beside the tests.
        for wheel in COMPILED.glob("*.whl"):
            if contents(wheel, ".py") == contents(pure_wheel, ".py"):
                return wheel
    if not os.environ.get("CI"):
        pytest.skip("there is no compiled wheel of this source: run `make compiled` first")
    built = built_once(tmp_path_factory, "compiled", lambda directory: wheels.compiled_wheel(wheels.ROOT, directory))
    (wheel,) = built.glob("*.whl")
    return wheel


def contents(wheel: Path, suffix: str = "") -> dict[str, bytes]:
    """Return the bytes of a wheel's files by name, without its metadata."""
    with ZipFile(wheel) as archive:
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        return {name: archive.read(name) for name in names if ".dist-info/" not in name and name.endswith(suffix)}
