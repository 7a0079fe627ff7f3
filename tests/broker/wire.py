"""Connection as in `tests/wire.py`, with methods for arbitrary bytes and for closed connections."""

import socket

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.message import Message
from tests import wire
from tests.serving import Serving


class Wire(wire.Wire):
    def __init__(self, broker: Serving, client_id: str = "wire") -> None:
        super().__init__(broker.host, broker.port, client_id)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def frame(self, request: Message) -> bytes:
        """Return the bytes of a request in its newest version, for `send_bytes`; `receive` then expects its answer."""
        key = ApiKey(request.KEY)
        self._correlation_id += 1
        self._asked.append((key, APIS[key].max_version))
        return encode_request(RequestHeader(key, APIS[key].max_version, self._correlation_id, "wire"), request)

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send_unanswered(self, request: Message) -> None:
        """Send a request that has no response: Produce with acks=0."""
        self.send(request)
        self._asked.pop()

    def receive_bytes(self) -> bytes:
        """Receive one frame, without its size."""
        while not self._complete:
            self._read()
        return self._complete.pop(0)

    def is_closed(self) -> bool:
        """Wait until the broker closes the connection; return False if it sends a byte instead."""
        try:
            return self._socket.recv(1) == b""
        except ConnectionError:
            return True

    def is_parked(self) -> bool:
        """Return whether no answer comes for 0.2 s."""
        return not self.has_response(within_s=0.2)
