"""Our transports behave as asyncio's do, on a real pair of sockets."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable

import pytest

from tenure.broker.loop.clock import LoopClock
from tenure.broker.loop.schedule import Schedule
from tenure.broker.loop.turn import Turn
from tenure.broker.server.poller import READ, WRITE, SelectorPoller, new_poller
from tenure.broker.server.sockets import Sockets, Transport
from tenure.limits.broker import CONNECTION_WRITE_BYTES_MAX, SOCKETS_PER_TURN


@pytest.mark.parametrize("create", [new_poller, SelectorPoller])
def test_poller__events_change__only_watched_ones_reported(create: Callable[[], SelectorPoller]) -> None:
    """A system without epoll uses the other poller, which reports the same events."""
    poller = create()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        poller.register(ours.fileno(), READ)
        assert poller.poll(0, 1) == []
        theirs.send(b"input")
        assert poller.poll(0, 1) == [(ours.fileno(), READ)]
        poller.modify(ours.fileno(), READ | WRITE)
        assert poller.poll(0, 1) == [(ours.fileno(), READ | WRITE)]
        poller.modify(ours.fileno(), WRITE)
        assert poller.poll(0, 1) == [(ours.fileno(), WRITE)]
        poller.unregister(ours.fileno())
        assert poller.poll(0, 1) == []
    poller.close()


class Noted:
    """Receiver that notes its events."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.data = b""

    def connection_made(self, transport: Transport) -> None:
        self.transport = transport

    def received(self, buffer: memoryview, nbytes: int) -> None:
        self.data += bytes(buffer[:nbytes])

    def input_ended(self) -> None:
        self.transport.close()

    def pause_writing(self) -> None:
        self.told.append("pause")

    def resume_writing(self) -> None:
        self.told.append("resume")

    def unsent_changed(self) -> None: ...

    def connection_lost(self) -> None:
        self.told.append("lost")


def with_a_pair(act: Callable[[Noted, socket.socket], Awaitable[None]]) -> list[str]:
    async def run() -> list[str]:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        loop = asyncio.get_running_loop()
        sockets = Sockets(loop, Schedule(loop, Turn(loop, LoopClock(loop))))
        noted = Noted()
        Transport(sockets, ours, ("peer", 0), noted)
        with theirs:
            await act(noted, theirs)
            noted.transport.close()
            await asyncio.sleep(0)
        sockets.close()
        return noted.told

    return asyncio.run(run())


async def read_all(theirs: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += await asyncio.get_running_loop().sock_recv(theirs, 1 << 20)
    return data


def test_write__more_than_a_slow_peer_reads__paused_until_the_peer_has_read_and_nothing_lost() -> None:
    sent = os.urandom(CONNECTION_WRITE_BYTES_MAX + (4 << 20))

    async def act(noted: Noted, theirs: socket.socket) -> None:
        noted.transport.write([sent[:1000]])
        noted.transport.write([sent[at : at + 8_000] for at in range(1000, len(sent), 8_000)])
        assert noted.told == ["pause"]
        assert await read_all(theirs, len(sent)) == sent

    assert with_a_pair(act) == ["pause", "resume", "lost"]


def test_close__bytes_not_sent_yet__sent_before_the_close() -> None:
    sent = os.urandom(CONNECTION_WRITE_BYTES_MAX)

    async def act(noted: Noted, theirs: socket.socket) -> None:
        noted.transport.write([sent])
        noted.transport.close()
        assert await read_all(theirs, len(sent)) == sent
        assert await asyncio.get_running_loop().sock_recv(theirs, 1) == b""

    assert with_a_pair(act) == ["lost"]


def test_read__paused__bytes_arrive_after_resume() -> None:
    async def act(noted: Noted, theirs: socket.socket) -> None:
        noted.transport.pause_reading()
        theirs.send(b"patience")
        for _ in range(5):
            await asyncio.sleep(0)
        assert noted.data == b""
        noted.transport.resume_reading()
        while not noted.data:
            await asyncio.sleep(0)
        assert noted.data == b"patience"

    assert with_a_pair(act) == ["lost"]


def test_peer__disconnects__receiver_is_notified_once() -> None:
    async def act(noted: Noted, theirs: socket.socket) -> None:
        theirs.close()
        while not noted.told:
            await asyncio.sleep(0)
        noted.transport.write([b"nobody hears this"])

    assert with_a_pair(act) == ["lost"]


class Answering(Noted):
    """Receiver that answers at the end of the turn, and notes both in a common list."""

    def __init__(self, turn: Turn, told: list[str]) -> None:
        super().__init__()
        self.told = told
        self.turn = turn

    def received(self, buffer: memoryview, nbytes: int) -> None:
        super().received(buffer, nbytes)
        self.told.append("read")
        self.turn.send(self)

    def flush(self) -> None:
        self.told.append("answered")
        self.transport.write([b"answer"])

    def fail(self, error: Exception) -> None:
        raise error


def test_turn__more_sockets_than_one_turn_reads__first_ones_answered_before_the_others_are_read() -> None:
    told: list[str] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        turn = Turn(loop, LoopClock(loop))
        sockets = Sockets(loop, Schedule(loop, turn))
        pairs = [socket.socketpair() for _ in range(SOCKETS_PER_TURN + 1)]
        for ours, _ in pairs:
            ours.setblocking(False)
            Transport(sockets, ours, ("peer", 0), Answering(turn, told))
        for _, theirs in pairs:
            theirs.send(b"request")
        while len(told) < 2 * len(pairs):
            await asyncio.sleep(0)
        sockets.close()
        for ours, theirs in pairs:
            assert theirs.recv(6) == b"answer"
            ours.close()
            theirs.close()

    asyncio.run(run())
    assert told == [*["read"] * SOCKETS_PER_TURN, *["answered"] * SOCKETS_PER_TURN, "read", "answered"]


@pytest.mark.parametrize("turns", range(5))
def test_accept__cancelled_while_a_client_connects__its_socket_is_not_lost(turns: int) -> None:
    """Pass an accepted socket on, or leave it in the backlog: asyncio's `sock_accept` could lose it in between."""
    begun: list[socket.socket] = []

    async def begin(accepted: socket.socket, _peer: object) -> None:
        begun.append(accepted)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        sockets = Sockets(loop, Schedule(loop, Turn(loop, LoopClock(loop))))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            listening.setblocking(False)
            accepting = loop.create_task(sockets.accept(listening, begin))
            await asyncio.sleep(0)
            with socket.create_connection(listening.getsockname()):
                for _ in range(turns):
                    await asyncio.sleep(0)
                accepting.cancel()
                await asyncio.wait([accepting])
                (begun or [listening.accept()[0]])[0].close()
        sockets.close()

    asyncio.run(run())
