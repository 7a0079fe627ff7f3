"""Base class of generated messages: an object with slots for its fields, and the errors of invalid ones.

Messages do not change once they are made. The type checker enforces that (`Final`), the interpreter does not, because a
frozen class takes three times as long to build.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, Protocol, TypeAlias, TypeVar

Data: TypeAlias = bytes | memoryview
"""Bytes that are read in place: a view into a frame costs no copy, and keeps the frame in memory. `bytes(data)` copies
a view, and nothing if it is bytes already."""


class FilePart(Protocol):
    """A range of a file that is sent to a socket without being read into memory."""

    def __len__(self) -> int: ...

    def __bytes__(self) -> bytes:
        """Read the part into memory."""

    def read(self, skipped: int, size_max: int) -> bytes:
        """Read at most `size_max` bytes after the first `skipped` ones, at least one. Raises OSError (EIO)."""

    def send_to(self, descriptor: int, skipped: int, size_max: int) -> int:
        """Send at most `size_max` bytes after the first `skipped` ones to a socket.

        Returns:
            How many bytes were sent, at least one.

        Raises:
            BlockingIOError: The socket takes nothing now.
            OSError: The connection has ended, or (EIO) the file cannot be read.
        """


Piece: TypeAlias = bytes | FilePart
"""A part of an encoded message."""

Records: TypeAlias = Data | FilePart
"""Record batches of an answer. The broker leaves large ones in their file; clients read `Data`."""

SECRETS: Final = frozenset({"auth_bytes", "salt", "salted_password", "stored_key", "server_key"})
"""Fields that `repr` hides, because anyone who reads them in a log could log in."""

EMPTY: Final[list[Any]] = []
"""Default of array fields in constructors. It is replaced by a new empty list; None means null."""


class MalformedMessage(Exception):
    """Bytes that do not match the schema: an error of the peer, whose connection is closed (rule 1.1.6)."""


class UnsupportedVersion(Exception):
    """The message has no such version, or carries a value that the version cannot (rule 1.1.5)."""


class InvalidMessage(ValueError):
    """A field has a value that cannot be written: null, or a number or string that is too large. A bug of ours."""


class Struct:
    """Fields in the order of the wire, compared and printed by value."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(
            f"{name}={'[hidden]' if name in SECRETS else repr(getattr(self, name))}" for name in self.__slots__
        )
        return f"{type(self).__name__}({fields})"


AnyStruct = TypeVar("AnyStruct", bound=Struct)


def replace(struct: AnyStruct, **changes: Any) -> AnyStruct:
    """Return a copy in which some fields have other values."""
    return type(struct)(**{name: getattr(struct, name) for name in struct.__slots__} | changes)


Reader: TypeAlias = Callable[[Any, int], tuple[Any, int]]
"""(data, offset) -> (message, offset after it). An offset beyond the data means that the data was too short. The data
are bytes; `Data` for the messages that leave their records where they lie (`schema.RECORDS_IN_PLACE`)."""

Writer: TypeAlias = Callable[[list[Piece], Any], None]
"""Appends the parts of a message to a list."""

PiecewiseWriter: TypeAlias = Callable[[list[Piece], Any], Iterator[None]]
"""Appends the parts piece by piece. The caller may remove appended parts from the list meanwhile."""


class Message(Struct):
    """A whole request, response or record: something that has versions of its own."""

    __slots__ = ()

    KEY: ClassVar[int]
    """Key of the API, or type of the record; -1 for the embedded consumer protocol, which has none."""

    VERSIONS: ClassVar[range]

    TABLE: ClassVar[str]
    """The file of `tables` that declares it, which names its modules of readers and writers too."""

    READERS: ClassVar[Mapping[int, Reader]] = {}
    WRITERS: ClassVar[Mapping[int, Writer]] = {}
    """Writers by version. Invariant: either empty or complete; `codec` loads them when they are first needed."""

    PIECEWISE_WRITERS: ClassVar[Mapping[int, PiecewiseWriter]] = {}
    """Writers by version, for responses with arrays of structs."""
