"""Choice of the modules that are shipped to executors."""

import importlib
import io
import pickle
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.jobs import shipped_modules
from tenure.spark.jobs.shipped_modules import module_archive, modules_to_ship
from tenure.spark.jobs.stager import missing_module

Import = Callable[[str], Any]


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Return a function that imports modules of a directory with a job, a module beside it, and two packages."""
    files = {
        "shipped_job.py": "import shipped_beside\nfrom shipped_package.inner import one\ndef run(): return one()",
        "shipped_beside.py": "",
        "shipped_unused.py": "",
        "shipped_package/__init__.py": "",
        "shipped_package/inner.py": "def one(): return 1",
        "shipped_package/table.csv": "a",
        "shipped_package/.git/config": "",
        "shipped_package/__pycache__/inner.pyc": "",
        "shipped_namespace/deep/leaf.py": "def two(): return 2",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module
    for name in [name for name in sys.modules if name.startswith("shipped_")]:
        del sys.modules[name]


def names(archive: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(archive)).namelist()


def test_modules_to_ship__function_of_a_users_module__with_loaded_modules_of_the_same_directory(
    user: Import, tmp_path: Path
) -> None:
    places = modules_to_ship(pickle.dumps(user("shipped_job").run))
    assert places == [tmp_path / name for name in ("shipped_beside.py", "shipped_job.py", "shipped_package")]
    assert names(module_archive(places)) == [
        "shipped_beside.py",
        "shipped_job.py",
        "shipped_package/__init__.py",
        "shipped_package/inner.py",
        "shipped_package/table.csv",
    ]


def test_modules_to_ship__namespace_package__whole_package(user: Import, tmp_path: Path) -> None:
    places = modules_to_ship(pickle.dumps(user("shipped_namespace.deep.leaf").two))
    assert places == [tmp_path / "shipped_namespace"]
    assert names(module_archive(places)) == ["shipped_namespace/deep/leaf.py"]


def test_modules_to_ship__functions_of_installed_packages_and_of_tenure__none() -> None:
    import pyarrow.compute

    task = (zipfile.ZipFile, pyarrow.compute.sum, modules_to_ship)
    assert modules_to_ship(pickle.dumps(task)) == []


def test_modules_to_ship__module_in_a_directory_that_pip_installed_into__none(user: Import, tmp_path: Path) -> None:
    (tmp_path / "library-1.0.dist-info").mkdir()
    assert modules_to_ship(pickle.dumps(user("shipped_job").run)) == []


def test_archive_of_modules__same_files__same_bytes(user: Import) -> None:
    places = modules_to_ship(pickle.dumps(user("shipped_job").run))
    assert module_archive(places) == module_archive(places)
    assert module_archive([]) == b""


def test_archive_of_modules__too_large__refused(user: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user("shipped_job")
    monkeypatch.setattr(shipped_modules, "SHIPPED_BYTES_MAX", 10)
    with pytest.raises(PipelineConfigError, match="are not shipped to executors: move data out of the package"):
        module_archive([tmp_path / "shipped_package"])


@pytest.mark.parametrize(
    ("summary", "name"),
    [
        ("ModuleNotFoundError: No module named 'a.b'", "a.b"),
        ("ValueError: ModuleNotFoundError: No module named 'a'", None),
        ("ImportError: cannot import name 'x' from 'a'", None),
    ],
)
def test_missing_module__error_text_of_a_spark_job__module_name_or_none(summary: str, name: str | None) -> None:
    assert missing_module(summary) == name
