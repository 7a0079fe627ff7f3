"""Access of commands to the lanes of a state directory, while the pipeline may be running.

A lane's newest HEAD file names the manifest with the lane's position. A command that moves or resets a lane writes a
manifest with the new position and without output, which begins a new line of manifests.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from tenure.limits.broker import FAILURES_NAMED_MAX
from tenure.pipeline.errors import Code, PipelineStopped, state_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.head_file import ATTEMPTS, head_sequence, read_head, write_head
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.staging import installed_version
from tenure.pipeline.state.state_files import copy_verified, verify_state
from tenure.pipeline.values.lane_times import NEVER, Times
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest, Pointer, StateVersion, digest, encode
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName

T = TypeVar("T")

DAMAGE: Final = frozenset({Code.STATE_MISSING, Code.STATE_DAMAGED})

OPERATOR: Final = Writer(MemberId("operator"), GenerationId(-1))
"""Identity under which commands write manifests. It cannot be fenced, so it may be used only while the group is
empty."""


@dataclass(frozen=True, slots=True)
class KeptLane:
    """State of a lane after its last published batch."""

    lane: Lane
    pointer: Pointer
    manifest: Manifest


class DamagedLanes(PipelineStopped):
    """The state of some lanes cannot be read. The message names these lanes."""

    def __init__(self, damaged: dict[Lane, PipelineStopped], count: int) -> None:
        first = min(damaged)
        told = [f"{lane}: {damaged[lane].sentence}" for lane in sorted(damaged)[:FAILURES_NAMED_MAX]]
        rest = ", ".join(str(lane) for lane in sorted(damaged)[FAILURES_NAMED_MAX:])
        super().__init__(
            damaged[first].code,
            f"the state of {len(damaged)} of {count} lanes cannot be read: {'; '.join(told)}"
            f"{f'; and {rest}' if rest else ''}",
            first,
        )
        self.damaged = damaged


@dataclass(frozen=True, slots=True)
class LaneResults(Generic[T]):
    """Result for each readable lane, and the error for each damaged lane."""

    found: dict[Lane, T]
    """Results by lane. Lanes without a published batch have no result."""
    damaged: dict[Lane, PipelineStopped]

    def all(self) -> list[T]:
        """Return the results in the order of the lanes. Raises DamagedLanes if any lane is damaged."""
        if self.damaged:
            raise DamagedLanes(self.damaged, len(self.found) + len(self.damaged))
        return list(self.found.values())


def survey(
    files: Files, layout: Layout, do: Callable[[KeptLane], T], lanes: Iterable[Lane] | None = None
) -> LaneResults[T]:
    """Call `do` for each lane with a published batch, and return all results and errors of damaged lanes.

    None for `lanes` means all lanes in the state directory.
    """
    found: dict[Lane, T] = {}
    damaged: dict[Lane, PipelineStopped] = {}
    for lane in lanes_of(files, layout) if lanes is None else lanes:
        try:
            with_newest(files, layout, lane, lambda kept: found.update({kept.lane: do(kept)}))
        except PipelineStopped as stopped:
            if stopped.code not in DAMAGE:
                raise
            damaged[lane] = stopped
    return LaneResults(found, damaged)


def kept_lanes(files: Files, layout: Layout) -> LaneResults[KeptLane]:
    """Return the last published batch of each lane."""
    return survey(files, layout, lambda kept: kept)


def lanes_of(files: Files, layout: Layout) -> list[Lane]:
    """Return the lanes that have a directory in the state directory."""
    directory = layout.state_directory(Lane((TopicName("any"),), PartitionId(0))).rpartition("/")[0]
    lanes = []
    for name in files.names(directory):
        topics, _, partition = name.rpartition("-")
        if topics and partition.isdecimal():
            lanes.append(Lane(tuple(TopicName(topic) for topic in topics.split("+")), PartitionId(int(partition))))
    return sorted(lanes)


def with_newest(files: Files, layout: Layout, lane: Lane, do: Callable[[KeptLane], T]) -> T | None:
    """Call `do` with the lane's last published batch, and return its result; None if the lane has no published batch.

    Raises the errors of `do`, and STATE_MISSING or STATE_DAMAGED for the lane's HEAD or manifest.
    """
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


def verify_lanes(files: Files, layout: Layout) -> LaneResults[None]:
    """Read every byte of the state of all lanes, and check the digests."""
    return survey(
        files,
        layout,
        lambda kept: verify_state(files, layout.state_directory(kept.lane), kept.manifest.state, kept.lane),
    )


def copy_lane(files: Files, kept: KeptLane, source: Layout, target: Layout) -> None:
    """Copy a lane's state files, manifest and HEAD to another layout. Raises STATE_MISSING, STATE_DAMAGED."""
    directory = target.state_directory(kept.lane)
    path = source.manifest(kept.lane, kept.pointer.manifest_id)
    try:
        manifest = files.read(path)
    except FileNotFoundError:
        raise state_missing(kept.lane, path) from None
    copy_state(files, kept, source, target)
    files.write(target.manifest(kept.lane, kept.pointer.manifest_id), manifest)
    files.sync_directory(directory)
    write_head(files, target, kept.manifest, kept.pointer)


def copy_state(files: Files, kept: KeptLane, source: Layout, target: Layout) -> None:
    directory = target.state_directory(kept.lane)
    files.make_directory(directory)
    for file in reversed(kept.manifest.state.files):  # Newest first: a running pipeline sweeps the newest files first.
        path = f"{source.state_directory(kept.lane)}/{file.name}"
        try:
            with files.open(path) as stored, files.create(f"{directory}/{file.name}") as out:
                copy_verified(stored, out, file, kept.lane, path)
        except FileNotFoundError:
            raise state_missing(kept.lane, path) from None
    files.sync_directory(directory)


def write_move_manifest(
    files: Files,
    layout: Layout,
    lane: Lane,
    ranges: tuple[Range, ...],
    state: StateVersion,
    partition_count: int,
    new_id: Callable[[], str],
    times: Times = NEVER,
) -> KeptLane:
    """Write a manifest that moves the lane to the end of `ranges`, with an existing state. Return the moved lane.

    The manifest takes effect when its pointer is committed. Write the HEAD file after the commit (`write_head`).
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
