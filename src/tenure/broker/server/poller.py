"""Poller of many sockets: the system's epoll, or the same on a system without it.

The module `selectors` runs Python code for each event, which takes a twentieth of the instructions of a heartbeat.
"""

import select
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any, Final

READ: Final = 1
WRITE: Final = 4
"""Bits of events, the same as EPOLLIN and EPOLLOUT. They are literals, so that the compiled build knows them."""


class SelectorPoller:
    """`select.epoll` for systems without it, with the methods that the broker calls."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()

    def fileno(self) -> int:
        return self._selector.fileno()

    def register(self, descriptor: int, events: int) -> None:
        self._selector.register(descriptor, _of_selector(events))

    def modify(self, descriptor: int, events: int) -> None:
        self._selector.modify(descriptor, _of_selector(events))

    def unregister(self, descriptor: int) -> None:
        self._selector.unregister(descriptor)

    def poll(self, timeout_s: float, _: int) -> list[tuple[int, int]]:
        return [
            (key.fd, (READ if events & EVENT_READ else 0) | (WRITE if events & EVENT_WRITE else 0))
            for key, events in self._selector.select(timeout_s)
        ]

    def close(self) -> None:
        self._selector.close()


def _of_selector(events: int) -> int:
    return (EVENT_READ if events & READ else 0) | (EVENT_WRITE if events & WRITE else 0)


new_poller: Final[Any] = getattr(select, "epoll", SelectorPoller)
"""Create a poller. Its `poll(timeout, events_max)` returns (descriptor, events) of the sockets that are ready.

With epoll, further bits mean that the connection has ended or failed.
"""
