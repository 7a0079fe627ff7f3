"""Checks of the invariants of a pipeline: commits of its group, files and records.

The simulation calls them after every step, the crash matrix on real brokers after the end of a process. Each raises
`Broken` with the name of the invariant. They read files and commits only, never the state of an engine.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.state_files import decode_table, read_verified
from tenure.pipeline.state.step_states import ROW_ID
from tenure.pipeline.state.stored_layers import layers_of
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import BadManifest, Manifest, decode, digest, parse_pointer
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.simulation.broken import Broken
from tests.simulation.pipelines.counting import STATE, Record, Row, State, folded, rows_of
from tests.simulation.pipelines.counting_in_steps import STATES, STEPS

Commits = Mapping[TopicPartition, OffsetAndMetadata | None]


def pointer_resolves(files: Files, layout: Layout, lane: Lane, committed: Commits) -> Manifest | None:
    """Check that every committed pointer names a complete manifest that ends at the committed offset.

    All files of the manifest exist; visible output belongs to its readers, who may remove it.
    """
    pointers = {at.metadata for partition in lane.partitions if (at := committed.get(partition)) is not None}
    if not pointers:
        return None
    pointer = parse_pointer(pointers.pop())
    if pointer is None or pointers:
        raise Broken("PointerResolves", f"{lane} is committed as {committed}")
    path = layout.manifest(lane, pointer.manifest_id)
    directory = layout.state_directory(lane)
    try:
        manifest = decode(files.read(path), pointer)
        letters = () if manifest.dead_letters is None else (manifest.dead_letters,)
        for file in (*manifest.state.files, *letters):
            read_verified(files, directory, file, lane)
    except (FileNotFoundError, BadManifest, PipelineStopped) as error:
        raise Broken("PointerResolves", f"{lane}: {error}") from error
    if manifest.end != {
        partition: at and at.offset for partition, at in committed.items() if partition in manifest.end
    }:
        raise Broken("PointerResolves", f"{lane} is committed as {committed}, and its manifest ends at {manifest.end}")
    for output in manifest.outputs:
        staged = f"{layout.staged_directory(lane)}/{output.staged}"
        there = [path for path in (staged, f"{layout.sink}/{output.final}") if files.size(path) is not None]
        if not there or digest(files.read(there[0])) != output.digest:
            raise Broken(
                "PointerResolves", f"{lane}: {output.final} is committed and {'not whole' if there else 'gone'}"
            )
    return manifest


def state_equals_fold(files: Files, layout: Layout, manifest: Manifest, records: Sequence[Record]) -> None:
    """Check that a lane's state is the function folded over exactly the records up to the committed offset."""
    (end,) = manifest.end.values()
    fold = folded(records[:end])
    for state in states_of(files, layout, manifest):
        if state == fold:
            continue
        wrong = {key: (state.get(key), fold.get(key)) for key in {*state, *fold} if state.get(key) != fold.get(key)}
        raise Broken("StateEqualsFold", f"{manifest.lane} up to {end}: (is, should be) {wrong}")


def states_of(files: Files, layout: Layout, manifest: Manifest) -> list[State]:
    """Return the state of a lane; or of each of its steps, if there are two."""
    tables = [decode_table(read_verified(files, layout.state_directory(manifest.lane), file, manifest.lane))
              for file in manifest.state.files]  # fmt: skip
    if not any(ROW_ID in table.column_names for table in tables):
        found = [layers_of(tables, manifest.lane, STATE)]
    else:
        whole = layers_of(tables, manifest.lane, STATES.schema)
        found = [STATES.layers(whole, step) for step in STEPS]
    return [{row["key"]: (row["count"], row["total"]) for row in layers.scan().to_pylist()} for layers in found]


def visible_once(files: Files, layout: Layout, committed: Iterable[Manifest]) -> None:
    """Check that visible files are those of the manifests that were ever committed.

    Each belongs to exactly one of them, or has grown by later ones. This holds once each lane's owner has planned
    again; `only_committed_is_visible` always holds.
    """
    outputs = [output for manifest in committed for output in manifest.outputs]
    finals = Counter(output.final for output in outputs if not output.earlier_rows)  # others grew under an old name
    names = visible_names(files, layout)
    if missing := finals.keys() - set(names):
        raise Broken("VisibleOnce", f"committed and not visible: {sorted(missing)}")
    if twice := [name for name, count in finals.items() if count > 1]:
        raise Broken("VisibleOnce", f"of several manifests: {sorted(twice)}")
    only_committed_is_visible(files, layout, finals)


def only_committed_is_visible(files: Files, layout: Layout, finals: Iterable[str]) -> None:
    if surplus := set(visible_names(files, layout)) - set(finals):
        raise Broken("VisibleOnce", f"visible and never committed: {sorted(surplus)}")


def output_is_direct(files: Files, layout: Layout, partitions: Sequence[Sequence[Record]]) -> None:
    """Check that the visible rows are those of a direct computation over the records (VisibleOnce, by rows)."""
    seen, wanted = visible_rows(files, layout), direct(partitions)
    if lost := sorted((wanted - seen).elements()):
        raise Broken("VisibleOnce", f"{len(lost)} rows are not visible: {lost[:5]} ...")
    _check_surplus(seen - wanted)


def output_is_not_early(files: Files, layout: Layout, partitions: Sequence[Sequence[Record]]) -> None:
    """Check that no row is visible twice, and that all visible rows come from these committed records."""
    _check_surplus(visible_rows(files, layout) - direct(partitions))


def _check_surplus(surplus: Counter[Row]) -> None:
    if surplus:
        rows = sorted(surplus.elements())
        raise Broken("VisibleOnce", f"{len(rows)} rows are visible twice or too early: {rows[:5]} ...")


def direct(partitions: Sequence[Sequence[Record]]) -> Counter[Row]:
    return sum((rows_of(number, records) for number, records in enumerate(partitions)), Counter[Row]())


def visible_names(files: Files, layout: Layout) -> list[str]:
    return [name for name in files.names(layout.sink) if not name.startswith(("_", "."))]


def visible_rows(files: Files, layout: Layout) -> Counter[Row]:
    rows: Counter[Row] = Counter()
    for name in visible_names(files, layout):
        data = pa.BufferReader(files.read(f"{layout.sink}/{name}"))
        table = pyarrow.parquet.ParquetFile(data).read(use_threads=False)
        rows.update(map(Row, *(column.to_pylist() for column in table.columns)))
    return rows


def sweep_safe(layout: Layout, path: str, committable: Iterable[Manifest]) -> None:
    """Check that no file is removed that a manifest may still name. `committable` includes committed manifests."""
    for manifest in committable:
        if path in named_by(layout, manifest):
            raise Broken("SweepSafe", f"{path} was removed, and {manifest.id} of {manifest.writer} names it")


def named_by(layout: Layout, manifest: Manifest) -> set[str]:
    """Return every path that this manifest needs until its output is visible."""
    state, staged = layout.state_directory(manifest.lane), layout.staged_directory(manifest.lane)
    return {f"{state}/{name}" for name in manifest.state_names} | {
        f"{staged}/{output.staged}" for output in manifest.outputs
    }


def orphans(files: Files, layout: Layout, committed: Iterable[Manifest]) -> list[str]:
    """Return the files of the lanes that no committed manifest uses: the sweep should remove them."""
    found = []
    for manifest in committed:
        wanted = named_by(layout, manifest) | {layout.head(manifest.lane, manifest.sequence)}
        directories = layout.state_directory(manifest.lane), layout.staged_directory(manifest.lane)
        paths = [f"{directory}/{name}" for directory in directories for name in files.names(directory)]
        found += [path for path in paths if path not in wanted]
    return found


def manifests_of(files: Files, layout: Layout, lane: Lane) -> list[Manifest]:
    """Return all manifests of a lane, of any writer and in any state."""
    directory = layout.state_directory(lane)
    names = [name for name in files.names(directory) if name.endswith(".json") and name.count(".") == 1]
    return [decode(files.read(f"{directory}/{name}")) for name in names]
