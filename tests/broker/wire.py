"""A client with no opinions: sends what a test says, byte for byte, and reads what comes back."""

import socket
import struct
from types import TracebackType
from typing import TypeVar, cast

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.frames import RequestHeader, decode_response, encode_request
from tenure.protocol.message import Message
from tests.serving import Serving

M = TypeVar("M", bound=Message)


class Wire:
    """One connection. `ask` is a whole exchange; `send` and `receive` are its halves."""

    def __init__(self, broker: Serving, client_id: str = "wire") -> None:
        self.socket = socket.create_connection((broker.host, broker.port), timeout=20)
        self.client_id = client_id
        self._correlation_id = 0
        self._sent: list[tuple[ApiKey, int, int]] = []

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.socket.close()

    def ask(self, message: Message, kind: type[M], version: int | None = None) -> M:
        """The newest version unless the test says another."""
        self.send(message, version)
        return self.receive(kind)

    def send(self, message: Message, version: int | None = None) -> None:
        self.socket.sendall(self.frame(message, version))

    def frame(self, message: Message, version: int | None = None) -> bytes:
        api_key = ApiKey(message.KEY)
        version = APIS[api_key].max_version if version is None else version
        self._correlation_id += 1
        self._sent.append((api_key, version, self._correlation_id))
        return encode_request(RequestHeader(api_key, version, self._correlation_id, self.client_id), message)

    def receive(self, kind: type[M]) -> M:
        """The next response, which must answer the oldest request that waits (rule 1.3.1)."""
        api_key, version, correlation_id = self._sent.pop(0)
        answered, message = decode_response(api_key, version, self.read_frame())
        assert answered == correlation_id
        assert type(message) is kind
        return cast(M, message)

    def read_frame(self) -> bytes:
        (size,) = struct.unpack(">i", self._read(4))
        return self._read(size)

    def is_closed(self) -> bool:
        """Waits for the broker to close the connection; False when it says something instead."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True

    def has_nothing_to_say(self, for_s: float = 0.2) -> bool:
        self.socket.settimeout(for_s)
        try:
            self.socket.recv(1, socket.MSG_PEEK)
            return False
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(20)

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            chunk = self.socket.recv(size - len(data))
            if not chunk:
                raise ConnectionError("the broker closed the connection")
            data += chunk
        return data
