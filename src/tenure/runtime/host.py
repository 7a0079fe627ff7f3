"""When things become true: hosts one shard, sans-I/O.

The broker drives it:

    host.submit(ask, command)                       any number of times
    ready = host.turn(now)                          once per turn of its loop, and when a deadline has passed
    if ready.batch: append it, then host.appended(last_offset) or host.append_failed(error), before the next turn
    if ready.reload: host.load(batches, now)        from the log's start; see `state`
    host.durable(offset)                            when everything below `offset` is safe
    for reply in host.take_replies(): ...           after each of these calls

All commands that wait are handled in one go and their records make one batch. Records are applied at once, before the
next command is handled. Every reply of a group, reads and heartbeats included, leaves when the last record appended
for that group is durable (invariant ReplyAfterDurable). A failed append throws the state away and reloads it: there is
no rollback. A bug in the shard does the same, once; then the host stays down and says why.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from tenure.coordinator.shard import AskId, Now, Reply, Shard
from tenure.protocol.errors import ErrorCode
from tenure.runtime.codecs import Codec


S = TypeVar("S", bound=Shard)


class HostState(Enum):
    """A new host is LOADING: give it its log, even an empty one."""

    LOADING = "loading"
    ACTIVE = "active"
    DOWN = "down"


class Ready(NamedTuple):
    """What the turn leaves to do. `batch`: append it. `reload`: call `load` with the whole log."""

    batch: bytes | None = None
    reload: bool = False


class Host(Generic[S]):
    """`shard` is another object after every load; `failure` says in one sentence why the host reloaded or is down."""

    shard: S
    state: HostState
    failure: str | None

    def __init__(self, new_shard: Callable[[], S], codec: Codec) -> None:
        raise NotImplementedError

    def submit(self, ask: AskId, command: object) -> None:
        raise NotImplementedError

    def turn(self, now: Now) -> Ready | None:
        """None: nothing to append or reload. `take_replies` may have something in every case."""
        raise NotImplementedError

    def appended(self, last_offset: int) -> None:
        raise NotImplementedError

    def append_failed(self, error: ErrorCode) -> None:
        """`error` is Kafka's code for what the log said; what clients are told follows rule 2.3."""
        raise NotImplementedError

    def durable(self, offset: int) -> None:
        """Everything below `offset` is safe (exclusive, like a log end offset)."""
        raise NotImplementedError

    def take_replies(self) -> list[Reply]:
        """Those that may leave now."""
        raise NotImplementedError

    def load(self, batches: Iterable[bytes], now: Now) -> None:
        """Replay a log: any chunking of its bytes into whole batches. Ends in ACTIVE, or in DOWN with `failure`."""
        raise NotImplementedError

    def next_deadline_ms(self) -> int | None:
        """The tick by which `turn` must be called again, if nothing else happens."""
        raise NotImplementedError
