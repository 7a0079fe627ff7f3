"""Sender of the requests of a consumer group's history. Each kind of action is a method of its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.oracle.classic_requests import LONG_MS, OWN, SHORT_SESSION_MS, TOPIC
from tests.oracle.client_versions import CLIENT_VERSIONS
from tests.oracle.consumer_histories import FIRST, SUBSCRIPTIONS, Action, History
from tests.oracle.consumer_requests import JOINS, LEAVES, LEAVES_TEMPORARILY, NOTHING, Consumers, ConsumerState, Parts

MISSING: Final = "missing-group"


class RequestSender:
    """Sender of the requests of a history to one broker."""

    own_requests: tuple[str, ...] = (
        "proceed",
        "consumer_rejoin",
        "restart",
        "report_owned",
        "change_subscription",
        "leave_temporarily",
        "leave",
    )
    """Kinds of actions after which a client uses the answer, if the request has the client's own identity."""

    def __init__(self, group: Consumers, history: History, topics: Mapping[str, str]) -> None:
        self.group, self.history, self.topics = group, history, topics
        self.gone: set[str] = set()

    def send(self, action: Action) -> None:
        self.action, self.client = action, action.client
        self.group.versions = CLIENT_VERSIONS[action.client_version]
        self.group.session.connection = f"connection {action.client_version}"
        is_itself = (action.which, action.instance) == (OWN, OWN) and action.shift == 0
        self.group.learns = action.kind in self.own_requests and is_itself
        getattr(self, action.kind)()

    @property
    def consumer_state(self) -> ConsumerState:
        return self.group.consumer_state(self.client)

    @property
    def epoch(self) -> int:
        return self.consumer_state.epoch + self.action.shift

    @property
    def who(self) -> dict[str, Any]:
        """Identity fields of the request; FIRST is the newest id if the client has no older one."""
        drawn = self.group.session.member_ids.get(self.client)
        which = OWN if self.action.which == FIRST and not drawn else self.action.which
        return {"member_id": which, "instance": self.action.instance}

    # --- heartbeats ---------------------------------------------------------------------------------------------------

    def proceed(self) -> None:
        match self.consumer_state.next:
            case "consumer_join":
                self.restart()
            case "consumer_rejoin":
                self.consumer_rejoin()
            case "take_over":
                self.group.consumer_leave(self.client, epoch=LEAVES_TEMPORARILY, member_id=self.consumer_state.holder)
            case _ if self.action.number < 2:
                self.group.proceed(self.client)
            case _ if self.action.number == 2:
                self.consumer_commit()
            case _:
                self.consumer_fetch()

    def restart(self) -> None:
        self.group.consumer_join(self.client, **self.joining())

    def consumer_rejoin(self) -> None:
        self.group.consumer_join(
            self.client, again=bool(self.group.session.member_ids.get(self.client)), **self.joining()
        )

    def joining(self) -> dict[str, Any]:
        patience_ms = SHORT_SESSION_MS if self.history.has_short_rebalance_timeouts else LONG_MS
        return {"names": self.subscriptions(self.action.number), "rebalance_timeout_ms": patience_ms}

    def subscriptions(self, number: int) -> list[str]:
        growing, deleted_topic = self.topics["growing"], self.topics["deleted"]
        lists = ([TOPIC], [TOPIC, growing], [TOPIC], [deleted_topic, TOPIC], [growing], [], [TOPIC, "missing-topic"])
        assert len(lists) == SUBSCRIPTIONS
        return lists[number]

    def report_owned(self) -> None:
        self.group.consumer_heartbeat(self.client, self.epoch, owned=self.owned(self.action.number))

    def owned(self, number: int) -> Parts | str | None:
        target = self.consumer_state.target
        match number:
            case 0:
                return None
            case 1:
                return OWN
            case 2:
                return {topic: tuple(parts)[1:] for topic, parts in target.items()}
            case 3:
                return {topic: tuple(parts)[:-1] for topic, parts in target.items() if len(parts) > 1}
            case 4:
                return {TOPIC: (0, 1, 2, 3)}
        return NOTHING

    def change_subscription(self) -> None:
        number, consumer_heartbeat = self.action.number, self.group.consumer_heartbeat
        if number < SUBSCRIPTIONS:
            names = self.subscriptions(number)
            kept = {topic: parts for topic, parts in self.consumer_state.target.items() if topic in names}
            consumer_heartbeat(self.client, names=names, owned=kept if self.action.client_version == 9 else None)
        elif number == SUBSCRIPTIONS:
            consumer_heartbeat(self.client, rack="there")
        elif number == SUBSCRIPTIONS + 1:
            consumer_heartbeat(self.client, rebalance_timeout_ms=LONG_MS - 1)
        else:
            consumer_heartbeat(self.client, owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS, assignor="range")

    def consumer_heartbeat(self) -> None:
        self.group.consumer_heartbeat(self.client, self.epoch, owned=OWN, **self.who)

    def leave_temporarily(self) -> None:
        self.group.consumer_leave(self.client, epoch=LEAVES_TEMPORARILY, **self.who)

    def leave(self) -> None:
        self.group.consumer_leave(self.client, epoch=LEAVES, **self.who)

    def remove_member(self) -> None:
        """Remove a member without a client as an operator would; if there is none, remove one with a client."""
        ids = self.group.session.member_ids
        orphans = [one for drawn in ids.values() for one in drawn[:-1] if one not in self.gone]
        client_states = [drawn[-1] for drawn in ids.values()]
        orphan = next(iter([*orphans, *client_states, "nobody"]))
        self.gone.add(orphan)
        self.remove(orphan)

    def remove(self, member_id: str) -> None:
        self.group.consumer_heartbeat(self.client, LEAVES, member_id, instance=None)

    def mistake(self) -> None:
        fields: tuple[dict[str, Any], ...] = (
            {"epoch": JOINS, "owned": None, "names": [TOPIC], "rebalance_timeout_ms": 7},
            {"epoch": JOINS, "owned": {TOPIC: (0,)}, "names": [TOPIC], "rebalance_timeout_ms": 7},
            {"epoch": JOINS, "owned": NOTHING, "rebalance_timeout_ms": 7},
            {"epoch": JOINS, "owned": NOTHING, "names": [TOPIC]},
            {"epoch": -3},
            {"rack": " "},
            {"instance": ""},
            {"assignor": "sticky"},
            {"member_id": "", "epoch": LEAVES},
            {"epoch": 1, "owned": {"missing-topic": (0,)}},
        )
        self.group.consumer_heartbeat(self.client, **fields[self.action.number])

    # --- offsets ------------------------------------------------------------------------------------------------------

    def consumer_commit(self) -> None:
        own = tuple(self.consumer_state.target.get(TOPIC, ()))
        partitions = (own, own[:1], (*own[-1:], 0), (1,), (0, 1, 2, 3))[self.action.number]
        offset = 100 + len(self.group.session.member_ids)
        self.group.consumer_commit(self.client, *dict.fromkeys(partitions), epoch=self.epoch, offset=offset, **self.who)

    def commit_anonymously(self) -> None:
        topic = self.topics["deleted"] if self.action.number else TOPIC
        self.group.commit_anonymously(self.client, {self.action.number % 2: 7}, topic=topic)

    def consumer_fetch(self) -> None:
        self.group.consumer_fetch(self.client, self.epoch, self.who["member_id"])

    def fetch(self) -> None:
        self.group.fetch(self.client, None if self.action.number else (0, 1, 2, 3))

    def delete_offsets(self) -> None:
        self.group.delete_offsets(
            self.client, topics=([TOPIC], [self.topics["deleted"]], [TOPIC, "no-such-topic"])[self.action.number]
        )

    # --- observers ----------------------------------------------------------------------------------------------------

    def heartbeat(self) -> None:
        self.group.heartbeat(self.client, generation=self.epoch)

    def sync(self) -> None:
        self.group.sync(self.client, generation=self.epoch, wait=False)

    def describe(self) -> None:
        if self.action.number:
            self.group.consumer_describe(self.client, others=[MISSING])
        else:
            self.group.describe(self.client)

    def list(self) -> None:
        types = ([], ["consumer"], ["classic"], [])[self.action.number]
        states = ([], [], [], ["stable", "Assigning"])[self.action.number]
        versions = self.group.versions.list
        self.group.list(self.client, states=states if versions >= 4 else (), types=types if versions >= 5 else ())

    def delete(self) -> None:
        self.group.delete(self.client, others=[MISSING] if self.action.number else [])
