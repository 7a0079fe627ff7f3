"""The HTTP server of monitoring pages with clients that violate the protocol."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from tenure.limits.monitoring import (
    MONITORING_CONNECTIONS_MAX,
    MONITORING_DISCARDED_BYTES_MAX,
    MONITORING_HEAD_BYTES_MAX,
)
from tenure.monitoring import http
from tenure.monitoring.http import Answer, MonitoringServer

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable timeouts of connections, because this process may be suspended; tests of timeouts set their own."""
    for timeout in ("MONITORING_HEAD_S", "MONITORING_CONNECTION_S"):
        monkeypatch.setattr(http, timeout, 1_000.0)


class Pages:
    """Pages: one that answers at once, one that waits until `released`, and one that fails."""

    def __init__(self) -> None:
        self.released = asyncio.Event()
        self.slow_requests = 0

    async def healthz(self) -> Answer:
        return Answer(200, "ok\n")

    async def slow(self) -> Answer:
        self.slow_requests += 1
        await self.released.wait()
        return Answer(200, "slow\n")

    async def broken(self) -> Answer:
        raise MemoryError


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    def end(self) -> None:
        """Close the sending half of the connection."""
        self._writer.write_eof()

    async def answer(self) -> bytes:
        """Return everything up to the end of the connection, which must not be a reset."""
        return await self._reader.read()

    async def is_dropped(self) -> bool:
        try:
            return await self._reader.read() == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self._writer.close()


class Served:
    def __init__(self) -> None:
        self.pages = Pages()
        self._clients: list[Client] = []
        self._address: tuple[str, int]
        paths = {"/healthz": self.pages.healthz, "/slow": self.pages.slow, "/broken": self.pages.broken}
        self._server = MonitoringServer(paths, asyncio.get_running_loop())

    async def connect(self) -> Client:
        client = Client(*await asyncio.open_connection(*self._address))
        self._clients.append(client)
        return client

    async def ask(self, request: bytes) -> bytes:
        client = await self.connect()
        await client.send(request)
        return await client.answer()

    async def until_a_client_has_finished(self) -> None:
        while not any(connection._client_has_finished for connection in self._server._connections):
            await asyncio.sleep(0.001)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        listening = http.socket.create_server(("127.0.0.1", 0))
        self._address = listening.getsockname()
        await self._server.start(listening)
        try:
            yield
        finally:
            for client in self._clients:
                client.close()
            self._server.close()


def served(scenario: Callable[[Served], Awaitable[None]]) -> None:
    async def run() -> None:
        server = Served()
        async with server.running():
            await scenario(server)

    asyncio.run(run())


def status(answer: bytes) -> int:
    return int(answer.split(b" ")[1])


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (HEALTH, 200),
        (b"GET /healthz?verbose HTTP/1.0\r\n\r\n", 200),
        (b"GET /secrets HTTP/1.1\r\n\r\n", 404),
        (b"POST /healthz HTTP/1.1\r\n\r\n", 405),
        (b"GET /broken HTTP/1.1\r\n\r\n", 500),
        (b"\x00\x00\x00\x10 no words of HTTP\r\n\r\n", 400),
        (b"GET /" + b"x" * MONITORING_HEAD_BYTES_MAX, 400),
        (b"GET /healthz HTTP/1.1\r\nX: " + b"x" * MONITORING_HEAD_BYTES_MAX + b"\r\n\r\n", 400),
    ],
)
def test_http_request__valid_or_malformed__one_answer_with_content_length(sent: bytes, expected: int) -> None:
    async def scenario(server: Served) -> None:
        answer = await server.ask(sent)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert status(answer) == expected
        assert f"Content-Length: {len(body)}".encode() in head.split(b"\r\n")
        assert b"Connection: close" in head

    served(scenario)


def test_head_request__of_an_existing_page__content_length_without_a_body() -> None:
    async def scenario(server: Served) -> None:
        answer = await server.ask(HEALTH.replace(b"GET", b"HEAD"))
        assert b"Content-Length: 3\r\n" in answer
        assert answer.endswith(b"\r\n\r\n")

    served(scenario)


def test_pipelined_requests__several_on_a_connection__first_answered_and_connection_closed() -> None:
    async def scenario(server: Served) -> None:
        client = await server.connect()
        await client.send(3 * HEALTH)
        await client.send(3 * HEALTH)
        answer = await client.answer()
        assert answer.count(b"HTTP/1.1 200 OK") == 1
        assert answer.endswith(b"ok\n")

    served(scenario)


def test_post_request__large_body__body_discarded_and_answer_arrives() -> None:
    async def scenario(server: Served) -> None:
        client = await server.connect()
        await client.send(b"POST /healthz HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n")
        await client.send(b"x" * 1_000_000)
        assert status(await client.answer()) == 405

    served(scenario)


def test_post_request__body_without_an_end__connection_dropped() -> None:
    async def scenario(server: Served) -> None:
        client = await server.connect()
        await client.send(b"GET /slow HTTP/1.1\r\n\r\n")
        with suppress(ConnectionError):  # the server stopped reading before everything was sent
            await client.send(b"x" * (10 * MONITORING_DISCARDED_BYTES_MAX))
        assert await client.is_dropped()

    served(scenario)


def test_http_request__client_closes_its_sending_side__still_answered() -> None:
    async def scenario(server: Served) -> None:
        client = await server.connect()
        await client.send(b"GET /slow HTTP/1.1\r\n\r\n")
        client.end()
        while not server.pages.slow_requests:
            await asyncio.sleep(0.001)
        await server.until_a_client_has_finished()
        server.pages.released.set()
        assert (await client.answer()).endswith(b"slow\n")

    served(scenario)


def test_incomplete_monitoring_requests__at_the_connection_limit__probe_answered_and_oldest_dropped() -> None:
    async def scenario(server: Served) -> None:
        half_sent = [await server.connect() for _ in range(MONITORING_CONNECTIONS_MAX + 8)]
        for client in half_sent:
            await client.send(b"GET /healthz HTTP/1.1\r\n")
        for _ in range(3):
            assert status(await server.ask(HEALTH)) == 200
        assert await half_sent[0].is_dropped()

    served(scenario)


def test_slow_monitoring_answers__at_the_connection_limit__probe_is_answered() -> None:
    async def scenario(server: Served) -> None:
        slow = [await server.connect() for _ in range(MONITORING_CONNECTIONS_MAX)]
        for client in slow:
            await client.send(b"GET /slow HTTP/1.1\r\n\r\n")
        while server.pages.slow_requests < len(slow):
            await asyncio.sleep(0.001)
        assert status(await server.ask(HEALTH)) == 200
        assert await slow[0].is_dropped()
        server.pages.released.set()
        assert status(await slow[-1].answer()) == 200

    served(scenario)


def test_incomplete_request__timeout__http_status_408(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MONITORING_HEAD_S", 0.01)

    async def scenario(server: Served) -> None:
        assert status(await server.ask(HEALTH[:-1])) == 408

    served(scenario)


def test_http_request__page_takes_too_long__connection_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MONITORING_CONNECTION_S", 0.01)

    async def scenario(server: Served) -> None:
        client = await server.connect()
        await client.send(b"GET /slow HTTP/1.1\r\n\r\n")
        assert await client.is_dropped()

    served(scenario)
