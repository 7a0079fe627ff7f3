"""`make release VERSION=X.Y.Z`: everything of a release but the upload and the push.

The release is made in a temporary worktree of git. So it has only committed files, and a release that fails changes
neither the branch nor the working tree.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from release.components import write_components
from release.environments import run
from release.wheels import DIST, ROOT, build

VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


class Refused(Exception):
    """The release cannot be made; the message has the cause and the remedy."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("version", help="version of the release, as X.Y.Z")
    parser.add_argument("--dry-run", action="store_true", help="build and check all files; no commit and no tag")
    compiled = parser.add_mutually_exclusive_group()
    compiled.add_argument(
        "--python", action="append", help="interpreter that gets a compiled wheel (repeatable) [default: this one]"
    )
    compiled.add_argument("--pure", action="store_true", help="no compiled wheel")
    given = parser.parse_args()
    try:
        check(given.version)
        release(given.version, [] if given.pure else given.python or [sys.executable], dry_run=given.dry_run)
    except Refused as refusal:
        print(f"make release: {refusal}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failure:
        failed = " ".join(map(str, failure.cmd))
        print(f"make release: `{failed}` failed; there is no commit and no tag", file=sys.stderr)
        return 1
    return 0


def check(version: str) -> None:
    """Raise `Refused` unless the version and the working tree are fit for a release."""
    if not VERSION.fullmatch(version):
        raise Refused(f"{version!r} is not a version: use X.Y.Z, such as 1.2.0")
    current = project_version(ROOT)
    if numbers(version) < numbers(current):
        raise Refused(f"version {version} is lower than {current} in pyproject.toml: choose a higher one")
    if git("tag", "--list", f"v{version}"):
        raise Refused(f"the tag v{version} exists: choose a higher version")
    if changed := git("status", "--porcelain"):
        raise Refused(f"the working tree has changes: commit or remove them first\n{changed}")


def release(version: str, pythons: Sequence[str], *, dry_run: bool) -> None:
    """Make the files of the release in `dist`, and unless it is a dry run the commit and the tag."""
    out = DIST / version
    shutil.rmtree(out, ignore_errors=True)
    with worktree() as tree:
        set_version(tree, version)
        run(sys.executable, "-m", "towncrier", "build", "--yes", "--version", version, directory=tree)
        build(tree, out, pythons)
        write_components(tree, out, version)
        archives = sorted(out.glob("*.whl")) + sorted(out.glob("*.tar.gz"))
        run(sys.executable, "-m", "twine", "check", "--strict", *archives)
        if dry_run:
            print(f"dry run: the files are in {out}; there is no commit and no tag")
            return
        git("commit", "--all", "--message", f"Release {version}", directory=tree)
        commit = git("rev-parse", "HEAD", directory=tree)
    git("merge", "--ff-only", commit)
    git("tag", "--annotate", "--message", f"Tenure {version}", f"v{version}", commit)
    print(f"tagged v{version}. To publish it:")
    print(f"  git push origin HEAD v{version}\n  twine upload {out}/*.whl {out}/*.tar.gz")


@contextmanager
def worktree() -> Iterator[Path]:
    """Yield a checkout of HEAD in a temporary directory."""
    with tempfile.TemporaryDirectory(prefix="tenure-release-") as name:
        tree = Path(name, "tree")
        git("worktree", "add", "--detach", str(tree))
        try:
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree))


def project_version(tree: Path) -> str:
    return str(tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def set_version(tree: Path, version: str) -> None:
    path = tree / "pyproject.toml"
    text = path.read_text("utf-8")
    path.write_text(text.replace(f'\nversion = "{project_version(tree)}"\n', f'\nversion = "{version}"\n', 1), "utf-8")
    assert project_version(tree) == version, "pyproject.toml has no line version = ... in [project]"


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def git(*arguments: str, directory: Path = ROOT) -> str:
    """Run git and return its output without the line end; raise `Refused` with its error."""
    done = subprocess.run(["git", *arguments], cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.rstrip("\n")


if __name__ == "__main__":
    sys.exit(main())
