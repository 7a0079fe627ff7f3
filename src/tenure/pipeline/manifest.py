"""What a run made, as one small JSON file, and the pointer to it that a commit carries.

The pointer is `tenure1:<id>:<digest>`: a 22-character base64url id and the 43-character base64url SHA-256 of the file's
bytes. It names no path, so state may be moved, and it is 73 characters of the 4,096 that commit metadata may have
(rule 2.13). A manifest lists everything that its lane's state consists of, so nobody ever walks a chain of them.
"""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from tenure.pipeline.lanes import Lane, Range, TopicPartition, Writer
from tenure.pipeline.times import NEVER, Times
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicName

POINTER_SCHEME: Final = "tenure1"
FORMAT: Final = 1
DIGEST_CHARACTERS: Final = 43
ID_CHARACTERS: Final = 22


class BadPointer(ValueError):
    """Commit metadata that begins like a pointer and is none that this version can follow."""


class BadManifest(ValueError):
    """Bytes that are no manifest, or not the one that the pointer means."""


class Pointer(NamedTuple):
    manifest_id: str
    digest: str

    def __str__(self) -> str:
        return f"{POINTER_SCHEME}:{self.manifest_id}:{self.digest}"


def parse_pointer(metadata: str) -> Pointer | None:
    """None for metadata that others wrote, the empty one of Kafka's reset tool included."""
    if not metadata.startswith("tenure"):
        return None
    scheme, *rest = metadata.split(":")
    if scheme != POINTER_SCHEME or [len(part) for part in rest] != [ID_CHARACTERS, DIGEST_CHARACTERS]:
        raise BadPointer(
            f"commit metadata '{metadata[:100]}' was written by another version of Tenure: run that version"
        )
    return Pointer(*rest)


@dataclass(frozen=True, slots=True)
class StateFile:
    """A file of a lane's state directory."""

    name: str
    size_bytes: int
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Output:
    """A file that the commit makes visible: from `staged`, in the lane's staged directory, to `final`, in the sink."""

    staged: str
    final: str
    """Below the sink's directory; partitioned output has directories of its own there."""
    size_bytes: int
    rows: int
    digest: str
    side: str = ""
    """The named output that it belongs to; empty for the main one."""
    earlier_rows: int = 0
    """Rows of earlier runs: it takes the place of the visible file of its name, which has only those."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Open: what is written to topics under this epoch is committed by it, or never (`pipeline/transactions.py`)."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    version: int
    """Of transactions, as its broker has them: 1, or 2 (KIP-890)."""
    rows: int = 0


@dataclass(frozen=True, slots=True)
class StateVersion:
    """The state after a run: `base` with `deltas` laid over it, in this order."""

    base: StateFile | None = None
    deltas: tuple[StateFile, ...] = ()
    rows: int | None = None
    """Keys; None where the release that wrote this did not count them."""
    schema_version: int = 1
    """Of the state's declaration, as `stateful(…, version=…)` says it."""
    awaits: str = ""
    """The manifest whose state is being written as one file, in the background; empty where none is."""

    @property
    def files(self) -> tuple[StateFile, ...]:
        return (() if self.base is None else (self.base,)) + self.deltas

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def awaited_names(self) -> frozenset[str]:
        """Files that are there already, or will be, or never: a later manifest may name the first of them."""
        return frozenset({f"{self.awaits}.snapshot.arrow", f"{self.awaits}.snapshot.note"} if self.awaits else ())


@dataclass(frozen=True, slots=True)
class Manifest:
    id: str
    group: GroupId
    lane: Lane
    sequence: int
    """Counts the lane's runs. Invariant: a committed manifest's is higher than that of every HEAD beside it."""
    ranges: tuple[Range, ...]
    partition_count: int
    writer: Writer
    run_id: str
    state: StateVersion = StateVersion()
    outputs: tuple[Output, ...] = ()
    dead_letters: StateFile | None = None
    """Records that go to the dead-letter topic once this manifest is committed."""
    records: int = 0
    bad_records: int = 0
    previous: str | None = None
    """The pointer that the run started from: for people who look for the cause of something."""
    times: Times = NEVER
    """Where the lane's watermarks stand after the run."""
    version: str = ""
    """Of Tenure."""
    growing: tuple[Output, ...] = ()
    """Visible files that are small, which later runs may put longer ones in the place of."""
    first: str = ""
    """Id of the manifest that this row of manifests began with; empty where it is this one."""
    transaction: Transaction | None = None
    """Of the rows that go to topics; None where there are none. It is committed with the manifest, or not at all."""

    @property
    def end(self) -> dict[TopicPartition, int]:
        return {part.topic_partition: part.end_offset for part in self.ranges}

    @property
    def rows(self) -> int:
        return sum(output.rows for output in self.outputs) + (self.transaction.rows if self.transaction else 0)

    @property
    def line(self) -> str:
        """Names the row of manifests in which `sequence` counts. A lane that begins anew, because somebody reset it,
        has another one: so a sink that remembers sequences can tell what is old from what is anew."""
        return self.first or self.id

    @property
    def state_names(self) -> frozenset[str]:
        """Every file in the lane's state directory that this manifest needs, itself included."""
        letters = () if self.dead_letters is None else (self.dead_letters,)
        return frozenset({f"{self.id}.json", *(file.name for file in (*self.state.files, *letters))})

    @property
    def staged_names(self) -> frozenset[str]:
        return frozenset(output.staged for output in self.outputs)


def digest(data: bytes | memoryview) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def encode(manifest: Manifest) -> bytes:
    """One line of canonical JSON: the same manifest gives the same bytes, hence the same digest."""
    return json.dumps({"format": FORMAT, **asdict(manifest)}, sort_keys=True, separators=(",", ":")).encode()


def pointer(manifest: Manifest) -> Pointer:
    return Pointer(manifest.id, digest(encode(manifest)))


def decode(data: bytes, expected: Pointer | None = None) -> Manifest:
    """Raises BadManifest, and nothing else, on any bytes."""
    if expected is not None and digest(data) != expected.digest:
        raise BadManifest(f"manifest {expected.manifest_id} is not the one that was committed: its digest differs")
    try:
        fields = json.loads(data)
        if fields.pop("format") != FORMAT:
            raise BadManifest("manifest was written by another version of Tenure: run that version")
        return _manifest(fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadManifest):
            raise
        raise BadManifest(f"not a manifest: {error}") from error


def _manifest(fields: dict[str, Any]) -> Manifest:
    topics, partition = fields.pop("lane")
    letters = fields.pop("dead_letters")
    transaction = fields.pop("transaction", None)
    manifest = Manifest(
        lane=Lane(tuple(TopicName(topic) for topic in topics), PartitionId(partition)),
        ranges=tuple(Range(**part) for part in fields.pop("ranges")),
        writer=_writer(**fields.pop("writer")),
        state=_state(**fields.pop("state")),
        outputs=tuple(Output(**output) for output in fields.pop("outputs")),
        growing=tuple(Output(**output) for output in fields.pop("growing", ())),
        dead_letters=letters and StateFile(**letters),
        transaction=transaction and Transaction(**transaction),
        times=_times(**fields.pop("times", {})),
        **fields,
    )
    return replace(manifest, group=GroupId(manifest.group))


def _writer(member_id: str, generation_id: int, group_instance_id: str | None) -> Writer:
    instance = None if group_instance_id is None else InstanceId(group_instance_id)
    return Writer(MemberId(member_id), GenerationId(generation_id), instance)


def _times(order_ms: Iterable[int] = (), event_us: Iterable[int | None] = (), wake_ms: int | None = None) -> Times:
    return Times(tuple(order_ms), tuple(event_us), wake_ms)


def _state(base: dict[str, Any] | None, deltas: Iterable[dict[str, Any]], **more: Any) -> StateVersion:
    return StateVersion(
        None if base is None else StateFile(**base), tuple(StateFile(**delta) for delta in deltas), **more
    )
