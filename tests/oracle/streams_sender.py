"""Sender of the requests of a streams group's history. Each kind of action is a method of its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tenure.protocol.apis import ApiKey
from tenure.protocol.messages import StreamsHeartbeatSubtopology, StreamsHeartbeatTopology
from tests.kafka_versions import newest_version
from tests.oracle.classic_requests import LONG_MS, OWN, SHORT_SESSION_MS, TOPIC
from tests.oracle.consumer_histories import CLIENTS
from tests.oracle.consumer_requests import JOINS, LEAVES, LEAVES_TEMPORARILY
from tests.oracle.consumer_sender import MISSING, RequestSender
from tests.oracle.java_order import PLACES, ordered_name
from tests.oracle.streams_actions import TOPOLOGIES, StreamsHistory
from tests.oracle.streams_requests import EVERY, NONE, Streams, Tasks, subtopology, without_first

ALWAYS_READY: Final = (0, 1, 2)
"""Topologies whose topics are always there. In other groups an endpoint makes Apache Kafka answer UNKNOWN_SERVER_ERROR
(docs/differences.md)."""
IDS_PER_CLIENT: Final = PLACES // len(CLIENTS)
NOTHING: Final[Mapping[str, Tasks]] = {"active": NONE, "standby": NONE, "warmup": NONE}


class OrderedStreams(Streams):
    """Group whose members choose ids of `java_order`. Ids are in the order of the clients, as are their processes."""

    def has_new_id(self, client: str) -> bool:
        return len(self.session.member_ids[client]) < IDS_PER_CLIENT

    def draw_id(self, client: str) -> str:
        ids = self.session.member_ids.setdefault(client, [])
        place = CLIENTS.index(client) * IDS_PER_CLIENT + len(ids)
        ids.append(ordered_name(place, f"{client}{len(ids) + 1}"))
        return ids[-1]


class StreamsSender(RequestSender):
    """Sender of the requests of a history of a streams group to one broker."""

    group: OrderedStreams
    history: StreamsHistory
    own_requests = (
        "proceed",
        "rejoin",
        "restart",
        "report_owned",
        "describe_itself",
        "leave_temporarily",
        "leave",
    )

    @property
    def version(self) -> int:
        return newest_version(ApiKey.STREAMS_GROUP_HEARTBEAT) if self.action.client_version >= 10 else 0

    @property
    def process(self) -> str:
        """Return the id of the client's process.

        Java's hash tables keep these ids in the order of the clients (`java_order`).
        """
        return self.process_of(CLIENTS.index(self.client))

    @property
    def next_process(self) -> str:
        """Return the process of the next client, which keeps processes in the order of the clients."""
        return self.process_of(min(CLIENTS.index(self.client) + 1, len(CLIENTS) - 1))

    def process_of(self, number: int) -> str:
        return f"process-j-{self.history.processes[number]}"

    def beat(self, epoch: int | None = None, **fields: Any) -> None:
        known = self.group.endpoint_epoch(self.client)
        self.group.streams_heartbeat(self.client, epoch, **({"version": self.version, "endpoints": known} | fields))

    # --- joining ------------------------------------------------------------------------------------------------------

    def topology(self, number: int) -> list[StreamsHeartbeatSubtopology]:
        """Return one of the topologies. All internal topics exist; some sources are missing, or become so."""
        growing, deleted, store, by_key = (self.topics[name] for name in ("growing", "deleted", "store", "by_key"))
        topologies = (
            [subtopology()],
            [subtopology(changelogs=[store]), subtopology("1", [growing])],
            [subtopology(sinks=[by_key]), subtopology("1", [], repartition={by_key: 0}, changelogs=[store])],
            [subtopology(changelogs=[store]), subtopology("1", [deleted])],
            [subtopology("0", [growing], changelogs=[self.topics["small_store"]]), subtopology("1", [TOPIC])],
            [subtopology("0", [TOPIC, growing], joined=[((0, 1), ())])],
            [subtopology("0", ["missing-topic"])],
        )
        assert len(topologies) == TOPOLOGIES
        return topologies[number]

    def joining(self, topology: int | None = None) -> dict[str, Any]:
        subtopologies = self.topology(self.history.topology if topology is None else topology)
        return {
            **NOTHING,
            "topology": StreamsHeartbeatTopology(1, subtopologies),
            "process": self.process,
            "rebalance_timeout_ms": SHORT_SESSION_MS if self.history.has_short_rebalance_timeouts else LONG_MS,
        }

    def restart(self) -> None:
        """Join under a new id, or under the present one if all ids are used up."""
        if self.group.has_new_id(self.client):
            self.group.draw_id(self.client)
        self.rejoin()

    def rejoin(self) -> None:
        self.beat(JOINS, **self.joining())

    def join_oddly(self) -> None:
        """Join with another topology, or one of another epoch, under the present id."""
        subtopologies = self.topology(self.history.topology)
        topologies = (
            StreamsHeartbeatTopology(0, subtopologies),
            StreamsHeartbeatTopology(2, subtopologies),
            StreamsHeartbeatTopology(1, [subtopology("other")]),
            StreamsHeartbeatTopology(1, subtopologies[::-1]),
        )
        self.beat(JOINS, **(self.joining() | {"topology": topologies[self.action.number]}))

    # --- heartbeats ---------------------------------------------------------------------------------------------------

    def proceed(self) -> None:
        match self.consumer_state.next:
            case "consumer_join":
                self.restart()
            case "consumer_rejoin":
                self.rejoin()
            case "take_over":
                self.beat(LEAVES_TEMPORARILY, member_id=self.consumer_state.holder)
            case _ if self.action.number < 2:
                is_known = self.group.reported_tasks(self.client) == self.group.target_tasks(self.client)
                self.beat(**({} if is_known else self.group.target_tasks(self.client)))
            case _ if self.action.number == 2:
                self.commit_tasks()
            case _:
                self.consumer_fetch()

    def report_owned(self) -> None:
        self.beat(self.epoch, **self.owned_tasks(self.action.number))

    def owned_tasks(self, number: int) -> Mapping[str, Tasks]:
        target = self.group.target_tasks(self.client)
        match number:
            case 0:
                return {}
            case 1:
                return target
            case 2:
                return {role: without_first(tasks) for role, tasks in target.items()}
            case 3:
                return NOTHING
            case 4:
                return dict(NOTHING) | {"active": EVERY}
            case 5:
                return dict(NOTHING) | {"active": target["active"], "warmup": target["standby"]}
        return dict(NOTHING) | {"standby": target["active"]}

    def report_as(self) -> None:
        self.beat(self.epoch, **self.group.target_tasks(self.client), **self.who)

    def describe_itself(self) -> None:
        number = CLIENTS.index(self.client)
        has_topics = self.history.topology in ALWAYS_READY
        fields: tuple[dict[str, Any], ...] = (
            {"rack": "here"},
            {"rack": "there"},
            {"rebalance_timeout_ms": LONG_MS - 1},
            {"process": self.next_process},
            {"process": self.process},
            {"endpoint": (f"host-{self.client}", 1) if has_topics else None},
            {"endpoint": (f"host-{self.client}", 2) if has_topics else None},
            {"endpoints": 0},
            {"tags": {"zone": "a"}},
            {"tags": {"zone": "b", "cluster": "c"}},
            {"offsets": {("0", 0): 9 + number, ("0", 1): 5 + number, ("1", 2): 7 + number}},
            {"offsets": {("0", 2): 900 + number}, **self.group.target_tasks(self.client)},
        )
        self.beat(**fields[self.action.number])

    def shut_down(self) -> None:
        self.beat(shutdown=True)

    def leave_temporarily(self) -> None:
        self.beat(LEAVES_TEMPORARILY, **self.who)

    def leave(self) -> None:
        self.beat(LEAVES, **self.who)

    def remove(self, member_id: str) -> None:
        self.beat(LEAVES, member_id=member_id, instance=None)

    def mistake(self) -> None:
        join = self.joining()
        fields: tuple[dict[str, Any], ...] = (
            {"epoch": JOINS, **join, "active": None},
            {"epoch": JOINS, **join, "standby": EVERY},
            {"epoch": JOINS, **join, "topology": None},
            {"epoch": JOINS, **join, "rebalance_timeout_ms": -1},
            {"epoch": -3},
            {"rack": " "},
            {"instance": ""},
            {"member_id": "", "epoch": LEAVES},
            {"active": NONE},
            {"active": {"7": [0]}, "standby": NONE, "warmup": NONE},
            {"active": {"0": [4]}, "standby": NONE, "warmup": NONE},
            {"topology": join["topology"]},
        )
        self.beat(**fields[self.action.number])

    # --- offsets ------------------------------------------------------------------------------------------------------

    def commit_tasks(self) -> None:
        own = tuple(self.group.target_tasks(self.client)["active"].get("0", ()))
        copies = tuple(self.group.target_tasks(self.client)["standby"].get("0", ()))
        partitions = (own, own[:1], (*own[-1:], 0), copies, (0, 1, 2, 3), (0,))[self.action.number]
        topic = self.topics["by_key"] if self.action.number == 5 else TOPIC
        offset = 100 + len(self.group.session.member_ids)
        self.group.consumer_commit(
            self.client, *dict.fromkeys(partitions), epoch=self.epoch, offset=offset, topic=topic, **self.who
        )

    # --- observers ----------------------------------------------------------------------------------------------------

    def consumer_heartbeat(self) -> None:
        self.group.consumer_heartbeat(self.client, self.epoch, owned=OWN)

    def describe(self) -> None:
        match self.action.number:
            case 0:
                self.group.describe(self.client)
            case 1:
                self.group.consumer_describe(self.client, others=[MISSING])
            case _:
                self.group.streams_describe(version=self.version, others=[MISSING])

    def list(self) -> None:
        types = ([], ["streams"], ["classic"], [])[self.action.number]
        states = ([], [], [], ["stable", "Reconciling"])[self.action.number]
        versions = self.group.versions.list
        self.group.list(self.client, states=states if versions >= 4 else (), types=types if versions >= 5 else ())
