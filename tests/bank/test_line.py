"""Proxy: bytes that are sent while it is cut arrive late, and it keeps no closed connections."""

import socket
from collections.abc import Iterator
from threading import Thread

import pytest

from tests.bank.auditor import until
from tests.bank.line import Line


@pytest.fixture
def echo() -> Iterator[str]:
    """Yield the address of an echo server."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                while data := connection.recv(100):
                    connection.sendall(data)

    Thread(target=serve, daemon=True).start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    listener.close()


def test_network_line__clients_close_their_connections__line_keeps_no_sockets(echo: str) -> None:
    with Line(echo) as line:
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", line.port)) as client:
                client.sendall(b"something")
                assert client.recv(100) == b"something"
        until(lambda: not line._sockets, "what has ended is forgotten")


def test_network_line__cut_and_restored__bytes_sent_meanwhile_arrive_late(echo: str) -> None:
    with Line(echo) as line, socket.create_connection(("127.0.0.1", line.port)) as client:
        line.cut()
        client.sendall(b"something")
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.recv(100)
        line.mend()
        client.settimeout(60)
        assert client.recv(100) == b"something"
