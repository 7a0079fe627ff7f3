"""Files of a lane's state: a base, and deltas on top of it.

The files are compressed Arrow IPC files. The manifest contains the digest of each file. A base is written batch by
batch, because it may be larger than memory.
"""

import hashlib
import io
from base64 import urlsafe_b64encode
from typing import Any, BinaryIO, Final

import pyarrow as pa

from tenure.limits.pipeline import STATE_THREADS_BYTES_MIN, STORE_BLOCK_BYTES
from tenure.pipeline.errors import state_damaged, state_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.layers import Layers, batch_rows
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest, StateFile, StateVersion, digest


def compressed(size_bytes: int) -> Any:
    """Return options to write a state file of about this size."""
    return pa.ipc.IpcWriteOptions(compression="lz4", use_threads=size_bytes >= STATE_THREADS_BYTES_MIN)


def encode_table(table: pa.Table) -> pa.Buffer:
    """Return the table as an Arrow file. It consists of batches that a reader can decode one by one."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=compressed(table.nbytes)) as writer:
        writer.write_table(table, max_chunksize=batch_rows(table))
    return sink.getvalue()


def decode_table(data: bytes) -> pa.Table:
    options = pa.ipc.IpcReadOptions(use_threads=len(data) >= STATE_THREADS_BYTES_MIN)
    return pa.ipc.open_file(data, options=options).read_all()


def stored_schema(files: Files, path: str) -> pa.Schema | None:
    """Return the schema of a state file, reading only its head; None if the head is damaged. Raises OSError.

    The schema is the first message of the file, after 8 bytes that mark an Arrow file. A message begins with 4 constant
    bytes and 4 bytes with its length.
    """
    with files.open(path) as stored:
        head = stored.read(16)[8:]
        message = head + stored.read(min(int.from_bytes(head[4:], "little"), STORE_BLOCK_BYTES))
    try:
        schema: pa.Schema = pa.ipc.read_schema(pa.py_buffer(message))
    except (pa.ArrowInvalid, OSError):
        return None
    return schema


def read_verified(files: Files, directory: str, file: StateFile, lane: Lane) -> bytes:
    """Return the bytes of a state file. Raises STATE_MISSING, or STATE_DAMAGED if the digest of the bytes is wrong."""
    path = f"{directory}/{file.name}"
    try:
        data = files.read(path)
    except FileNotFoundError:
        raise state_missing(lane, path) from None
    if len(data) != file.size_bytes or digest(data) != file.digest:
        raise state_damaged(lane, path)
    return data


def stage_base(
    files: Files, layout: Layout, manifest: Manifest, kind: str, layers: Layers, cache: StateCache | None
) -> StateFile:
    """Write the layers as one base, batch by batch, and return its entry for the manifest.

    Also keep a copy in the cache. `kind` is "base" or "snapshot".
    """
    directory = layout.state_directory(manifest.lane)
    schema = layers.written_schema
    copy = None if cache is None else cache.begin(directory, schema)
    name, rows = f"{manifest.id}.{kind}.arrow", 0
    try:
        with files.create(f"{directory}/{name}") as out:
            digesting = DigestingWriter(out)
            with pa.ipc.new_file(digesting, schema, options=compressed(layers.base.nbytes)) as writer:
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


class DigestingWriter(io.RawIOBase):
    """Writer that counts and digests the bytes, and writes them to a file."""

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
        """Return the digest of all written bytes, in the format of `manifest.digest`."""
        return urlsafe_b64encode(self._hash.digest()).decode().rstrip("=")


def verify_state(files: Files, directory: str, version: StateVersion, lane: Lane) -> None:
    """Read and check every byte of the state files.

    The newest files are read first, because a running pipeline merges and removes the newest files first.

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
    """Copy a file in blocks, and check its digest. Raises STATE_DAMAGED with `path` in the message."""
    digesting = DigestingWriter(out)
    copy_blocks(stored, digesting)
    check_whole(digesting, file, lane, path)


def copy_blocks(stored: BinaryIO, out: DigestingWriter) -> None:
    while block := stored.read(STORE_BLOCK_BYTES):
        out.write(block)


def check_whole(digesting: DigestingWriter, file: StateFile, lane: Lane, path: str) -> None:
    if (digesting.size_bytes, digesting.digest()) != (file.size_bytes, file.digest):
        raise state_damaged(lane, path)
