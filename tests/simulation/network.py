"""Connections between clients and one coordinator. Only messages of the same connection keep their order.

Requests and answers take time. A connection either breaks, or delivers nothing until the client gives up, so that it is
unknown which messages have arrived. Messages in transit may still arrive after that, and so may a second copy, much
later.
"""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Final

from tenure.protocol.message import Message
from tenure.simulation.agenda import Agenda
from tenure.simulation.wire import Broker
from tests.simulation.coordinator import Coordinator
from tests.simulation.trace import Trace

Then = Callable[[Message | None], None]
"""Callback for the response; None if there will be none."""


class NetworkQuality:
    """Quality of the network; probabilities are per message."""

    def __init__(self) -> None:
        self.delay_ms = 10
        self.slow = 0.0
        self.slow_ms = 5_000
        self.silent = 0.0
        self.broken = 0.0
        self.twice = 0.0

    def clear(self) -> None:
        self.slow = self.silent = self.broken = self.twice = 0.0


class Network:
    def __init__(self, agenda: Agenda, random: Random, coordinator: Coordinator, broker: Broker, trace: Trace) -> None:
        self.agenda: Final = agenda
        self.random: Final = random
        self.coordinator: Final = coordinator
        self.broker: Final = broker
        self.trace: Final = trace
        self.quality: Final = NetworkQuality()

    def delay_ms(self) -> int:
        random, quality = self.random, self.quality
        if quality.slow and random.random() < quality.slow:
            self.trace.did["slow message"] += 1
            return random.randrange(quality.slow_ms)
        return 1 + int(random.random() * quality.delay_ms)

    def happens(self, chance: float, what: str) -> bool:
        if not chance or self.random.random() >= chance:
            return False
        self.trace.did[what] += 1
        return True


class _Call:
    __slots__ = ("due_ms", "request", "then")

    def __init__(self, request: Message, due_ms: int, then: Then) -> None:
        self.request = request
        self.due_ms = due_ms
        self.then = then


class Connection:
    """TCP connection. The broker works on one of its requests at a time: a parked one delays the others."""

    __slots__ = (
        "_answered_by_ms",
        "_arrived_by_ms",
        "_at_work",
        "_calls",
        "_client_id",
        "_network",
        "_start",
        "_waiting",
        "_watch_ms",
        "is_open",
        "is_silent",
    )

    def __init__(self, network: Network, client_id: str, *, is_silent: bool = False) -> None:
        self.is_open = True
        self.is_silent = is_silent
        """True if no message arrives any more, in either direction."""
        self._network: Final = network
        self._client_id: Final = client_id
        self._start: Final = network.coordinator.starts
        self._calls: deque[_Call] = deque()
        """Calls for whose answers the client waits, in order."""
        self._waiting: deque[_Call] = deque()
        """Calls behind the one that the broker works on."""
        self._at_work = False
        self._watch_ms: int | None = None
        """Time of the next check for calls that have waited too long."""
        self._arrived_by_ms = 0
        self._answered_by_ms = 0

    # --- client's side ------------------------------------------------------------------------------------------------

    def send(self, request: Message, timeout_ms: int, then: Then) -> None:
        network = self._network
        agenda, quality = network.agenda, network.quality
        call = _Call(request, agenda.now_ms + timeout_ms, then)
        self._calls.append(call)
        if not self.is_open or not self._reaches_coordinator():
            agenda.after(network.delay_ms(), self.break_)
            return
        self._watch(call.due_ms)
        if network.happens(quality.broken, "connection broken"):
            agenda.after(network.delay_ms(), self.break_)
        elif network.happens(quality.silent, "connection silent"):
            self.is_silent = True
        self._arrived_by_ms = max(agenda.now_ms + network.delay_ms(), self._arrived_by_ms)
        if not self.is_silent:
            agenda.at(self._arrived_by_ms, lambda: self._arrive(call))
        if network.happens(quality.twice, "request twice"):
            agenda.after(
                network.delay_ms() + network.random.randrange(quality.slow_ms), lambda: self._deliver_copy(request)
            )

    def break_(self) -> None:
        """Break the connection. All callers are informed that there will be no answer."""
        if self.is_open:
            self.is_open = False
            self._waiting.clear()
            calls, self._calls = self._calls, deque()
            for call in calls:
                call.then(None)
        elif self._calls:
            self._calls.popleft().then(None)

    def abandon(self) -> None:
        """Drop all calls, because the client is gone."""
        self.is_open = False
        self._waiting.clear()
        self._calls.clear()

    def _watch(self, due_ms: int) -> None:
        """Check whether a call has waited too long: once per connection, because there are many requests."""
        if self._watch_ms is None or due_ms < self._watch_ms:
            self._watch_ms = due_ms
            self._network.agenda.at(due_ms, self._check_timeouts)

    def _check_timeouts(self) -> None:
        now_ms = self._network.agenda.now_ms
        if self._watch_ms is None or self._watch_ms > now_ms:
            return
        self._watch_ms = None
        if not self.is_open or not self._calls:
            return
        due_ms = min([call.due_ms for call in self._calls])
        if due_ms <= now_ms:
            self._network.trace.did["request timed out"] += 1
            self.break_()
        else:
            self._watch(due_ms)

    # --- broker's side ------------------------------------------------------------------------------------------------

    def _reaches_coordinator(self) -> bool:
        return self._network.coordinator.is_up and self._network.coordinator.starts == self._start

    def _arrive(self, call: _Call) -> None:
        if not self._reaches_coordinator():
            return
        if self._at_work:
            if self.is_open:
                self._waiting.append(call)
        else:
            self._work_on(call)

    def _work_on(self, call: _Call) -> None:
        self._at_work = True
        self._network.broker.handle(call.request, self._client_id, lambda response: self._answer(call, response))

    def _answer(self, call: _Call, response: Message) -> None:
        self._at_work = False
        network = self._network
        if self.is_open and not self.is_silent:
            if network.happens(network.quality.silent, "answer lost"):
                self.is_silent = True
            else:
                agenda = network.agenda
                self._answered_by_ms = max(agenda.now_ms + network.delay_ms(), self._answered_by_ms)
                agenda.at(self._answered_by_ms, lambda: self._deliver_answer(call, response))
        if self._waiting:
            self._work_on(self._waiting.popleft())

    def _deliver_answer(self, call: _Call, response: Message) -> None:
        if self.is_open and self._calls and self._calls[0] is call:
            self._calls.popleft()
            call.then(response)

    def _deliver_copy(self, request: Message) -> None:
        """Deliver a second copy of a request, long after the first one. Its answer is dropped."""
        coordinator = self._network.coordinator
        if coordinator.is_up:
            self._network.broker.handle(request, self._client_id, lambda _: None)
