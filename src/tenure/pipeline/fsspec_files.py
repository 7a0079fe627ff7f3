"""Files of any store that fsspec speaks to, by their URLs; paths without a scheme are this host's, as ever.

An object store keeps both promises of `files` in its own way: a file is there whole when its upload has ended, or not
at all, and a name needs no sync. What it lacks is a rename, so publishing is a copy and then a removal. A crash between
the two leaves both; doing it again copies the same bytes over themselves. Listings are asked for anew each time, since
a remembered one would hide what another host has written.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final, ParamSpec, TypeVar

from tenure.limits import STORE_BLOCK_BYTES
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.files import Files, LocalFiles, is_url

P = ParamSpec("P")
T = TypeVar("T")


def in_the_systems_words(function: Callable[P, T]) -> Callable[P, T]:
    """Stores have exceptions of their own; here whatever they cannot do is an OSError, as of a disk."""

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
    """One store. Picklable: a task connects anew."""

    def __init__(self, scheme: str, options: Mapping[str, Any]) -> None:
        self.scheme: Final = scheme
        self.options: Final = dict(options)
        self._store: Any = None
        self._made: set[str] = set()

    def __reduce__(self) -> tuple[type["FsspecFiles"], tuple[str, dict[str, Any]]]:
        return FsspecFiles, (self.scheme, self.options)

    @property
    def store(self) -> Any:
        """fsspec's file system, connected to when it is first needed."""
        if self._store is None:
            self._store = connected(self.scheme, self.options)
        return self._store

    @in_the_systems_words
    def write(self, path: str, data: bytes | memoryview) -> None:
        self.store.pipe_file(path, bytes(data))

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        """Gathered on this host first: not every store can take back what was begun."""
        with TemporaryFile() as draft:
            yield draft
            draft.seek(0)
            self._upload(path, draft)

    @in_the_systems_words
    def _upload(self, path: str, draft: BinaryIO) -> None:
        with self.store.open(path, "wb", block_size=STORE_BLOCK_BYTES) as file:
            while block := draft.read(STORE_BLOCK_BYTES):
                file.write(block)

    @in_the_systems_words
    def read(self, path: str) -> bytes:
        return bytes(self.store.cat_file(path))

    @in_the_systems_words
    def open(self, path: str) -> BinaryIO:
        file: BinaryIO = self.store.open(path, "rb", block_size=STORE_BLOCK_BYTES, cache_type="readahead")
        return file

    @in_the_systems_words
    def size(self, path: str) -> int | None:
        try:
            info = self.store.info(path)
        except FileNotFoundError:
            return None
        return int(info["size"]) if info["type"] == "file" else None

    @in_the_systems_words
    def names(self, directory: str) -> list[str]:
        try:
            paths = self.store.ls(directory, detail=False)
        except FileNotFoundError:
            return []
        here = self.store._strip_protocol(directory).rstrip("/")  # Some stores list a directory as part of itself.
        return sorted({path.rstrip("/").rpartition("/")[2] for path in paths if path.rstrip("/") != here})

    @in_the_systems_words
    def make_directory(self, directory: str) -> None:
        if directory not in self._made:
            self.store.makedirs(directory, exist_ok=True)
            self._made.add(directory)

    def sync_directory(self, directory: str) -> None:
        """A store's names are durable as soon as they are there."""

    @in_the_systems_words
    def rename(self, source: str, target: str) -> bool:
        try:
            self.store.cp_file(source, target)
        except FileNotFoundError:
            return False
        self.remove(source)
        return True

    @in_the_systems_words
    def remove(self, path: str) -> bool:
        """An object store does not say whether there was something to be removed, and is not asked."""
        try:
            self.store.rm_file(path)
        except FileNotFoundError:
            return False
        return True


class FilesByUrl:
    """Local paths and URLs side by side: output here, state there. Picklable."""

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
    """fsspec's file system of a scheme. Raises PipelineConfigError where there is none for it."""
    try:
        import fsspec

        return fsspec.filesystem(scheme, use_listings_cache=False, **options)
    except ImportError as error:
        raise PipelineConfigError(f"URLs of {scheme}:// need a package that is not here: {error}.") from None
    except ValueError as error:
        raise PipelineConfigError(f"{scheme}:// names no store that fsspec knows: {error}.") from None
