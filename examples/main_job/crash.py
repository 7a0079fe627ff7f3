"""Crash of an application in the middle of a batch; staged files that no commit names prove it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from examples.main_job.application import Application, Waited, wait_until
from examples.main_job.processes import Children
from tenure.admin import Admin
from tenure.pipeline.values.manifest import parse_pointer

ATTEMPTS_MAX: Final = 5
"""Attempts: a batch may be committed in the milliseconds between the look at its file and the kill."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Result of a crash. `step` is the last reported one of the batch; `orphans` are staged files without a commit."""

    step: str
    orphans: list[Path]


def crash_in_a_batch(application: Application, children: Children, sink: Path, bootstrap: str, group: str) -> Crash:
    """`kill -9` of a working application as soon as one of its tasks has put a staged file on disk."""
    for attempt in range(ATTEMPTS_MAX):
        if attempt:
            application.start(children)
        known = set(_staged(sink, application))
        wait_until(
            lambda known=known: not known.issuperset(_staged(sink, application)),
            f"application {application.name} to stage a batch",
            children.check,
            pause_s=0.002,
        )
        application.kill(children)
        committed = _committed_manifests(bootstrap, group)
        orphans = [path for path in _staged(sink, application) if not path.name.startswith(tuple(committed))]
        if orphans:
            return Crash(_last_step(application, orphans[0].parent.name), orphans)
    raise Waited(f"application {application.name} was killed {ATTEMPTS_MAX} times, never in the middle of a batch")


def _last_step(application: Application, lane: str) -> str:
    """Return the application's last reported step of a lane."""
    return [step["step"] for step in application.news() if lane in (entry["lane"] for entry in step["lanes"])][-1]


def _staged(sink: Path, application: Application) -> list[Path]:
    """Return the staged files of the lanes that the application plans."""
    lanes = {lane["lane"] for step in application.news() if step["step"] == "planned" for lane in step["lanes"]}
    return [path for path in sink.glob("_staged/*/*/*.parquet") if path.parent.name in lanes]


def _committed_manifests(bootstrap: str, group: str) -> set[str]:
    with Admin(bootstrap) as admin:
        committed = admin.committed_offsets(group).values()
    return {pointer.manifest_id for position in committed if (pointer := parse_pointer(position.metadata))}
