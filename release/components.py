"""The software bill of materials (SBOM): what `pip install tenure` installs, as a CycloneDX file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from release.environments import fresh_environment, pip, run


def write_components(tree: Path, out: Path, version: str) -> Path:
    """Install the wheel that pip chooses into a fresh environment, and write the list of the packages there.

    Extras are not installed: the versions of Spark and of its Java runtime are the user's choice.

    Args:
        tree: Source tree of the release, for the name and licence of Tenure itself.
        out: Directory of the wheels, and of the list.
        version: Version that the installed command has to print.
    """
    components = out / f"tenure-{version}.cdx.json"
    with tempfile.TemporaryDirectory() as name:
        chosen = Path(name, "chosen")
        here_only = ("--no-index", "--find-links", out, "--no-deps", "--dest", chosen)
        pip(sys.executable, "download", *here_only, f"tenure=={version}")
        python = fresh_environment(Path(name, "environment"), *chosen.iterdir())
        printed = subprocess.run(
            [python, "-I", "-m", "tenure", "--version"], capture_output=True, text=True, check=True
        )
        assert printed.stdout.split()[:2] == ["tenure", version], printed.stdout
        project = tree / "pyproject.toml"
        lister = (sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible")
        run(*lister, "--pyproject", project, "--output-file", components, python)
    return components
