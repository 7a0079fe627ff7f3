"""State of a lane: opened as layers before a batch, and extended by a delta after the batch.

The cost of a batch depends on the size of its changes, not on the size of the state. The changes are written as one
more delta. As the number of deltas grows, they are merged, small ones first, so that each change is rewritten only a
few times (log-structured merging). The batch itself writes a new base only if the base is not larger than the deltas.
Otherwise the base is written in the background, after the batch: a *snapshot*. A snapshot may take several batches, and
the first batch after its end uses it. If a snapshot fails, nothing is lost: another one is started.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import STATE_DELTAS_MAX, STATE_SNAPSHOT_SHARE, STORE_BLOCK_BYTES
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.staging import stage_beside_state
from tenure.pipeline.state.keyed_state import HIDDEN, KeyedState, visible
from tenure.pipeline.state.layers import DELETED, Layers, newest_of, positions
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.state.state_files import decode_table, encode_table, read_verified, stage_base, stored_schema
from tenure.pipeline.state.state_unpacking import fetch_into, unpack_into
from tenure.pipeline.state.stored_layers import check_schema, conformed, layers_of
from tenure.pipeline.user_errors import describe_user_error
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest, StateFile, StateVersion

Migrate: TypeAlias = Callable[[pa.Table, int], pa.Table]
"""Function (keys of a lane with their state, old version) -> the same keys with state of the declared version.
Picklable."""

InBackground: TypeAlias = Callable[[Callable[[], None]], None]
"""Function that runs another function in the background, without a guarantee that it runs to its end. Picklable."""


class LaneState:
    """Access to the state of one lane, with the pipeline's declared columns."""

    def __init__(
        self,
        files: Files,
        layout: Layout,
        lane: Lane,
        schema: pa.Schema,
        *,
        version: int = 1,
        migrate: Migrate | None = None,
        cache: StateCache | None = None,
    ) -> None:
        self.files: Final = files
        self.layout: Final = layout
        self.lane: Final = lane
        self.schema: Final = schema
        self.version: Final = version
        self.migrate: Final = migrate
        self.cache: Final = cache if cache is not None and cache.is_usable() else None
        self.directory: Final = layout.state_directory(lane)

    # --- before the first batch ---------------------------------------------------------------------------------------

    def check(self, kept: StateVersion) -> None:
        """Check that the declared columns fit the state. Reads only the schema of the newest file.

        Raises:
            PipelineStopped: STATE_SCHEMA_CHANGED.
            OSError: The file cannot be read.
        """
        if not kept.files or (kept.schema_version < self.version and self.migrate is not None):
            return
        found = stored_schema(self.files, f"{self.directory}/{kept.files[-1].name}")
        if found is None:
            return  # The first batch digests the file and reports the damage.
        if kept.schema_version != self.version:
            raise self._cannot_migrate(
                pa.schema([field for field in found if field.name != DELETED]), kept.schema_version
            )
        check_schema(found, self.schema, self.lane)

    # --- before a batch -----------------------------------------------------------------------------------------------

    def open(self, kept: StateVersion) -> Layers:
        """Open the files of the state as layers.

        Raises:
            PipelineStopped: STATE_MISSING, STATE_DAMAGED or STATE_SCHEMA_CHANGED.
        """
        tables = [self._table(file) for file in kept.files]
        if not tables or kept.schema_version == self.version:
            return layers_of(tables, self.lane, self.schema)
        return Layers(self._migrated(layers_of(tables, self.lane, tables[0].schema).scan(), kept.schema_version))

    def _table(self, file: StateFile) -> pa.Table:
        """Return the table of a state file, memory-mapped from the host's cached copy if possible."""
        if self.cache is None:
            return decode_table(read_verified(self.files, self.directory, file, self.lane))
        table = self.cache.get(self.directory, file.digest)
        if table is not None:
            return table
        if file.size_bytes > STORE_BLOCK_BYTES:
            return fetch_into(self.cache, self.files, self.directory, file, self.lane)
        data = read_verified(self.files, self.directory, file, self.lane)
        table = unpack_into(self.cache, self.directory, file, data)
        return decode_table(data) if table is None else table

    def _migrated(self, rows: pa.Table, old_version: int) -> pa.Table:
        if old_version > self.version or self.migrate is None:
            raise self._cannot_migrate(rows.schema, old_version)
        try:
            migrated = self.migrate(rows.select(visible(rows.schema).names), old_version)
        except Exception as error:
            raise self._bad_migrate(f"failed on version {old_version}: {describe_user_error(error)}") from error
        if not isinstance(migrated, pa.Table):
            raise self._bad_migrate(f"returned {type(migrated).__name__}: return a pyarrow.Table")
        check_schema(migrated.schema, self.schema, self.lane)
        keys = migrated[self.schema.names[0]].combine_chunks()
        if keys.null_count or pc.count_distinct(keys).as_py() != len(keys):
            raise self._bad_migrate("returned a row without a key, or two rows of one key: return one row for each key")
        for name in (name for name in HIDDEN if name in rows.column_names and name not in migrated.column_names):
            kept = rows[name].combine_chunks().take(positions(keys, rows[rows.column_names[0]]))
            migrated = migrated.append_column(name, kept)
        return conformed(migrated.replace_schema_metadata(None), self.schema).combine_chunks()

    def _bad_migrate(self, problem: str) -> PipelineStopped:
        return PipelineStopped(Code.BAD_FUNCTION, f"the migrate function {problem} (lane {self.lane})", self.lane)

    def _cannot_migrate(self, schema: pa.Schema, found: int) -> PipelineStopped:
        if found > self.version:
            return PipelineStopped(
                Code.STATE_SCHEMA_CHANGED,
                f"the state of lane {self.lane} was written by version {found} of its declaration, but this"
                f" application declares version {self.version}: run the newer application, or restore an older copy",
                self.lane,
            )
        return PipelineStopped(
            Code.STATE_SCHEMA_CHANGED,
            f"the state of lane {self.lane} has version {found} ({', '.join(schema.names)}), but version"
            f" {self.version} is declared: pass a function that converts it, stateful(…, migrate=function)",
            self.lane,
        )

    # --- after a batch ------------------------------------------------------------------------------------------------

    def stage(self, begun: Manifest, state: KeyedState, *, snapshots: bool = False) -> StateVersion:
        """Write the changes of the batch; return the new version of the state.

        Args:
            begun: Manifest of the batch, with the state before the batch.
            state: State after the batch, opened from the state in `begun`.
            snapshots: Whether to request a snapshot if one is due. If one is requested, the result's `awaits` is the
                manifest's id, and the caller has to run `write_snapshot` in the background.
        """
        before, changes = self.with_snapshot(begun.state), state.changes
        if not len(changes):
            return before
        rows_before = len(state.before.scan()) if before.rows is None else before.rows
        changed = len(changes) + sum(delta.rows for delta in before.deltas)
        if before.base is None or before.schema_version != self.version or changed >= rows_before:
            base = stage_base(self.files, self.layout, begun, "base", state.layers, self.cache)
            return StateVersion(base, rows=base.rows, schema_version=self.version)
        rows = rows_before + growth(state.before, changes)
        after = replace(before, deltas=self._write_delta(begun, before, state), rows=rows)
        # Request a snapshot once, and again after as many further changes: the writer of the first may have died.
        share = max(rows * STATE_SNAPSHOT_SHARE, 1.0)
        is_due = changed // share > ((changed - len(changes)) // share if after.awaits else 0)
        return replace(after, awaits=begun.id) if snapshots and is_due else after

    def _write_delta(self, begun: Manifest, before: StateVersion, state: KeyedState) -> tuple[StateFile, ...]:
        """Write the changes as a new delta, and return all deltas. If there are too many, merge the newest into one."""
        changes, kept = state.changes, before.deltas
        if len(kept) >= STATE_DELTAS_MAX:
            tables = dict(zip((file.name for file in begun.state.deltas), state.before.deltas, strict=True))
            merged = newest_tier([file.rows for file in kept], len(changes))
            changes = newest_of([*(tables[file.name] for file in kept[-merged:]), changes])
            kept = kept[:-merged]
        data = memoryview(encode_table(changes))
        file = stage_beside_state(self.files, self.layout, begun, "delta", data, len(changes))
        if self.cache is not None:
            self.cache.put(self.directory, file.digest, changes)
        return (*kept, file)

    def forget_copies(self, before: StateVersion, after: StateVersion) -> None:
        """Remove all cached copies of the lane's files, except those of the states `before` and `after` this batch.

        A repetition of this batch needs the files of `before`, and the next batch needs those of `after`. While a
        snapshot is being written, this method does nothing: it cannot know the name of the snapshot's copy, which
        contains the digest.
        """
        if self.cache is not None and not after.awaits:
            self.cache.keep_only(self.directory, {file.digest for file in (*before.files, *after.files)})

    # --- for a member that may get the lane ---------------------------------------------------------------------------

    def keep_copies(self, kept: StateVersion, own: frozenset[str]) -> frozenset[str]:
        """Copy the files of the state to this host, and remove own copies that the state no longer needs.

        Args:
            kept: State to copy.
            own: Result of the caller's previous call. Other copies may belong to other processes of this host.

        Returns:
            Digests of the state's copies that this caller has made.

        Raises:
            PipelineStopped: STATE_MISSING or STATE_DAMAGED.
        """
        if self.cache is None:
            return frozenset()
        made, files = set(own), self.with_snapshot(kept).files
        for file in files:
            if self.cache.get(self.directory, file.digest) is None and file.digest not in own:
                self._table(file)
                made.add(file.digest)
        named = {file.digest for file in files}
        self.cache.discard(self.directory, made - named)
        return frozenset(made & named)

    # --- snapshots ----------------------------------------------------------------------------------------------------

    def write_snapshot(self, manifest: Manifest) -> None:
        """Write the state after `manifest` as one base file, then a JSON file that makes this snapshot valid."""
        layers = self.open(manifest.state)
        base = stage_base(self.files, self.layout, manifest, "snapshot", layers, self.cache)
        note = {"base": asdict(base), "stands_for": [file.name for file in manifest.state.files]}
        self.files.write(self._note(manifest.id), json.dumps(note, sort_keys=True).encode())
        self.files.sync_directory(self.directory)

    def with_snapshot(self, kept: StateVersion) -> StateVersion:
        """Return the state with its snapshot as the base, if the snapshot has been written.

        Deltas whose changes are all in the snapshot are left out. A delta is kept if it was merged from changes before
        and after the snapshot. This is correct: if both the snapshot and the delta have a key, the row of the delta is
        the same or newer.
        """
        if not kept.awaits:
            return kept
        try:
            note = json.loads(self.files.read(self._note(kept.awaits)))
        except FileNotFoundError:
            return kept
        base = StateFile(**note["base"])
        if self.files.size(f"{self.directory}/{base.name}") != base.size_bytes:
            return kept
        deltas = tuple(delta for delta in kept.deltas if delta.name not in note["stands_for"])
        return replace(kept, base=base, deltas=deltas, awaits="")

    def _note(self, manifest_id: str) -> str:
        return f"{self.directory}/{manifest_id}.snapshot.note"


def growth(before: Layers, changes: pa.Table) -> int:
    """Return the number of keys that the changes add; negative if they remove more keys than they add."""
    known = pc.is_valid(before.rows_of(changes[before.key].combine_chunks()))
    deleted = changes[DELETED].combine_chunks()
    came = pc.sum(pc.and_not(pc.invert(deleted), known), min_count=0).as_py()
    went = pc.sum(pc.and_(deleted, known), min_count=0).as_py()
    return int(came - went)


def newest_tier(rows: Sequence[int], added: int) -> int:
    """Return how many of the newest deltas to merge with a new delta of `added` rows.

    The newest delta is always merged. Each older delta is merged if it has no more rows than all newer ones together.
    """
    count, together = 0, added
    for size in reversed(rows):
        if count and size > together:
            break
        count += 1
        together += size
    return count
