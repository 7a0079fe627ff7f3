"""Directories with one version of Spark each. All else comes from the environment of the Python that uses them."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
WORK: Final = ROOT / ".work" / "matrix"
INSTALL_TIMEOUT_S: Final = 900.0
"""Time limit of pip for one version. It downloads 300 to 450 MB and builds a wheel, unless it has one."""

UNCOMPRESSED: Final = "--config-settings=--build-option=--compression=stored"
"""Option of pip: the wheel that it builds is not compressed. Most of it are jars, which are compressed already."""
PIP_OPTIONS: Final = ("--quiet", "--disable-pip-version-check", "--no-compile", "--use-pep517", UNCOMPRESSED)
"""Before version 23.1, pip builds no wheel without `--use-pep517`, and then does not write a `.dist-info` directory."""


class NotInstalled(Exception):
    """pip cannot install a version of Spark."""


def environment(python: str, version: str) -> Path:
    """Return the directory with the newest patch of a Spark version for a Python; install it if it is missing.

    Raises `NotInstalled`.
    """
    directory = WORK / f"spark-{version}-python-{python_version(python)}"
    ready = directory / ".ready"
    if not ready.is_file():
        shutil.rmtree(directory, ignore_errors=True)
        command = [python, "-m", "pip", "install", *PIP_OPTIONS]
        try:
            subprocess.run(
                [*command, "--target", directory, f"pyspark=={version}.*"],
                capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=True,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NotInstalled(f"pip did not install pyspark=={version}.* within {INSTALL_TIMEOUT_S:.0f} s") from None
        except subprocess.CalledProcessError as error:
            raise NotInstalled(f"pip cannot install pyspark=={version}.*: {error.stderr.strip()}") from None
        ready.touch()
    return directory


def python_version(python: str) -> str:
    """Return the version of an interpreter, such as 3.11."""
    code = "import sys; print(*sys.version_info[:2], sep='.')"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def installed_patch(directory: Path) -> str:
    """Return the full version of Spark in a directory."""
    (found,) = directory.glob("pyspark-*.dist-info")
    return found.name.removeprefix("pyspark-").removesuffix(".dist-info")
