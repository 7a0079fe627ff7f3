"""Containerfiles without a container runtime: instructions run in overlays of this machine's file system.

A stage is a directory of changes; the files of this machine are its base image. Linux mounts both for each
command in a mount namespace of its own, so nothing stays mounted. This needs root.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import dockerfile

PROGRAMS: Final = f"{Path(sys.base_prefix, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin"
"""Search path of the base image: its `python` is the one that made the environment of the tests."""

IN_OVERLAY: Final = """
set -e
mount -t overlay overlay -o "lowerdir=/,upperdir=$PLACE/changes,workdir=$PLACE/work" "$PLACE/root"
mount --rbind /dev "$PLACE/root/dev"
mount --rbind /proc "$PLACE/root/proc"
exec "$@"
"""


@dataclass
class Stage:
    """One stage of a Containerfile: its files, and the state that later instructions inherit."""

    place: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PROGRAMS})
    user: str = "0:0"
    directory: str = "/"
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    health_check: tuple[str, ...] = ()

    @property
    def changes(self) -> Path:
        return self.place / "changes"

    def start(self, *command: str, environment: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
        """Start a command in the stage, as its user and with its variables and those of `environment`."""
        return self._popen(("unshare", "--mount", "sh", "-c", IN_OVERLAY, "sh"), command, environment or {})

    def run(
        self,
        *command: str,
        environment: Mapping[str, str] | None = None,
        beside: "subprocess.Popen[str] | None" = None,
    ) -> str:
        """Run a command in the stage and return its output; `beside` is a process of the stage that runs already."""
        if beside is None:
            process = self.start(*command, environment=environment)
        else:  # Two overlays must not share their changes.
            process = self._popen(("nsenter", "--mount", f"--target={beside.pid}"), command, environment or {})
        with process:
            output, errors = process.communicate()
        assert process.returncode == 0, f"{shlex.join(command)}: exit status {process.returncode}\n{errors}"
        return output

    def _popen(
        self, namespace: tuple[str, ...], command: tuple[str, ...], environment: Mapping[str, str]
    ) -> "subprocess.Popen[str]":
        root = ("chroot", f"--userspec={self.user}", f"{self.place}/root")
        variables = map("=".join, (self.environment | dict(environment)).items())
        return subprocess.Popen(
            [*namespace, *root, "env", "--ignore-environment", f"--chdir={self.directory}", *variables, *command],
            env=os.environ | {"PLACE": str(self.place)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


class Containerfile:
    """Stages of a file, which are built when they are needed; `context` has the files that it copies."""

    def __init__(self, path: Path, context: Path, work: Path, **arguments: str) -> None:
        self._context: Final = context
        self._work: Final = work
        self._arguments: Final = arguments
        self._built: Final[dict[str, Stage]] = {}
        self._instructions: Final[dict[str, list[Any]]] = {"": []}
        stage = ""
        for instruction in dockerfile.parse_file(str(path)):
            stage = instruction.value[-1] if instruction.cmd == "FROM" else stage
            self._instructions.setdefault(stage, []).append(instruction)
        for instruction in self._instructions.pop(""):
            self._declare(*instruction.value)

    def build(self, name: str) -> Stage:
        """Run the instructions of a stage, after those of the stages that it needs."""
        if name not in self._built:
            begin, *instructions = self._instructions[name]
            self._built[name] = self._begin(name, begin.value[0])
            for instruction in instructions:
                self._run(self._built[name], instruction)
        return self._built[name]

    def _begin(self, name: str, base: str) -> Stage:
        place = self._work / name
        for directory in ("changes", "work", "root"):
            (place / directory).mkdir(parents=True)
        if base not in self._instructions:
            Path(f"{place}/changes/{sys.base_prefix}").mkdir(parents=True)  # readable for all, unlike perhaps /root
            return Stage(place)
        stage = self.build(base)
        subprocess.run(["cp", "-a", f"{stage.changes}/.", place / "changes"], check=True)
        return replace(stage, place=place, environment=dict(stage.environment))

    def _declare(self, text: str) -> None:
        name, _, default = text.partition("=")
        self._arguments.setdefault(name, default)

    def _run(self, stage: Stage, instruction: Any) -> None:
        values = tuple(re.sub(r"\$\{(\w+)\}", lambda found: self._arguments[found[1]], it) for it in instruction.value)
        match instruction.cmd:
            case "ARG":
                self._declare(*values)
            case "RUN":
                stage.run("sh", "-c", *values)
            case "COPY":
                self._copy(stage, values, "".join(instruction.flags).removeprefix("--from="))
            case "ENV":
                stage.environment[values[0]] = values[1].replace("$PATH", stage.environment["PATH"])
            case "USER":
                stage.user = values[0]
            case "WORKDIR":
                (stage.changes / values[0].lstrip("/")).mkdir(parents=True, exist_ok=True)
                stage.directory = values[0]
            case "ENTRYPOINT":
                stage.entrypoint = values
            case "CMD":
                stage.command = values
            case "HEALTHCHECK":
                stage.health_check = values[1:]
            case "EXPOSE" | "VOLUME":
                pass
            case other:
                raise NotImplementedError(f"the tests cannot run {other}")

    def _copy(self, stage: Stage, values: tuple[str, ...], source: str) -> None:
        """Copy files of the context into a directory, or the contents of a stage's directory."""
        *patterns, destination = values
        into = stage.changes / destination.lstrip("/")
        into.mkdir(parents=True, exist_ok=True)
        if source:
            paths: list[str | Path] = [f"{self.build(source).changes}/{name.lstrip('/')}/." for name in patterns]
        else:
            paths = [path for pattern in patterns for path in sorted(self._context.glob(pattern))]
        assert paths, f"{patterns} match no file of {self._context}"
        subprocess.run(["cp", "-a", *paths, into], check=True)
