"""Modules that `tenure serve` loads until it is ready."""

import subprocess
import sys
from pathlib import Path

NOT_NEEDED = {"typer", "rich", "numpy", "pyarrow", "datetime", "hashlib", "hmac", "_ssl"}


def test_serve__no_security_configured__slow_modules_not_imported(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "tenure", "serve", str(tmp_path / "data")]
    with (
        (tmp_path / "imports").open("w") as imports,
        subprocess.Popen(
            [*command, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=imports, text=True
        ) as process,
    ):
        assert process.stdout is not None
        ready = process.stdout.readline()
        process.terminate()
    assert ready.startswith("tenure: ready")
    loaded = {line.rpartition("|")[2].strip() for line in (tmp_path / "imports").read_text().splitlines()}
    assert "tenure.broker.broker" in loaded
    assert loaded & NOT_NEEDED == set()
