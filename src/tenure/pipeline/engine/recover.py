"""Position of a newly assigned lane, from the group's committed offset and the state directory.

There are two sources: the group's committed offset with its pointer, and the state directory with its HEAD. The
committed offset decides. If the two disagree, the group was reset, its offsets expired, or a directory was moved. A
pipeline that continued would lose or repeat records, or use the wrong state. So the pipeline reports the difference and
stops. It continues after the user has chosen which source to trust.

    committed offset       state directory               result
    with a pointer         manifest of the pointer ends  agree
                           at this offset
    without a pointer      HEAD ends at this offset      agree: another tool committed the same offset
    without a pointer      empty                         agree: an earlier use of the group, or an offset set on purpose
    none                   empty                         agree: a new lane
    with a pointer         its manifest is missing       disagree: STATE_MISSING
    another offset         manifest or HEAD              disagree: POSITION_MOVED
    any                    state of a deleted topic      disagree: TOPIC_RECREATED
    none                   HEAD                          disagree: STATE_ROOT_MISSING
    without a pointer      HEAD is damaged or lost       disagree: STATE_DAMAGED, STATE_MISSING
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum

from tenure.pipeline.engine.topic_changes import check_same_topics
from tenure.pipeline.errors import Code, PipelineStopped, state_damaged, state_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.head_file import Head, head_sequence, read_head
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.state_files import read_verified
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import BadManifest, BadPointer, Manifest, Pointer, decode, digest, parse_pointer
from tenure.pipeline.values.membership import Bounds
from tenure.pipeline.values.plan import Position
from tenure.values import OffsetAndMetadata, TopicPartition


class OnDisagreement(Enum):
    """Action if committed offsets and state directory disagree."""

    REFUSE = "refuse"
    TRUST_OFFSETS = "trust-offsets"
    """Continue at the committed offset (without one, at the start of the log) with empty state."""
    TRUST_STATE = "trust-state"
    """Continue where the state ends, and commit that offset."""


@dataclass(frozen=True, slots=True)
class RecoveredPosition:
    position: Position
    publish: bool = False
    """True if the manifest may have output that is not visible yet."""
    recommit: bool = False
    """True if the position is not what the group has committed: it has to be committed before anything else."""


def recover(
    files: Files,
    layout: Layout,
    lane: Lane,
    committed: Mapping[TopicPartition, OffsetAndMetadata | None],
    bounds: Mapping[TopicPartition, Bounds],
    policy: OnDisagreement = OnDisagreement.REFUSE,
) -> RecoveredPosition:
    """Find the position of a lane.

    Args:
        files: Access to the files.
        layout: Paths of the pipeline's files.
        lane: Lane to recover.
        committed: Committed offset of each partition of the lane; None if there is none.
        bounds: Log start and end of each partition of the lane.
        policy: Action if committed offset and state directory disagree.

    Raises:
        PipelineStopped: Committed offset and state disagree and `policy` is REFUSE, or files are missing or damaged.
    """
    head, damage = _head_or_error(files, layout, lane)
    try:
        found = _agreed_position(files, layout, lane, committed, bounds, head, damage)
        _verify(files, layout, found, digests=policy is not OnDisagreement.REFUSE)
    except PipelineStopped as stopped:
        if policy is OnDisagreement.REFUSE or stopped.code not in DISAGREEMENTS:
            raise
        found = _trusted_position(policy, stopped, lane, committed, bounds, head)
        _verify(files, layout, found, digests=True)
    sequence = max(found.position.sequence, head_sequence(files, layout, lane))
    return replace(found, position=replace(found.position, sequence=sequence))


DISAGREEMENTS = frozenset(
    {
        Code.POSITION_MOVED,
        Code.STATE_ROOT_MISSING,
        Code.STATE_MISSING,
        Code.STATE_DAMAGED,
        Code.FOREIGN_POINTER,
        Code.TOPIC_RECREATED,
    }
)


def _head_or_error(files: Files, layout: Layout, lane: Lane) -> tuple[Head | None, PipelineStopped | None]:
    """Return the lane's HEAD, or the error that prevents reading it. Without any HEAD, both values are None.

    The caller raises the error only if the committed offset has no pointer. With a pointer, the HEAD is not needed.
    """
    try:
        return read_head(files, layout, lane), None
    except PipelineStopped as damage:
        return None, damage


def _sequence_of(head: Head | None) -> int:
    return 0 if head is None else head[1].sequence


def _agreed_position(
    files: Files,
    layout: Layout,
    lane: Lane,
    committed: Mapping[TopicPartition, OffsetAndMetadata | None],
    bounds: Mapping[TopicPartition, Bounds],
    head: Head | None,
    damage: PipelineStopped | None,
) -> RecoveredPosition:
    offsets = {partition: at.offset for partition, at in committed.items() if at is not None}
    pointer = _pointer(lane, committed)
    if pointer is not None:
        manifest = _manifest(files, layout, lane, pointer, bounds)
        if manifest.end != offsets:
            raise _position_moved(lane, offsets, manifest)
        return RecoveredPosition(_position(pointer, manifest), publish=manifest.sequence > _sequence_of(head))
    if damage is not None:
        raise damage
    if head is None:
        return RecoveredPosition(_start_position(lane, committed, bounds))
    check_same_topics(head[1], bounds)
    if not offsets:
        raise _state_root_missing(layout, lane, head[1])
    if head[1].end != offsets:
        raise _position_moved(lane, offsets, head[1])
    return RecoveredPosition(_position(*head), recommit=True)


def _trusted_position(
    policy: OnDisagreement,
    stopped: PipelineStopped,
    lane: Lane,
    committed: Mapping[TopicPartition, OffsetAndMetadata | None],
    bounds: Mapping[TopicPartition, Bounds],
    head: Head | None,
) -> RecoveredPosition:
    if policy is OnDisagreement.TRUST_OFFSETS:
        of_this_topic = {} if stopped.code is Code.TOPIC_RECREATED else committed
        return RecoveredPosition(_start_position(lane, of_this_topic, bounds), recommit=True)
    if head is None or stopped.code is Code.TOPIC_RECREATED:
        raise stopped
    return RecoveredPosition(_position(*head), recommit=True)


def _position(pointer: Pointer, manifest: Manifest) -> Position:
    return Position(manifest.lane, manifest.end, manifest.sequence, manifest, pointer)


def _start_position(
    lane: Lane, committed: Mapping[TopicPartition, OffsetAndMetadata | None], bounds: Mapping[TopicPartition, Bounds]
) -> Position:
    offsets = {}
    for partition in lane.partitions:
        at = committed.get(partition)
        offsets[partition] = bounds[partition].start_offset if at is None else at.offset
    return Position(lane, offsets)


def _pointer(lane: Lane, committed: Mapping[TopicPartition, OffsetAndMetadata | None]) -> Pointer | None:
    try:
        pointers = {parse_pointer(at.metadata) for at in committed.values() if at is not None}
    except BadPointer as error:
        raise PipelineStopped(Code.FOREIGN_POINTER, str(error), lane) from None
    if len(pointers) > 1:
        raise PipelineStopped(
            Code.FOREIGN_POINTER,
            f"the committed offsets of the topics of lane {lane} name different manifests: another tool committed"
            " one of them; reset the group's offsets for all of them",
            lane,
        )
    return pointers.pop() if pointers else None


def _manifest(
    files: Files, layout: Layout, lane: Lane, pointer: Pointer, bounds: Mapping[TopicPartition, Bounds]
) -> Manifest:
    path = layout.manifest(lane, pointer.manifest_id)
    try:
        manifest = decode(files.read(path), pointer)
    except FileNotFoundError:
        raise state_missing(lane, path) from None
    except BadManifest:
        raise state_damaged(lane, path) from None
    if (manifest.group, manifest.lane) != (layout.group, lane):
        raise PipelineStopped(
            Code.FOREIGN_POINTER,
            f"the committed offset of lane {lane} names a manifest of group {manifest.group}, lane {manifest.lane}:"
            " offsets were copied between groups; delete or reset the offsets of this group",
            lane,
        )
    check_same_topics(manifest, bounds)
    return manifest


def _verify(files: Files, layout: Layout, found: RecoveredPosition, *, digests: bool) -> None:
    """Check that all files that a manifest lists exist and have the listed sizes.

    With `digests`, also check the digests of state files; otherwise they are checked when a state file is loaded. The
    digest of output that is not yet visible is always checked. Visible output belongs to the user and is not checked.
    """
    manifest = found.position.manifest
    if manifest is None:
        return
    directory = layout.state_directory(manifest.lane)
    for file in manifest.state.files:
        size = files.size(f"{directory}/{file.name}")
        if size is None:
            raise state_missing(manifest.lane, f"{directory}/{file.name}")
        if size != file.size_bytes:
            raise state_damaged(manifest.lane, f"{directory}/{file.name}")
        if digests:
            read_verified(files, directory, file, manifest.lane)
    for output in manifest.outputs if found.publish else ():
        path = layout.staged(manifest.lane, output.side, output.staged)
        with suppress(FileNotFoundError):  # A file that is not staged any more is visible, and is not checked.
            if digest(files.read(path)) != output.digest:
                raise state_damaged(manifest.lane, path)


def _text(offsets: Mapping[TopicPartition, int]) -> str:
    return ", ".join(f"{partition}@{offset}" for partition, offset in sorted(offsets.items()))


WAYS_ON = (
    'run once with on_disagreement="trust-offsets" to start there with empty state, or with "trust-state" to continue'
    " where the state ends"
)


def _position_moved(lane: Lane, offsets: Mapping[TopicPartition, int], manifest: Manifest) -> PipelineStopped:
    return PipelineStopped(
        Code.POSITION_MOVED,
        f"the group's committed offset is {_text(offsets)}, but the state of lane {lane} ends at"
        f" {_text(manifest.end)}: the group's offsets were reset; {WAYS_ON}",
        lane,
    )


def _state_root_missing(layout: Layout, lane: Lane, manifest: Manifest) -> PipelineStopped:
    return PipelineStopped(
        Code.STATE_ROOT_MISSING,
        f"the group has no committed offset for lane {lane}, but {layout.state_directory(lane)} has its state up to"
        f" {_text(manifest.end)}: the offsets expired or were deleted; {WAYS_ON}",
        lane,
    )
