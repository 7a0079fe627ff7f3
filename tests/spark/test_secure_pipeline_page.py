"""docs/secure-a-pipeline.md runs: its files are written, and its commands executed, from top to bottom."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "secure-a-pipeline.md"
BLOCK = re.compile(r"(?:Write `([^`]+)`:\n\n)?```(\w+)\n(.*?)```", re.DOTALL)
PATIENCE_S = 300.0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.spark
def test_page_secure_pipeline__commands_from_top_to_bottom__succeed_or_are_denied_as_written(tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8").replace("9093", str(free_port()))
    script = ["set -eu", 'trap "kill %1; wait" EXIT']
    for name, language, content in BLOCK.findall(text):
        script.append(f"cat > {name} <<'END'\n{content}END" if name else content)
        assert name or language == "sh", content
    # bash ignores the status of commands that begin with "!"
    script = [re.sub(r"^! (.*)$", r"if \1; then exit 9; fi", part, flags=re.MULTILINE) for part in script]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    process = subprocess.Popen(
        ["bash", "-c", "\n".join(script)], cwd=tmp_path, env=environment, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=PATIENCE_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, output
    assert len(list((tmp_path / "output").glob("*.parquet"))) >= 1
    assert "denied: User:producer from 127.0.0.1 may not READ TOPIC flights (request FETCH)" in output
    secrets = [(tmp_path / f"{user}.password").read_text().strip() for user in ("admin", "producer", "delays")]
    assert [secret for secret in secrets if secret in output] == []
