"""Base class of generated messages: objects with slots for their fields; and the errors of invalid messages.

Messages do not change after their creation. The type checker enforces that (`Final`), but not the interpreter, because
creating an object of a frozen class takes three times as long.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, Protocol, TypeAlias, TypeVar

Data: TypeAlias = bytes | memoryview
"""Bytes to read. A view of a frame avoids a copy, but keeps the whole frame in memory.

`bytes(data)` copies a view, and returns bytes as they are.
"""


class FilePart(Protocol):
    """Range of a file that can be sent to a socket without being read into memory."""

    def __len__(self) -> int: ...

    def __bytes__(self) -> bytes:
        """Read the range into memory."""

    def read(self, skipped: int, size_max: int) -> bytes:
        """Read 1 to `size_max` bytes of the range, from byte `skipped` on. Raises OSError (EIO)."""

    def send_to(self, descriptor: int, skipped: int, size_max: int) -> int:
        """Send at most `size_max` bytes of the range to a socket, from byte `skipped` on.

        Returns:
            Number of sent bytes, at least one.

        Raises:
            BlockingIOError: The socket accepts no bytes now.
            OSError: The connection has ended, or (EIO) the file cannot be read.
        """


MessagePart: TypeAlias = bytes | FilePart
"""Part of an encoded message: bytes in memory, or a range of a file."""

Records: TypeAlias = Data | FilePart
"""Record batches of a response. The broker leaves large ones in their file; clients get `Data`."""

SECRETS: Final = frozenset({"auth_bytes", "salt", "salted_password", "stored_key", "server_key"})
"""Fields that `repr` hides, because a log that contains them would let its readers log in."""

EMPTY: Final[list[Any]] = []
"""Default of array fields in constructors, which replace it by a new empty list. (None means null.)"""


class MalformedMessage(Exception):
    """Bytes do not match the schema. That is an error of the peer, and its connection is closed (rule 1.1.6)."""


class UnsupportedVersion(Exception):
    """The message does not have this version, or has a value that the version cannot contain (rule 1.1.5)."""


class InvalidMessage(ValueError):
    """A field cannot be encoded: it is null, or a number or string is too large. This is usually a bug in Tenure."""


class Struct:
    """Struct with its fields in the order of the wire. Objects with equal fields are equal."""

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
    """Return a copy of a struct with changed fields."""
    return type(struct)(**{name: getattr(struct, name) for name in struct.__slots__} | changes)


Reader: TypeAlias = Callable[[Any, int], tuple[Any, int]]
"""Function (data, offset) -> (message, offset after the message). A result beyond the data means that data are missing.

The data are bytes, or `Data` if the message has records that are read as views (`schema.RECORDS_IN_PLACE`).
"""

Writer: TypeAlias = Callable[[list[MessagePart], Any], None]
"""Function that appends the parts of a message to a list."""

PiecewiseWriter: TypeAlias = Callable[[list[MessagePart], Any], Iterator[None]]
"""Generator that appends the parts of a message in steps. Between steps, the caller may remove parts from the list."""


class Message(Struct):
    """Struct that is a whole request, response or record. Only messages have versions of their own."""

    __slots__ = ()

    KEY: ClassVar[int]
    """Key of the API, or type of the record; -1 for the embedded consumer protocol, which has none."""

    VERSIONS: ClassVar[range]

    TABLE: ClassVar[str]
    """Name of the table file with this message, and of the modules with its readers and writers."""

    READERS: ClassVar[Mapping[int, Reader]] = {}
    WRITERS: ClassVar[Mapping[int, Writer]] = {}
    """Writers by version. Invariant: empty or complete; `codec` loads them on first use."""

    PIECEWISE_WRITERS: ClassVar[Mapping[int, PiecewiseWriter]] = {}
    """Piecewise writers by version, for responses with arrays of structs."""
