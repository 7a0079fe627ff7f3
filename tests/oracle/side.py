"""One of the two brokers under comparison, and what it was asked and answered, in words that both sides share.

Member ids are drawn at random by a broker. Here the n-th id that an actor was given is written `A#1`, so that two
traces can be compared as text; times become `now`, texts of errors `(text)`, and what has no order is sorted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, Final, Self

from tenure.protocol.message import Message, Struct
from tests.consumer_offsets import history
from tests.wire import Wire

PARKED_S: Final = 0.15
"""An answer that has not come after this time is taken for parked; both brokers answer in a few milliseconds."""

PATIENCE_S: Final = 20.0

UNORDERED: Final = frozenset({"members", "results", "groups", "topics", "responses", "OffsetFetchResponseTopics"})
"""Fields and structs whose lists come in the order of a hash table somewhere in Apache Kafka."""

RANDOM: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIMES: Final = frozenset({"current_state_timestamp", "commit_timestamp", "expire_timestamp"})
LEFT_OUT: Final = frozenset({"throttle_time_ms"})
FREE_BESIDE_AN_ERROR: Final = frozenset({"error_message", "aborted_transactions", "log_start_offset"})
"""What no client reads of an answer that refuses. Ours may say more, or nothing."""

OWN_AFFAIRS: Final = frozenset({"brokers", "cluster_id", "configs", "log_append_time_ms", "node_endpoints", "port"})
"""What two clusters may differ in. A created topic is answered with every setting that its broker knows; a batch that
came twice is answered with its newest timestamp by Apache Kafka, by us with none."""


class Side:
    """A broker. Groups keep apart from one another by their names."""

    def __init__(self, name: str, host: str, port: int) -> None:
        self.name = name
        self.host = host
        self.port = port
        self._sessions: list[Session] = []

    def session(self) -> Session:
        """A fresh set of actors."""
        session = Session(self)
        self._sessions.append(session)
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions:
            session.close()


class Session:
    """Actors with a connection each, and the trace of what they asked and heard."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.listening = True
        """Whether `ask` waits for the answer; who does not listen gathers answers with `has_answer` and `hear`."""
        self._told: list[str | tuple[str, Struct]] = []
        self.member_ids: dict[str, list[str]] = {}
        """The ids that each actor was given, oldest first."""
        self._names: dict[str, str] = {}
        self._wires: dict[str, Wire] = {}

    def ask(self, actor: str, request: Message, version: int | None = None) -> Any:
        self.send(actor, request, version)
        return self.hear(actor) if self.listening else None

    def send(self, actor: str, request: Message, version: int | None = None) -> None:
        kind = type(request).__name__.removesuffix("Request")
        self._told.append(f"{actor} -> {kind} v{version}")
        self.wire(actor).send(request, version)

    def hear(self, actor: str) -> Any:
        """The answer to an actor's oldest open request, written down."""
        answer = self.wire(actor).receive()
        member_id = getattr(answer, "member_id", "")
        if member_id and member_id not in self._names and "-" in member_id:
            ids = self.member_ids.setdefault(actor, [])
            ids.append(member_id)
            self._names[member_id] = f"{actor}#{len(ids)}"
        self._told.append((f"{actor} <- ", answer))
        return answer

    def has_answer(self, actor: str) -> bool:
        return self.wire(actor).answered(0)

    def parked(self, actor: str) -> bool:
        """Whether an actor's request has no answer yet; written down."""
        parked = not self.wire(actor).answered(PARKED_S)
        self._told.append(f"{actor} {'waits' if parked else 'has an answer'}")
        return parked

    def ask_until_error(self, ask: Callable[[], Any]) -> None:
        """Repeat a question until it is refused; only the refusal is written down."""
        before = list(self._told)
        deadline = time.monotonic() + PATIENCE_S
        while not ask().error_code:
            assert time.monotonic() < deadline, f"never refused within {PATIENCE_S:.0f} s"
            self._told = list(before)
            time.sleep(0.05)

    def rest(self, seconds: float) -> None:
        self._told.append(f"{seconds} s pass")
        time.sleep(seconds)

    @property
    def trace(self) -> list[str]:
        """Written out at the end, when everybody who is mentioned has a name."""
        return [one if isinstance(one, str) else one[0] + self.told(one[1]) for one in self._told]

    def log(self, group: str) -> list[str]:
        """What `__consumer_offsets` holds about a group."""
        told = history(self.side.host, self.side.port, group)
        return [f"{self.told(key)}: {self.told(value)}" for key, value in told]

    def told(self, value: object) -> str:
        if isinstance(value, Struct):
            shown = [name for name in value.__slots__ if name not in LEFT_OUT and name not in OWN_AFFAIRS]
            fields = [f"{name}={self._field(value, name)}" for name in shown]
            return f"{type(value).__name__}({', '.join(fields)})"
        if isinstance(value, list):
            return f"[{', '.join(self.told(one) for one in value)}]"
        if isinstance(value, str):
            return self._names.get(value) or text(value)
        return repr(value)

    def _field(self, owner: Struct, name: str) -> str:
        value = getattr(owner, name)
        if name in TIMES:
            return "now" if value > 0 else repr(value)
        if name == "topic_id":
            return "(id)" if any(value) else "none"
        if name in FREE_BESIDE_AN_ERROR and getattr(owner, "error_code", 0):
            return "..."
        if isinstance(value, list) and (name in UNORDERED or type(owner).__name__ in UNORDERED):
            return f"[{', '.join(sorted(self.told(one) for one in value))}]"
        return self.told(value)

    def wire(self, actor: str) -> Wire:
        if actor not in self._wires:
            self._wires[actor] = Wire(self.side.host, self.side.port, client_id=f"client-{actor}")
        return self._wires[actor]

    def hang_up(self, actor: str) -> None:
        """An actor's process dies: its connection closes, nothing is said."""
        self._wires.pop(actor).close()

    def close(self) -> None:
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()


def text(value: str) -> str:
    """Long ones cut; an id whose owner has not heard of it yet without its random part."""
    return repr(RANDOM.sub("(new)", value)) if len(value) < 200 else f"{value[:4]!r}... of {len(value)}"
