"""Manifest of a batch: a small JSON file that lists its results. The batch's commit carries a pointer to it.

The pointer is `tenure1:<id>:<digest>`: a 22-character base64url id and the 43-character base64url SHA-256 of the file's
bytes. It contains no path, so state may be moved. It has 73 characters; commit metadata may have 4,096 (rule 2.13). A
manifest lists all files of its lane's state, so no other manifest is needed to find them.
"""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from tenure.pipeline.values.lane_times import NEVER, Times
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tenure.values import Identity, TopicPartition

POINTER_SCHEME: Final = "tenure1"
FORMAT: Final = 1
DIGEST_CHARACTERS: Final = 43
ID_CHARACTERS: Final = 22


class BadPointer(ValueError):
    """Commit metadata begins like a pointer, but this version cannot parse it."""


class BadManifest(ValueError):
    """The bytes are not a manifest, or not the manifest that the pointer names."""


class Pointer(NamedTuple):
    manifest_id: str
    digest: str

    def __str__(self) -> str:
        return f"{POINTER_SCHEME}:{self.manifest_id}:{self.digest}"


def parse_pointer(metadata: str) -> Pointer | None:
    """Return the pointer in commit metadata; None if another tool wrote the metadata.

    Raises:
        BadPointer: The metadata is a pointer of another version.
    """
    if not metadata.startswith("tenure"):
        return None
    scheme, *rest = metadata.split(":")
    if scheme != POINTER_SCHEME or [len(part) for part in rest] != [ID_CHARACTERS, DIGEST_CHARACTERS]:
        raise BadPointer(
            f"the commit metadata '{metadata[:100]}' was written by another version of Tenure: run that version"
        )
    return Pointer(*rest)


@dataclass(frozen=True, slots=True)
class StateFile:
    """File with state or bad records in a lane's state directory, as a manifest lists it."""

    name: str
    size_bytes: int
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Output:
    """Staged output file. Publishing renames `staged`, in the staging directory, to `final`, in the sink."""

    staged: str
    final: str
    """Path below the sink's directory, with directories for partitioned output."""
    size_bytes: int
    rows: int
    digest: str
    side: str = ""
    """Name of the side output; empty for the main output."""
    earlier_rows: int = 0
    """Number of rows from earlier batches, if this is a growing file. It replaces the visible file of these rows."""


@dataclass(frozen=True, slots=True)
class TransactionHandle:
    """Identity of an open Kafka transaction in which a task writes rows (`output/transactions.py`)."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    version: int
    """Transaction version of the broker: 1, or 2 (KIP-890)."""
    rows: int = 0


@dataclass(frozen=True, slots=True)
class StateVersion:
    """State after a batch: `base`, and `deltas` on top of it, oldest first."""

    base: StateFile | None = None
    deltas: tuple[StateFile, ...] = ()
    rows: int | None = None
    """Number of keys; None if an old release wrote the manifest."""
    schema_version: int = 1
    """Version of the state's declaration: `stateful(…, version=…)`."""
    awaits: str = ""
    """Id of the manifest whose state is being written as a snapshot in the background; empty if there is none."""

    @property
    def files(self) -> tuple[StateFile, ...]:
        return (() if self.base is None else (self.base,)) + self.deltas

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def awaited_names(self) -> frozenset[str]:
        """Names of the files of the awaited snapshot. They may not exist yet; a later manifest may refer to them."""
        return frozenset({f"{self.awaits}.snapshot.arrow", f"{self.awaits}.snapshot.note"} if self.awaits else ())


@dataclass(frozen=True, slots=True)
class Manifest:
    id: str
    group: GroupId
    lane: Lane
    sequence: int
    """Number of the lane's batch. Invariant: higher in a committed manifest than in every HEAD file of the lane."""
    ranges: tuple[Range, ...]
    """Records that the batch has processed. The ends of the ranges are the lane's new position. A batch that merges
    topics may end before its planned end."""
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
    """Pointer to the manifest that the batch started from, for diagnosis."""
    times: Times = NEVER
    """Watermarks after the batch."""
    version: str = ""
    """Version of Tenure that wrote the manifest."""
    growing: tuple[Output, ...] = ()
    """Small visible files, which later batches may replace by larger ones."""
    first: str = ""
    """Id of the first manifest in this line of manifests; empty if this manifest is the first."""
    transaction: TransactionHandle | None = None
    """Transaction of the rows for topics, committed together with the manifest; None if there are no such rows."""

    @property
    def end(self) -> dict[TopicPartition, int]:
        return {part.topic_partition: part.end_offset for part in self.ranges}

    @property
    def rows(self) -> int:
        return sum(output.rows for output in self.outputs) + (self.transaction.rows if self.transaction else 0)

    @property
    def line(self) -> str:
        """Id of this manifest's line of manifests. `sequence` is compared only with sequences of the same line.

        After a reset, a lane gets a new line. Therefore a sink that stores sequences can distinguish old batches from
        new ones.
        """
        return self.first or self.id

    @property
    def state_names(self) -> frozenset[str]:
        """Names of all files in the lane's state directory that this manifest needs, including its own."""
        letters = () if self.dead_letters is None else (self.dead_letters,)
        return frozenset({f"{self.id}.json", *(file.name for file in (*self.state.files, *letters))})


def digest(data: bytes | memoryview) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def encode(manifest: Manifest) -> bytes:
    """Return the manifest as one line of canonical JSON. Equal manifests have equal bytes and digests."""
    fields = asdict(manifest)
    if manifest.times.idle_at_ms is None:
        del fields["times"]["idle_at_ms"]  # So earlier versions of Tenure, which lack the field, can read the manifest.
    return json.dumps({"format": FORMAT, **fields}, sort_keys=True, separators=(",", ":")).encode()


def pointer(manifest: Manifest) -> Pointer:
    return Pointer(manifest.id, digest(encode(manifest)))


def decode(data: bytes, expected: Pointer | None = None) -> Manifest:
    """Return the manifest in `data`, and check its digest if `expected` is given.

    Raises:
        BadManifest: The bytes are not a manifest, or not the expected one. No other exception is raised.
    """
    if expected is not None and digest(data) != expected.digest:
        raise BadManifest(f"manifest {expected.manifest_id} differs from the committed one (digest mismatch)")
    try:
        fields = json.loads(data)
        if fields.pop("format") != FORMAT:
            raise BadManifest("the manifest was written by another version of Tenure: run that version")
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
        transaction=transaction and TransactionHandle(**transaction),
        times=_times(**fields.pop("times", {})),
        **fields,
    )
    return replace(manifest, group=GroupId(manifest.group))


def _writer(member_id: str, generation_id: int, group_instance_id: str | None) -> Writer:
    return Writer.of(Identity(member_id, group_instance_id, generation_id))


def _times(order_ms: Iterable[int] = (), event_us: Iterable[int | None] = (), **more: int | None) -> Times:
    return Times(tuple(order_ms), tuple(event_us), **more)


def _state(base: dict[str, Any] | None, deltas: Iterable[dict[str, Any]], **more: Any) -> StateVersion:
    return StateVersion(
        None if base is None else StateFile(**base), tuple(StateFile(**delta) for delta in deltas), **more
    )
