"""Server that counts the steps of requests. Between two steps, the broker serves other clients."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, TypeVar

from tenure.broker.broker import Broker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.config.listeners import BrokerListener
from tenure.broker.requests.context import Context
from tenure.broker.requests.steps import Steps
from tenure.broker.server.connection import Connection
from tenure.broker.server.server import Server
from tenure.storage.data_directory import DataDirectory

S = TypeVar("S", bound=Server)


class Counted:
    """Steps of one request; `took` is called for each."""

    def __init__(self, steps: Steps, took: Callable[[], None]) -> None:
        self._steps = steps
        self._took = took

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> Any:
        self._took()
        return next(self._steps)


class CountingServer(Server):
    """Server that counts the steps in which it works on requests."""

    steps = 0

    def new_connection(self, listener: BrokerListener) -> Connection:
        self.connections_accepted += 1
        return CountingConnection(self, listener.client_address)

    def counted(self, steps: Steps) -> Steps:
        return steps if isinstance(steps, Counted) else Counted(steps, self._took)

    def _took(self) -> None:
        self.steps += 1


class CountingConnection(Connection):
    def __init__(self, server: CountingServer, advertised: Address) -> None:
        super().__init__(server.clients, advertised)
        self._server = server

    def go_on(self, steps: Steps) -> None:
        super().go_on(self._server.counted(steps))

    def go_on_soon(self, steps: Steps) -> None:
        super().go_on_soon(self._server.counted(steps))


def with_server(client: Callable[[S, int], None], kind: type[S]) -> None:
    """Run `client` on a thread, with the port of a server of this kind that keeps its data in memory."""

    async def run() -> None:
        settings, _ = load_settings(file=None, environment={}, flags=())
        directory = DataDirectory.in_memory()
        broker = Broker(Context(settings, directory, Address("127.0.0.1", 0), asyncio.get_running_loop()))
        await broker.start()
        server = kind(broker)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await server.start(listening)
            await asyncio.to_thread(client, server, listening.getsockname()[1])
            await server.stop()
            directory.close(clean=broker.close())

    asyncio.run(run())
