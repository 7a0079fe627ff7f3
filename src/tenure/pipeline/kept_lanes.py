"""The lanes that a state directory has, looked at and worked on from beside, while no pipeline need run.

Each is told by its newest HEAD. Whoever puts a lane somewhere else, back, or into other lanes writes a manifest for it
that has no output: it says where the lane stands, nothing is left to be published, and it begins a row of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.head import head_sequence, read_head, write_head
from tenure.pipeline.lanes import Lane, Range, Writer
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, Pointer, StateVersion, digest, encode
from tenure.pipeline.staging import installed_version
from tenure.pipeline.state_files import copy_verified, missing, verify_state
from tenure.pipeline.times import NEVER, Times
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName

T = TypeVar("T")

ATTEMPTS: Final = 5
"""A running pipeline sweeps what it has superseded, perhaps between our look at a HEAD and at the files it names."""

OPERATOR: Final = Writer(MemberId("operator"), GenerationId(-1))
"""Who writes a manifest from outside: nobody who could be fenced, so only while nobody is in the group."""


@dataclass(frozen=True, slots=True)
class KeptLane:
    lane: Lane
    pointer: Pointer
    manifest: Manifest


def kept_lanes(files: Files, layout: Layout) -> list[KeptLane]:
    """Of each lane that was ever published, its last published run; in the order of their partitions."""
    found = []
    for lane in lanes_of(files, layout):
        head = read_head(files, layout, lane)
        if head is not None:
            found.append(KeptLane(lane, *head))
    return found


def lanes_of(files: Files, layout: Layout) -> list[Lane]:
    directory = layout.state_directory(Lane((TopicName("any"),), PartitionId(0))).rpartition("/")[0]
    lanes = []
    for name in files.names(directory):
        topics, _, partition = name.rpartition("-")
        if topics and partition.isdecimal():
            lanes.append(Lane(tuple(TopicName(topic) for topic in topics.split("+")), PartitionId(int(partition))))
    return sorted(lanes)


def of_newest(files: Files, layout: Layout, lane: Lane, do: Callable[[KeptLane], T]) -> T | None:
    """What `do` makes of the lane's last published run, whole; None where it has none. Raises what `do` raises."""
    for attempt in range(ATTEMPTS):
        head = read_head(files, layout, lane)
        if head is None:
            break
        try:
            return do(KeptLane(lane, *head))
        except PipelineStopped as stopped:
            has_gone_on = stopped.code is Code.STATE_MISSING and read_head(files, layout, lane) != head
            if attempt == ATTEMPTS - 1 or not has_gone_on:
                raise
    return None


def trouble_with(files: Files, layout: Layout, lane: Lane) -> str | None:
    """What is wrong with the files of its state, in a sentence; empty where all are whole, None where it has none."""

    def verified(kept: KeptLane) -> str:
        verify_state(files, layout.state_directory(lane), kept.manifest.state, lane)
        return ""

    try:
        return of_newest(files, layout, lane, verified)
    except PipelineStopped as stopped:
        return stopped.sentence


def copy_lane(files: Files, kept: KeptLane, source: Layout, target: Layout) -> None:
    """The files of its state, its manifest and its HEAD. Raises STATE_MISSING, STATE_DAMAGED."""
    directory = target.state_directory(kept.lane)
    path = source.manifest(kept.lane, kept.pointer.manifest_id)
    try:
        manifest = files.read(path)
    except FileNotFoundError:
        raise missing(kept.lane, path) from None
    copy_state(files, kept, source, target)
    files.write(target.manifest(kept.lane, kept.pointer.manifest_id), manifest)
    files.sync_directory(directory)
    write_head(files, target, kept.manifest, kept.pointer)


def copy_state(files: Files, kept: KeptLane, source: Layout, target: Layout) -> None:
    directory = target.state_directory(kept.lane)
    files.make_directory(directory)
    for file in reversed(kept.manifest.state.files):  # A running pipeline sweeps what is newest first.
        path = f"{source.state_directory(kept.lane)}/{file.name}"
        try:
            with files.open(path) as stored, files.create(f"{directory}/{file.name}") as out:
                copy_verified(stored, out, file, kept.lane, path)
        except FileNotFoundError:
            raise missing(kept.lane, path) from None
    files.sync_directory(directory)


def stand_at(
    files: Files,
    layout: Layout,
    lane: Lane,
    ranges: tuple[Range, ...],
    state: StateVersion,
    partition_count: int,
    new_id: Callable[[], str],
    times: Times = NEVER,
) -> KeptLane:
    """Seal a manifest that has the lane end where `ranges` do, with this state, whose files are there already.

    It counts once its pointer is committed; its HEAD comes after that (`write_head`).
    """
    manifest = Manifest(
        id=new_id(),
        group=layout.group,
        lane=lane,
        sequence=head_sequence(files, layout, lane) + 1,
        ranges=tuple(replace(part, start_offset=part.end_offset) for part in ranges),
        partition_count=partition_count,
        writer=OPERATOR,
        run_id="",
        state=replace(state, awaits=""),
        times=times,
        version=installed_version(),
    )
    data = encode(manifest)
    files.write(layout.manifest(lane, manifest.id), data)
    files.sync_directory(layout.state_directory(lane))
    return KeptLane(lane, Pointer(manifest.id, digest(data)), manifest)
