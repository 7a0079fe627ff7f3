"""Build hook of hatch: adds the hot path, compiled by mypyc, to the wheel.

The hook is off unless HATCH_BUILD_HOOK_ENABLE_CUSTOM=true is set. The wheel then has the same files as the pure one,
and C extensions for the modules that `compiled/modules.py` lists. Python prefers an extension to the source file of the
same module.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledExtensions(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        self._work = tempfile.TemporaryDirectory(prefix="tenure-compiled-")
        command = [sys.executable, "-m", "compiled.extensions", self._work.name]
        subprocess.run(command, cwd=self.root, check=True)
        built = Path(self._work.name, "lib")
        build_data["force_include"] |= {str(path): str(path.relative_to(built)) for path in built.rglob("*.so")}
        build_data["dependencies"].append("mypy_extensions>=1")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        self._work.cleanup()
