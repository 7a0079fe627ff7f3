"""Files of a lane's state: a base and deltas over it.

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
from tenure.pipeline.errors import Code, PipelineStopped, state_damaged, state_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.keyed_state import visible
from tenure.pipeline.state.layers import DELETED, Layers, batch_rows, with_deleted
from tenure.pipeline.state.state_cache import Copy, StateCache
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest, StateFile, StateVersion, digest

COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4")


def encode_table(table: pa.Table) -> pa.Buffer:
    """Return the table as an Arrow file in batches, which a reader can decode one by one."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=COMPRESSED) as writer:
        writer.write_table(table, max_chunksize=batch_rows(table))
    return sink.getvalue()


def decode_table(data: bytes) -> pa.Table:
    return pa.ipc.open_file(data).read_all()


def read_verified(files: Files, directory: str, file: StateFile, lane: Lane) -> bytes:
    """Return the bytes of a state file. Raises STATE_MISSING or STATE_DAMAGED if they are not the committed ones."""
    path = f"{directory}/{file.name}"
    try:
        data = files.read(path)
    except FileNotFoundError:
        raise state_missing(lane, path) from None
    if len(data) != file.size_bytes or digest(data) != file.digest:
        raise state_damaged(lane, path)
    return data


def load(files: Files, directory: str, lane: Lane, version: StateVersion, schema: pa.Schema) -> pa.Table:
    """Return base and deltas merged, in memory."""
    tables = [decode_table(read_verified(files, directory, file, lane)) for file in version.files]
    return layers_of(tables, lane, schema).scan().combine_chunks()


def layers_of(tables: Iterable[pa.Table], lane: Lane, schema: pa.Schema) -> Layers:
    """Return the layers of a state's files, given oldest first. Raises STATE_SCHEMA_CHANGED."""
    base, deltas = schema.empty_table(), []
    for table in tables:
        check_schema(table.schema, schema, lane)
        if DELETED in table.column_names:
            deltas.append(conformed(table, with_deleted(schema)))
        else:
            base = conformed(table, schema)
    return Layers(base, deltas)


def check_schema(found: pa.Schema, declared: pa.Schema, lane: Lane) -> None:
    """Raise STATE_SCHEMA_CHANGED if the columns differ. Internal columns (expiry, timers) may be added or removed."""
    columns = [field for field in visible(found) if field.name != DELETED]
    if [(field.name, field.type) for field in columns] != [(field.name, field.type) for field in visible(declared)]:
        raise PipelineStopped(
            Code.STATE_SCHEMA_CHANGED,
            f"the state of lane {lane} was written as ({_text(columns)}) but is declared as"
            f" ({_text(visible(declared))}): declare it as before, or set a higher version= and a migrate= function"
            " that converts it",
            lane,
        )


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table with exactly the columns of the schema; missing columns are null."""
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
    """Writer that counts and digests the bytes that it passes on."""

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
        """Return the digest of all written bytes, as `manifest.digest` does."""
        return urlsafe_b64encode(self._hash.digest()).decode().rstrip("=")


def verify_state(files: Files, directory: str, version: StateVersion, lane: Lane) -> None:
    """Read and check every byte, newest files first, because they are merged soonest.

    Raises:
        PipelineStopped: STATE_MISSING or STATE_DAMAGED.
    """
    for file in reversed(version.files):
        path = f"{directory}/{file.name}"
        try:
            with files.open(path) as stored:
                copy_verified(stored, None, file, lane, path)
        except FileNotFoundError:
            raise state_missing(lane, path) from None


def copy_verified(stored: BinaryIO, out: BinaryIO | None, file: StateFile, lane: Lane, path: str) -> None:
    """Copy a file in blocks, and check it. Raises STATE_DAMAGED with `path` in the message."""
    digesting = Digesting(out)
    copy_blocks(stored, digesting)
    check_whole(digesting, file, lane, path)


def copy_blocks(stored: BinaryIO, out: Digesting) -> None:
    while block := stored.read(STORE_BLOCK_BYTES):
        out.write(block)


def check_whole(digesting: Digesting, file: StateFile, lane: Lane, path: str) -> None:
    if (digesting.size_bytes, digesting.digest()) != (file.size_bytes, file.digest):
        raise state_damaged(lane, path)


def fetch_into(cache: StateCache, files: Files, directory: str, file: StateFile, lane: Lane) -> pa.Table:
    """Return a state file that may be larger than memory, decoded batch by batch into a copy on this host.

    The copy becomes valid when the whole file has been checked. Without disk space the file is decoded in memory.
    """
    path, digesting = f"{directory}/{file.name}", Digesting(None)
    copy: Copy | None = None
    try:
        with files.open(path) as stored:
            try:
                with Digested(stored, digesting) as digested:
                    copy = unpacked_as_it_comes(cache, directory, digested)
            finally:  # Arrow may raise any error for damaged bytes.
                copy_blocks(stored, digesting)
                check_whole(digesting, file, lane, path)
    except FileNotFoundError:
        raise state_missing(lane, path) from None
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
    """Decode a file while it is read, as a stream: Arrow's file format contains its stream format after a header."""
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
    """Yield the batches, and read the next one in the background. After `close` no read is running."""
    with ThreadPoolExecutor(1, "tenure-unpack") as thread:
        coming = thread.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, batches, None)
            yield batch


MAGIC: Final = b"ARROW1\0\0"


def unpack_into(cache: StateCache, directory: str, file: StateFile, data: Any) -> pa.Table | None:
    """Decode `data` batch by batch into a copy on this host; return None if there is no disk space."""
    reader = pa.ipc.open_file(data)
    copy = cache.begin(directory, reader.schema)
    for number in range(reader.num_record_batches):
        copy.write_batch(reader.get_batch(number))
    return copy.finish(file.digest)
