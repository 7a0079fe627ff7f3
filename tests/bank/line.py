"""TCP proxy between one process and the broker. While it is cut, it delays data, without an error on either side.

    with Line(address) as line:
        start_worker(line.port)
        line.cut()
        line.mend()

After `mend`, data that was sent while the line was cut arrives.
"""

import socket
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

BYTES_AT_ONCE: Final = 1 << 16
CONNECT_TIMEOUT_S: Final = 10.0


class Line:
    """Running proxy; `port` is the port for the process."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._broker: Final = host, int(port)
        self._listener: Final = socket.create_server(("127.0.0.1", 0))
        self.port: Final[int] = self._listener.getsockname()[1]
        self._is_whole: Final = Event()
        self._is_whole.set()
        self._sockets: set[socket.socket] = set()
        """Sockets of open connections."""
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._is_whole.clear()

    def mend(self) -> None:
        self._is_whole.set()

    def close(self) -> None:
        self._is_whole.set()
        for one in (self._listener, *list(self._sockets)):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes a waiting thread
            one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                self._sockets.add(client)
                Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        """Carry bytes between a client and the broker. Without a broker, close the client's connection."""
        self._is_whole.wait()
        with suppress(OSError):
            broker = socket.create_connection(self._broker, CONNECT_TIMEOUT_S)
            broker.settimeout(None)
            self._sockets.add(broker)
            back = Thread(target=self._carry, args=(broker, client), daemon=True)
            back.start()
            self._carry(client, broker)
            back.join()
            self._end(broker)
        self._end(client)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(BYTES_AT_ONCE):
                self._is_whole.wait()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

    def _end(self, one: socket.socket) -> None:
        self._sockets.discard(one)
        one.close()
