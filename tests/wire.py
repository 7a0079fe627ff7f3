"""Raw connection to a broker: it sends requests in any version, and returns the responses unchanged.

It retries nothing and caches no metadata, because its tests check responses that a client library would hide.
"""

from __future__ import annotations

import select
import socket
from typing import Any, Final, Self

from tenure.protocol.apis import ApiKey
from tenure.protocol.frames import FrameReader, RequestHeader, decode_response, encode_request
from tenure.protocol.message import Message
from tests.kafka_versions import newest_version

ANSWER_BYTES_MAX: Final = 64 * 1024 * 1024
ANSWER_TIMEOUT_S: Final = 60.0


class Wire:
    """Connection to a broker. Responses arrive in the order of the requests.

    Call `send` several times and then `receive`, or `ask` to send one request and receive its response.
    """

    def __init__(self, host: str, port: int, client_id: str = "wire", source: str = "") -> None:
        """Connect; `source` is the client's address, any loopback address."""
        self._socket = socket.create_connection((host, port), ANSWER_TIMEOUT_S, (source, 0) if source else None)
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._frames = FrameReader(ANSWER_BYTES_MAX)
        self._complete: list[bytes] = []
        self._asked: list[tuple[ApiKey, int]] = []
        self._client_id = client_id
        self._correlation_id = 0

    def ask(self, request: Message, version: int | None = None) -> Any:
        self.send(request, version)
        return self.receive()

    def send(self, request: Message, version: int | None = None) -> None:
        """Send a request; the default version is the newest of Apache Kafka."""
        key = ApiKey(request.KEY)
        chosen = newest_version(key) if version is None else version
        self._correlation_id += 1
        header = RequestHeader(key, chosen, self._correlation_id, self._client_id)
        self._socket.sendall(encode_request(header, request))
        self._asked.append((key, chosen))

    def receive(self) -> Any:
        """Receive the response to the oldest request that has none yet."""
        while not self._complete:
            self._read()
        key, version = self._asked.pop(0)
        _, message = decode_response(key, version, self._complete.pop(0))
        return message

    def has_response(self, within_s: float) -> bool:
        """Return whether a response arrives within `within_s` seconds; False for a parked request."""
        while not self._complete:
            if not self._poll.poll(within_s * 1000):
                return False
            self._read()
        return True

    def exchange(self, frame: bytes) -> bytes:
        """Send a frame unchanged, and return the frame of its response."""
        self._socket.sendall(frame)
        while not self._complete:
            self._read()
        answer = self._complete.pop(0)
        return len(answer).to_bytes(4, "big") + answer

    def _read(self) -> None:
        data = self._socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the broker closed the connection")
        self._frames.feed(data)
        self._complete.extend(map(bytes, self._frames))

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
