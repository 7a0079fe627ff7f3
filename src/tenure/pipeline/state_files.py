"""A lane's state as files: a base and the deltas laid over it, and the host's merged copy of them.

Files of the state directory are Arrow IPC, compressed, and digested in the manifest that names them. The host's copy
is one plain Arrow file per manifest that any process of the host maps into memory. It can always be made again, so it
is never synced; it is taken only if it was written since the machine started, names the very manifest that is asked
for, and is whole.
"""

import hashlib
import os
import tempfile
from dataclasses import dataclass

import pyarrow as pa

from tenure.limits import STATE_CACHE_BYTES_MAX, STATE_DELTAS_MAX
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, Pointer, StateFile, StateVersion, digest
from tenure.pipeline.staging import stage_beside_state
from tenure.pipeline.state import DELETED, apply_changes


def encode_table(table: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table)
    return sink.getvalue()


def read_verified(files: Files, directory: str, file: StateFile, lane: Lane) -> bytes:
    """The file's bytes, if they are those that were committed."""
    path = f"{directory}/{file.name}"
    try:
        data = files.read(path)
    except FileNotFoundError:
        raise missing(lane, path) from None
    if len(data) != file.size_bytes or digest(data) != file.digest:
        raise damaged(lane, path)
    return data


def missing(lane: Lane, path: str) -> PipelineStopped:
    return PipelineStopped(
        Code.STATE_MISSING,
        f"the committed state of {lane} is not there ({path}): bring its directory back, or run once with"
        ' on_disagreement="trust-offsets" to go on from the committed offset with empty state',
        lane,
    )


def damaged(lane: Lane, path: str) -> PipelineStopped:
    return PipelineStopped(
        Code.STATE_DAMAGED,
        f"{path} is not what was committed for {lane}: restore it, or run once with"
        ' on_disagreement="trust-offsets" to go on from the committed offset with empty state',
        lane,
    )


def load(files: Files, directory: str, lane: Lane, version: StateVersion, schema: pa.Schema) -> pa.Table:
    """Base and deltas, merged."""
    ground = schema.empty_table()
    for file in version.files:
        table = pa.ipc.open_file(read_verified(files, directory, file, lane)).read_all()
        if table.schema.names[: len(schema)] != schema.names or any(
            table.schema.field(field.name).type != field.type for field in schema
        ):
            raise _other_schema(lane, table.schema, schema)
        ground = apply_changes(ground, table) if DELETED in table.column_names else table
    return ground.combine_chunks()


def _other_schema(lane: Lane, found: pa.Schema, declared: pa.Schema) -> PipelineStopped:
    def text(schema: pa.Schema) -> str:
        return ", ".join(f"{field.name} {field.type}" for field in schema if field.name != DELETED)

    return PipelineStopped(
        Code.STATE_SCHEMA_CHANGED,
        f"the state of {lane} was written as ({text(found)}) and is declared as ({text(declared)}): declare it as it"
        " was, or give the pipeline another name",
        lane,
    )


def next_state(files: Files, layout: Layout, manifest: Manifest, changes: pa.Table, ground: pa.Table) -> StateVersion:
    """Write a run's changes as one more delta; or, when that is cheaper to read from now on, `ground`, which has them
    in it already, as a new base. `manifest` has the state that the run started from."""
    before = manifest.state
    if not len(changes):
        return before
    changed = len(changes) + sum(delta.rows for delta in before.deltas)
    if before.base is None or len(before.deltas) >= STATE_DELTAS_MAX or changed > len(ground):
        data = memoryview(encode_table(ground))
        return StateVersion(stage_beside_state(files, layout, manifest, "base", data, len(ground)))
    data = memoryview(encode_table(changes))
    delta = stage_beside_state(files, layout, manifest, "delta", data, len(changes))
    return StateVersion(before.base, (*before.deltas, delta))


@dataclass(frozen=True, slots=True)
class StateCache:
    """Merged state of this host, shared by its processes. Picklable; every failure of it is a miss.

    A lane's files begin with a digest of its state directory: whoever puts a newer one removes those that it replaces.
    """

    directory: str
    size_max_bytes: int = STATE_CACHE_BYTES_MAX

    @staticmethod
    def of_this_host() -> "StateCache":
        """Beside other temporary files, for this user and since this start of the machine: after a power failure the
        files of before may be torn."""
        return StateCache(os.path.join(tempfile.gettempdir(), f"tenure-state-{os.getuid()}-{_boot()}"))

    def get(self, state_directory: str, pointer: Pointer, schema: pa.Schema) -> pa.Table | None:
        path = self._path(state_directory, pointer)
        try:
            table = pa.ipc.open_file(pa.memory_map(path)).read_all()
            os.utime(path)
        except (OSError, pa.ArrowInvalid):
            return None
        written = table.schema.metadata or {}
        if written.get(b"pointer") != str(pointer).encode() or written.get(b"rows") != b"%d" % len(table):
            return None
        table = table.replace_schema_metadata(None)
        return table if table.schema.equals(schema) else None

    def put(self, state_directory: str, pointer: Pointer, ground: pa.Table, previous: Pointer | None = None) -> None:
        """Keep `ground` as the state of the manifest `pointer`. That of `previous` stays: this one may yet be
        refused. Everything else of the lane goes."""
        marked = ground.replace_schema_metadata({"pointer": str(pointer), "rows": str(len(ground))})
        path = self._path(state_directory, pointer)
        try:
            os.makedirs(self.directory, mode=0o700, exist_ok=True)
            if os.stat(self.directory).st_uid != os.getuid():
                return
            unfinished = f"{path}.{os.getpid()}"
            with pa.OSFile(unfinished, "wb") as file, pa.ipc.new_file(file, marked.schema) as writer:
                writer.write_table(marked)
            os.replace(unfinished, path)
            self._evict(state_directory, {path} | ({self._path(state_directory, previous)} if previous else set()))
        except OSError:
            return

    def _path(self, state_directory: str, pointer: Pointer) -> str:
        return f"{self._lane(state_directory)}{pointer.manifest_id}.arrow"

    def _lane(self, state_directory: str) -> str:
        return os.path.join(self.directory, f"{hashlib.sha256(state_directory.encode()).hexdigest()[:16]}-")

    def _evict(self, state_directory: str, keep: set[str]) -> None:
        """What the lane needs no more; of other lanes, the files used longest ago while there is too much in all.
        Whoever has one mapped keeps its bytes."""
        mine = self._lane(state_directory)
        with os.scandir(self.directory) as entries:
            files = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in entries)
        surplus = sum(size for _, size, _ in files) - self.size_max_bytes
        for _, size, path in files:
            if path not in keep and (surplus > 0 or path.startswith(mine)):
                os.remove(path)
                surplus -= size


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return "any"
