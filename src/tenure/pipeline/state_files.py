"""A lane's state as files of its directory: a base, and the deltas laid over it.

They are Arrow IPC, compressed, and digested in the manifest that names them. A base is written batch by batch, so that
it may be larger than memory. A host that meets a file for the first time reads it once: while one batch is written to
the host's copy, the next one is read and unpacked, and what was read before is digested.
"""

import hashlib
import io
from base64 import urlsafe_b64encode
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any, BinaryIO, Final

import pyarrow as pa

from tenure.limits import STATE_PIECES_AHEAD, STORE_BLOCK_BYTES
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layers import DELETED, Layers, batch_rows, with_deleted
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, StateFile, StateVersion, digest
from tenure.pipeline.state import visible
from tenure.pipeline.state_cache import Copy, StateCache

COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4")


def encode_table(table: pa.Table) -> pa.Buffer:
    """In batches that whoever fetches it unpacks one by one."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=COMPRESSED) as writer:
        writer.write_table(table, max_chunksize=batch_rows(table))
    return sink.getvalue()


def decode_table(data: bytes) -> pa.Table:
    return pa.ipc.open_file(data).read_all()


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
    """Base and deltas, merged, in memory."""
    tables = [decode_table(read_verified(files, directory, file, lane)) for file in version.files]
    return layers_of(tables, lane, schema).scan().combine_chunks()


def layers_of(tables: Iterable[pa.Table], lane: Lane, schema: pa.Schema) -> Layers:
    """Of a state's files, the oldest first. Raises STATE_SCHEMA_CHANGED."""
    base, deltas = schema.empty_table(), []
    for table in tables:
        check_schema(table.schema, schema, lane)
        if DELETED in table.column_names:
            deltas.append(conformed(table, with_deleted(schema)))
        else:
            base = conformed(table, schema)
    return Layers(base, deltas)


def check_schema(found: pa.Schema, declared: pa.Schema, lane: Lane) -> None:
    """What Tenure keeps for itself may come and go: an expiry is declared, or no longer."""
    columns = [field for field in visible(found) if field.name != DELETED]
    if [(field.name, field.type) for field in columns] != [(field.name, field.type) for field in visible(declared)]:
        raise PipelineStopped(
            Code.STATE_SCHEMA_CHANGED,
            f"the state of {lane} was written as ({_text(columns)}) and is declared as ({_text(visible(declared))}):"
            " declare it as it was, or give the declaration a higher version= and a migrate= that makes the one from"
            " the other",
            lane,
        )


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """With exactly the columns of the schema, null where the table has none such."""
    if table.schema.equals(schema):
        return table
    columns = [
        table[field.name] if field.name in table.column_names else pa.nulls(len(table), field.type) for field in schema
    ]
    return pa.table(columns, schema=schema.with_metadata(table.schema.metadata))


def _text(schema: Iterable[pa.Field]) -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)


def stage_base(
    files: Files, layout: Layout, manifest: Manifest, kind: str, layers: Layers, cache: StateCache | None
) -> StateFile:
    """Write the layers as one base, batch by batch, and keep a copy of it. `kind` is base or snapshot."""
    directory = layout.state_directory(manifest.lane)
    layers = layers.prepared()
    schema = layers.base_schema
    copy = None if cache is None else cache.begin(directory, schema)
    name, rows = f"{manifest.id}.{kind}.arrow", 0
    try:
        with files.create(f"{directory}/{name}") as out:
            digesting = Digesting(out)
            with pa.ipc.new_file(digesting, schema, options=COMPRESSED) as writer:
                for batch in layers.batches():
                    rows += len(batch)
                    writer.write_batch(batch)
                    if copy is not None:
                        copy.write_batch(batch)
    except BaseException:
        if copy is not None:
            copy.give_up()
        raise
    if copy is not None:
        copy.finish(digesting.digest())
    return StateFile(name, digesting.size_bytes, rows, digesting.digest())


class Digesting(io.RawIOBase):
    """Tells size and digest of what goes through it."""

    def __init__(self, out: BinaryIO | None) -> None:
        self._out: Final = out
        self._hash: Final = hashlib.sha256()
        self.size_bytes = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._hash.update(data)
        if self._out is not None:
            self._out.write(data)
        self.size_bytes += len(data)
        return len(data)

    def tell(self) -> int:
        return self.size_bytes

    def digest(self) -> str:
        """As `manifest.digest` of all that was written."""
        return urlsafe_b64encode(self._hash.digest()).decode().rstrip("=")


def verify_state(files: Files, directory: str, version: StateVersion, lane: Lane) -> None:
    """Reads every byte, of the newest files first, as they are merged soonest. Raises STATE_MISSING, STATE_DAMAGED."""
    for file in reversed(version.files):
        path = f"{directory}/{file.name}"
        try:
            with files.open(path) as stored:
                copy_verified(stored, None, file, lane, path)
        except FileNotFoundError:
            raise missing(lane, path) from None


def copy_verified(stored: BinaryIO, out: BinaryIO | None, file: StateFile, lane: Lane, path: str) -> None:
    """Block by block. Raises STATE_DAMAGED, `path` being where it was read."""
    digesting = Digesting(out)
    copy_blocks(stored, digesting)
    check_whole(digesting, file, lane, path)


def copy_blocks(stored: BinaryIO, out: Digesting) -> None:
    while block := stored.read(STORE_BLOCK_BYTES):
        out.write(block)


def check_whole(digesting: Digesting, file: StateFile, lane: Lane, path: str) -> None:
    if (digesting.size_bytes, digesting.digest()) != (file.size_bytes, file.digest):
        raise damaged(lane, path)


def fetch_into(cache: StateCache, files: Files, directory: str, file: StateFile, lane: Lane) -> pa.Table:
    """A file that may be larger than memory: unpacked batch by batch as it comes, into a copy that counts once the
    last byte has shown the file to be whole. In memory where the host has no room for it."""
    path, digesting = f"{directory}/{file.name}", Digesting(None)
    copy: Copy | None = None
    try:
        with files.open(path) as stored:
            try:
                with Digested(stored, digesting) as digested:
                    copy = unpacked_as_it_comes(cache, directory, digested)
            finally:  # Of bytes that nobody wrote, Arrow may say anything.
                copy_blocks(stored, digesting)
                check_whole(digesting, file, lane, path)
    except FileNotFoundError:
        raise missing(lane, path) from None
    except BaseException:
        if copy is not None:
            copy.give_up()
        raise
    table = copy.finish(file.digest)
    return decode_table(read_verified(files, directory, file, lane)) if table is None else table


class Digested(io.RawIOBase):
    """Hands on what it reads, and has it digested meanwhile, all of it by the time that this is closed.

    Reading, unpacking, digesting and writing all let go of Python's lock.
    """

    def __init__(self, stored: BinaryIO, digesting: Digesting) -> None:
        self._stored: Final = stored
        self._digesting: Final = digesting
        self._thread: Final = ThreadPoolExecutor(1, "tenure-digest")
        self._ahead: Final = deque[Future[int]]()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._stored.read(size)
        self._ahead.append(self._thread.submit(self._digesting.write, data))
        if len(self._ahead) > STATE_PIECES_AHEAD:
            self._ahead.popleft().result()
        return data

    def close(self) -> None:
        self._thread.shutdown()
        super().close()


def unpacked_as_it_comes(cache: StateCache, directory: str, stored: Digested) -> Copy:
    """Arrow's file format is its stream format between a magic word and a table of contents."""
    stored.read(len(MAGIC))
    batches = pa.ipc.open_stream(pa.PythonFile(stored, "r"))
    copy = cache.begin(directory, batches.schema)
    try:
        with closing(one_ahead(batches)) as ready:
            for batch in ready:
                copy.write_batch(batch)
    except BaseException:
        copy.give_up()
        raise
    return copy


def one_ahead(batches: Iterator[pa.RecordBatch]) -> Generator[pa.RecordBatch, None, None]:
    """While one is in use the next one is made. None is under way once this is closed."""
    with ThreadPoolExecutor(1, "tenure-unpack") as thread:
        coming = thread.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, batches, None)
            yield batch


MAGIC: Final = b"ARROW1\0\0"


def unpack_into(cache: StateCache, directory: str, file: StateFile, data: Any) -> pa.Table | None:
    """Batch by batch; None where the host has no room for it. `data` may be small and hold much."""
    reader = pa.ipc.open_file(data)
    copy = cache.begin(directory, reader.schema)
    for number in range(reader.num_record_batches):
        copy.write_batch(reader.get_batch(number))
    return copy.finish(file.digest)
