"""Event loop in virtual time for coroutines of the real client. One coroutine runs at a time."""

from asyncio import Future, events
from collections.abc import Callable, Coroutine, Generator, Mapping
from typing import Any, Final, TypeVar

from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.connection import Disconnected
from tenure.client.producer.transaction_coordinator_client import TRANSACTION_VERSION
from tenure.client.values import TopicPartition
from tenure.protocol.message import Message
from tests.simulation.bank.loop import Handle
from tests.simulation.process import REQUEST_TIMEOUT_MS

T = TypeVar("T")

ANY_BROKER: Final = BrokerAddress("", 0)
PATIENCE_MS: Final = 4 * REQUEST_TIMEOUT_MS


class AwaitedResponse:
    """Awaitable response to a request; None if there will be none."""

    def __init__(self, request: Message) -> None:
        self._request: Final = request

    def __await__(self) -> Generator[Message, Message | None, Message | None]:
        return (yield self._request)


class VirtualLoop:
    """Substitute of an event loop for a single coroutine."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self.time: Final = clock_s
        self._delay_s = 0.0
        self._wake: Callable[[], object] | None = None

    def step(self, work: Coroutine[Any, Any, T], heard: Message | None) -> Message | int:
        """Run the coroutine until it sends a request or sleeps.

        Args:
            work: Coroutine.
            heard: Response to its last request.

        Returns:
            The request, or the milliseconds of sleep.

        Raises:
            StopIteration: The coroutine has ended; `value` is its result.
        """
        if self._wake is not None:
            wake, self._wake = self._wake, None
            wake()
        events._set_running_loop(self)  # type: ignore[arg-type]  # it has the methods that the client calls
        try:
            wanted = work.send(heard)
        finally:
            events._set_running_loop(None)
        return wanted if isinstance(wanted, Message) else round(self._delay_s * 1_000)

    def create_future(self) -> "Future[Any]":
        return Future(loop=self)  # type: ignore[arg-type]  # as above

    def call_later(self, delay_s: float, callback: Callable[..., object], *arguments: object) -> Handle:
        self._delay_s, self._wake = delay_s, lambda: callback(*arguments)
        return Handle()

    def get_debug(self) -> bool:
        return False


class SimulatedCluster:
    """Substitute of `client.net.cluster.Cluster` for a transactional producer, and of its only connection."""

    request_timeout_ms: Final = REQUEST_TIMEOUT_MS

    def __init__(self, transaction_version: int, patience_ms: int = PATIENCE_MS) -> None:
        self.features: Final[Mapping[str, int]] = {TRANSACTION_VERSION: transaction_version}
        self.patience_ms: Final = patience_ms

    async def transaction_coordinator(self, _: str) -> BrokerAddress:
        return ANY_BROKER

    async def coordinator(self, _: str) -> BrokerAddress:
        return ANY_BROKER

    async def leader(self, _: TopicPartition) -> BrokerAddress:
        return ANY_BROKER

    def forget_leader(self, _: TopicPartition) -> None:
        """Do nothing: there is only one broker."""

    async def connection(self, _: BrokerAddress, __: str = "") -> "SimulatedCluster":
        return self

    async def request(self, request: Message, answers: type[T], **_: int) -> T:
        response = await AwaitedResponse(request)
        if response is None:
            raise Disconnected("the connection is gone")
        assert isinstance(response, answers)
        return response
