"""Environments of the Python libraries that Tenure is compared with, each below `.work/peers`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.apache_kafka import ROOT, Unavailable

INSTALL_S = 600.0


def python(name: str, requirement: str) -> Path:
    """Return the Python of a library's environment; create it if it is missing. Raises `Unavailable`."""
    directory = ROOT / ".work" / "peers" / name
    ready = directory / ".ready"
    found = directory / "bin" / "python"
    if not ready.is_file():
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(directory)],
            [str(found), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
        ):
            done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, check=False)
            if done.returncode:
                raise Unavailable(f"pip cannot install {requirement}: {done.stderr.strip()[-500:]}")
        ready.touch()
    return found
