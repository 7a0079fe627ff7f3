"""Files of any store that fsspec supports, by URL. Paths without a scheme are local.

An object store gives both guarantees of `files` without a sync: a file exists only after its upload has ended, and its
bytes and its name are then durable. A store has no rename, so publishing copies a file and then removes the original. A
crash between the two leaves both files; a repetition copies the same bytes. Listings are not cached, because a cached
listing would miss files of other hosts.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final, ParamSpec, TypeVar

from tenure.limits.pipeline import STORE_BLOCK_BYTES
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import Files, LocalFiles, is_url

P = ParamSpec("P")
T = TypeVar("T")


def translate_os_errors(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a method so that every exception of a store becomes an OSError, as for a disk."""

    @wraps(function)
    def tried(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except (OSError, PipelineConfigError):
            raise
        except Exception as error:
            raise OSError(f"{args[1]}: {type(error).__name__}: {error}") from error

    return tried


class FsspecFiles:
    """Files of one store. Picklable: each task opens its own connection."""

    def __init__(self, scheme: str, options: Mapping[str, Any]) -> None:
        self.scheme: Final = scheme
        self.options: Final = dict(options)
        self._store: Any = None
        self._made: set[str] = set()

    def __reduce__(self) -> tuple[type["FsspecFiles"], tuple[str, dict[str, Any]]]:
        return FsspecFiles, (self.scheme, self.options)

    @property
    def store(self) -> Any:
        """File system object of fsspec, created on first use."""
        if self._store is None:
            self._store = connected(self.scheme, self.options)
        return self._store

    @translate_os_errors
    def write(self, path: str, data: bytes | memoryview) -> None:
        self.store.pipe_file(path, bytes(data))

    @translate_os_errors
    def write_new(self, path: str, data: bytes) -> bool:
        """Create a file; return False if it exists. Atomic in S3, Google's and Azure's stores (`mode="create"`)."""
        try:
            self.store.pipe_file(path, data, mode="create")
        except FileExistsError:
            return False
        return True

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        """Yield a local temporary file, and upload it after the block.

        The upload begins only then, because the block may fail, and not every store can cancel an upload.
        """
        with TemporaryFile() as draft:
            yield draft
            draft.seek(0)
            self._upload(path, draft)

    @translate_os_errors
    def _upload(self, path: str, draft: BinaryIO) -> None:
        with self.store.open(path, "wb", block_size=STORE_BLOCK_BYTES) as file:
            while block := draft.read(STORE_BLOCK_BYTES):
                file.write(block)

    @translate_os_errors
    def read(self, path: str) -> bytes:
        return bytes(self.store.cat_file(path))

    @translate_os_errors
    def open(self, path: str) -> BinaryIO:
        file: BinaryIO = self.store.open(path, "rb", block_size=STORE_BLOCK_BYTES, cache_type="readahead")
        return file

    @translate_os_errors
    def size(self, path: str) -> int | None:
        try:
            info = self.store.info(path)
        except FileNotFoundError:
            return None
        return int(info["size"]) if info["type"] == "file" else None

    @translate_os_errors
    def names(self, directory: str) -> list[str]:
        try:
            paths = self.store.ls(directory, detail=False)
        except FileNotFoundError:
            return []
        here = self.store._strip_protocol(directory).rstrip("/")  # Some listings also contain the directory itself.
        return sorted({path.rstrip("/").rpartition("/")[2] for path in paths if path.rstrip("/") != here})

    @translate_os_errors
    def make_directory(self, directory: str) -> None:
        if directory not in self._made:
            self.store.makedirs(directory, exist_ok=True)
            self._made.add(directory)

    def sync_directory(self, directory: str) -> None:
        """Do nothing: in a store, names are durable as soon as they are visible."""

    @translate_os_errors
    def rename(self, source: str, target: str) -> bool:
        try:
            self.store.cp_file(source, target)
        except FileNotFoundError:
            return False
        self.remove(source)
        return True

    @translate_os_errors
    def remove(self, path: str) -> bool:
        """Remove an object. Return False if it did not exist. If the store does not report this, return True."""
        try:
            self.store.rm_file(path)
        except FileNotFoundError:
            return False
        return True


class FilesByUrl:
    """Files at local paths and at URLs. Picklable."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options: Final = dict(options)
        self._local: Final = LocalFiles()
        self._stores: Final[dict[str, FsspecFiles]] = {}

    def __reduce__(self) -> tuple[type["FilesByUrl"], tuple[dict[str, Any]]]:
        return FilesByUrl, (self.options,)

    def _of(self, path: str) -> Files:
        if not is_url(path):
            return self._local
        scheme = path.partition("://")[0]
        return self._stores.setdefault(scheme, FsspecFiles(scheme, self.options))

    def write(self, path: str, data: bytes | memoryview) -> None:
        self._of(path).write(path, data)

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        with self._of(path).create(path) as file:
            yield file

    def read(self, path: str) -> bytes:
        return self._of(path).read(path)

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        with self._of(path).open(path) as file:
            yield file

    def size(self, path: str) -> int | None:
        return self._of(path).size(path)

    def names(self, directory: str) -> list[str]:
        return self._of(directory).names(directory)

    def make_directory(self, directory: str) -> None:
        self._of(directory).make_directory(directory)

    def sync_directory(self, directory: str) -> None:
        self._of(directory).sync_directory(directory)

    def rename(self, source: str, target: str) -> bool:
        return self._of(source).rename(source, target)

    def remove(self, path: str) -> bool:
        return self._of(path).remove(path)


def connected(scheme: str, options: Mapping[str, Any]) -> Any:
    """Return fsspec's file system of a URL scheme. Raises PipelineConfigError if fsspec does not support it."""
    try:
        import fsspec

        return fsspec.filesystem(scheme, use_listings_cache=False, **options)
    except ImportError as error:
        raise PipelineConfigError(f"URLs of {scheme}:// need a package that is not installed: {error}.") from None
    except ValueError as error:
        raise PipelineConfigError(f"fsspec has no support for {scheme}:// ({error}): use another scheme.") from None


def files_for(*directories: str, options: Mapping[str, Any] | None = None) -> Files:
    """Return the access to files in these directories: local paths, URLs (`s3://bucket/out`), or both.

    `options` are fsspec's storage options. They may contain secrets, so they are never printed.
    """
    if not any(is_url(directory) for directory in directories):
        return LocalFiles()
    return FilesByUrl(dict(options or {}))
