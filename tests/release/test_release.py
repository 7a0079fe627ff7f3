"""`make release` in a repository of its own: the commit, the tag, the files, and when it refuses."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from release.wheels import ROOT

pytestmark = pytest.mark.long

VERSION = "99.0.0"
IDENTITY = {f"GIT_{role}_{part}": "tests" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with one commit: the files of this working tree that git knows or does not ignore."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository: an unpacked archive has nothing to release")
    copy = tmp_path_factory.mktemp("origin")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    git(copy, "init", "--quiet", "--initial-branch=main")
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", "Begin")
    return copy


@pytest.fixture
def repository(origin: Path, tmp_path: Path) -> Path:
    """Return a clone: git makes one in a quarter of the processor time of a new repository."""
    git(tmp_path, "clone", "--quiet", str(origin), "repository")
    return tmp_path / "repository"


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=repository, env=os.environ | IDENTITY, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def release(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "release", *arguments, "--pure"]
    return subprocess.run(
        command, cwd=repository, env=os.environ | IDENTITY, capture_output=True, text=True, check=False
    )


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("registry")
def test_release__clean_tree__commits_tags_and_builds_all_artifacts(repository: Path) -> None:
    done = release(repository, VERSION)
    assert done.returncode == 0, done.stderr
    assert git(repository, "log", "-1", "--format=%s") == f"Release {VERSION}"
    assert git(repository, "describe", "--exact-match") == f"v{VERSION}"
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "worktree", "list").count("\n") == 0
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION
    assert f"tenure {VERSION} (" in (repository / "CHANGELOG.md").read_text("utf-8")
    assert [path.name for path in (repository / "changelog.d").iterdir()] == ["README.md"]
    out = repository / "dist" / VERSION
    components = f"tenure-{VERSION}.cdx.json"
    wheel, archive = f"tenure-{VERSION}-py3-none-any.whl", f"tenure-{VERSION}.tar.gz"
    assert {path.name for path in out.iterdir()} == {components, wheel, archive}
    listed = json.loads((out / components).read_text("utf-8"))
    assert listed["metadata"]["component"]["version"] == VERSION
    names = {component["name"] for component in listed["components"]}
    assert names >= {dependency.partition(">")[0] for dependency in project["dependencies"]}


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("registry")
def test_release__dry_run__repository_unchanged(repository: Path) -> None:
    before = git(repository, "rev-parse", "HEAD")
    done = release(repository, VERSION, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert git(repository, "rev-parse", "HEAD") == before
    assert git(repository, "tag", "--list") == ""
    assert git(repository, "status", "--porcelain") == ""
    assert len(list((repository / "dist" / VERSION).iterdir())) == 3


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("registry")
def test_release__build_fails__repository_unchanged(repository: Path) -> None:
    git(repository, "rm", "--quiet", "README.md")
    git(repository, "commit", "--quiet", "--message", "Remove the readme")
    before = git(repository, "rev-parse", "HEAD")
    done = release(repository, VERSION)
    assert done.returncode == 1
    assert done.stderr.endswith(" failed; there is no commit and no tag\n")
    assert (git(repository, "rev-parse", "HEAD"), git(repository, "tag", "--list")) == (before, "")
    assert git(repository, "status", "--porcelain") == ""


def test_release__uncommitted_change__refused(repository: Path) -> None:
    (repository / "LICENSE").write_text("changed")
    assert refusal(repository, VERSION).startswith(
        "make release: the working tree has changes: commit or remove them first\n M LICENSE"
    )


def test_release__tag_exists__refused(repository: Path) -> None:
    git(repository, "tag", f"v{VERSION}")
    assert refusal(repository, VERSION) == f"make release: the tag v{VERSION} exists: choose a higher version\n"


@pytest.mark.parametrize(("version", "reason"), [("1.0", "is not a version"), ("0.0.1", "is lower than")])
def test_release__invalid_or_lower_version__refused(repository: Path, version: str, reason: str) -> None:
    assert reason in refusal(repository, version)


def refusal(repository: Path, version: str) -> str:
    done = release(repository, version)
    assert done.returncode == 1
    assert not (repository / "dist").exists()
    return done.stderr
