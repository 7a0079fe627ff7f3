"""The wheels, installed into fresh environments: their version, and a broker that stores and returns a record."""

import subprocess
import sys
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

from compiled.modules import MODULES
from release.environments import VARIABLES, fresh_environment
from tests.release.conftest import contents
from tests.serving import serving

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]  # the first test builds wheels and environments


@pytest.fixture(scope="module", params=["pure", "compiled"])
def build(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def python(build: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fresh_environment(tmp_path_factory.mktemp(build), request.getfixturevalue(f"{build}_wheel"))


def tenure(python: Path, *arguments: str, stdin: str = "") -> str:
    command = [python.with_name("tenure"), *arguments]
    return subprocess.run(command, input=stdin, env=VARIABLES, capture_output=True, text=True, check=True).stdout


def test_wheel__installed_into_a_new_environment__version_names_its_build(python: Path, build: str) -> None:
    kind = {"pure": "(pure Python)", "compiled": "(compiled)"}[build]
    assert tenure(python, "--version").strip().endswith(kind)
    assert "serve" in tenure(python, "--help")
    assert "--listen" in tenure(python, "serve", "--help")


def test_wheel__installed_into_a_new_environment__broker_keeps_records_and_commits(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)  # the broker must not see the source tree
    with serving(tmp_path, python=python) as broker:
        at = ("--bootstrap-servers", broker.address)
        tenure(python, "topics", "create", "words", "--partitions", "2", *at)
        tenure(python, "produce", "words", "--compression", "zstd", *at, stdin="one\ntwo\nthree\n")
        group = ("--group", "readers", "--from-beginning", "--max-messages", "3")
        assert sorted(tenure(python, "consume", "words", *group, *at).split()) == ["one", "three", "two"]
        assert "readers" in tenure(python, "groups", "list", *at)
        assert broker.terminate() == 0
        broker.start()
        assert tenure(python, "consume", "words", "--group", "readers", "--until-end", *at) == ""


def test_compiled_wheel__compared_with_the_pure_wheel__same_files_and_one_extension_per_module(
    pure_wheel: Path, compiled_wheel: Path
) -> None:
    pure, compiled = contents(pure_wheel), contents(compiled_wheel)
    extensions = {name for name in compiled if name.endswith(".so")}
    assert {name: compiled[name] for name in compiled.keys() - extensions} == pure
    assert {name.partition(".")[0] for name in extensions} >= {f"tenure/{module}" for module in MODULES.split()}
    assert metadata(compiled_wheel)["Version"] == metadata(pure_wheel)["Version"]


@pytest.mark.skipif(sys.platform != "linux", reason="auditwheel knows Linux only")
def test_compiled_wheel__on_linux__has_a_manylinux_tag_of_this_python(compiled_wheel: Path) -> None:
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-" in compiled_wheel.name
    assert "manylinux_" in compiled_wheel.name


def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())
