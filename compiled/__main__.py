"""`python -m compiled`: make the compiled wheel, and install it beside the dependencies of this environment."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig

from compiled.installed import ENVIRONMENT, ROOT, build_lock
from release.environments import fresh_environment
from release.wheels import compiled_wheel

WORK = ENVIRONMENT.parent


def main() -> None:
    with build_lock():
        shutil.rmtree(WORK, ignore_errors=True)
        wheel = compiled_wheel(ROOT, WORK)
        python = fresh_environment(ENVIRONMENT, "--no-deps", wheel)
        share_dependencies()
    subprocess.run([python, "-I", "-m", "tenure", "--version"], check=True)


def share_dependencies() -> None:
    """Use all packages of the building environment but Tenure, by a path in a .pth file."""
    (site,) = ENVIRONMENT.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")


if __name__ == "__main__":
    main()
