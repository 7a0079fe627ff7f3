"""Conversion of stored state files into uncompressed copies on this host.

A host reads a new file once, with three activities in parallel: a batch is written to the copy, the next batch is read
and unpacked, and bytes that were read before are digested.
"""

import io
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any, BinaryIO, Final

import pyarrow as pa

from tenure.limits.pipeline import STATE_PIECES_AHEAD
from tenure.pipeline.errors import state_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.state_cache import Copy, StateCache
from tenure.pipeline.state.state_files import DigestingWriter, check_whole, copy_blocks, decode_table, read_verified
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import StateFile


def fetch_into(cache: StateCache, files: Files, directory: str, file: StateFile, lane: Lane) -> pa.Table:
    """Read a state file batch by batch into a copy on this host, and return the mapped copy.

    The file may be larger than memory. The copy becomes valid after the whole file was checked. Without disk space the
    file is decoded in memory.
    """
    path, digesting = f"{directory}/{file.name}", DigestingWriter(None)
    copy: Copy | None = None
    try:
        with files.open(path) as stored:
            try:
                with DigestingReader(stored, digesting) as reader:
                    copy = unpack_stream(cache, directory, reader)
            finally:  # Arrow may raise any error for damaged bytes: the digest check raises STATE_DAMAGED instead.
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


class DigestingReader(io.RawIOBase):
    """Reader that digests the file in the background. `close` waits until the whole file is digested.

    Reading, unpacking, digesting and writing run in parallel, because all of them release the GIL.
    """

    def __init__(self, stored: BinaryIO, digesting: DigestingWriter) -> None:
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


def unpack_stream(cache: StateCache, directory: str, stored: DigestingReader) -> Copy:
    """Decode a state file into a copy on this host while the file is read.

    The file is decoded as a stream, because Arrow's file format contains its stream format after a header.
    """
    stored.read(len(MAGIC))
    batches = pa.ipc.open_stream(pa.PythonFile(stored, "r"))
    copy = cache.begin(directory, batches.schema)
    try:
        with closing(read_ahead(batches)) as ready:
            for batch in ready:
                copy.write_batch(batch)
    except BaseException:
        copy.give_up()
        raise
    return copy


def read_ahead(batches: Iterator[pa.RecordBatch]) -> Generator[pa.RecordBatch, None, None]:
    """Yield the batches, and read the next one in the background. After `close` no read is running."""
    with ThreadPoolExecutor(1, "tenure-unpack") as thread:
        coming = thread.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, batches, None)
            yield batch


MAGIC: Final = b"ARROW1\0\0"


def unpack_into(cache: StateCache, directory: str, file: StateFile, data: Any) -> pa.Table | None:
    """Decode `data` batch by batch into a copy on this host; return None if the disk has no space."""
    reader = pa.ipc.open_file(data)
    copy = cache.begin(directory, reader.schema)
    for number in range(reader.num_record_batches):
        copy.write_batch(reader.get_batch(number))
    return copy.finish(file.digest)
