"""A start imports only used modules, and the protocol imports no package above it."""

import re
import subprocess
import sys
from pathlib import Path

import tenure.protocol

PROTOCOL = Path(tenure.protocol.__file__).parent
IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+tenure\b\.?(\w*)", re.MULTILINE)
"""Packages of Tenure that a module imports."""


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_import__one_request_class__only_the_module_of_its_api_is_loaded() -> None:
    loaded = modules_after("from tenure.protocol.messages import JoinGroupRequest")
    generated = {name for name in loaded if name.startswith("tenure.protocol.generated.")}
    assert generated == {"tenure.protocol.generated.index", "tenure.protocol.generated.join_group"}


def test_import__one_request_decoded__only_its_reader_module_is_loaded() -> None:
    loaded = modules_after(
        "from tenure.protocol.messages import HeartbeatRequest\n"
        "from tenure.protocol.codec import decode\n"
        "decode(HeartbeatRequest, 0, bytes(8))"
    )
    assert "tenure.protocol.generated.readers.heartbeat" in loaded
    assert "tenure.protocol.generated.writers.heartbeat" not in loaded


def test_import__protocol_frames__no_slow_modules_loaded() -> None:
    loaded = modules_after("import tenure.protocol.frames")
    assert not loaded & {"dataclasses", "inspect", "numpy", "pyarrow", "asyncio", "tenure.protocol.schema"}


def test_import__all_modules_of_the_protocol__only_protocol_and_limits_imported() -> None:
    """Search the text, because parsing the generated modules takes a second; ruff allows one import per line."""
    for path in PROTOCOL.rglob("*.py"):
        imported = set(IMPORTED.findall(path.read_text()))
        assert imported <= {"protocol", "limits"}, f"{path} imports tenure.{imported}"
