"""Requests of members of a streams group (KIP-1071), each as a method of one call, and those of other members.

Each member chooses its own id, so that both brokers get the same one, and is a process of its own unless a scenario
says otherwise. A topology is a sequence of subtopologies; the names of their internal topics begin with the group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    StreamsGroupDescribeRequest,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    StreamsGroupTopologyDescriptionUpdateRequest,
    StreamsHeartbeatCopartitionGroup,
    StreamsHeartbeatEndpoint,
    StreamsHeartbeatKeyValue,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTaskOffset,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopology,
    TopologyDescription,
    TopologyDescriptionGlobalStore,
    TopologyDescriptionNode,
    TopologyDescriptionSubtopology,
)
from tests.oracle.classic_requests import LONG_MS, OWN, TOPIC
from tests.oracle.consumer_requests import JOINS, Consumers

Tasks = Mapping[str, Sequence[int]]
"""Partitions by subtopology."""

NONE: Tasks = {}
EVERY: Tasks = {"0": (0, 1, 2, 3)}
ROLES = ("active", "standby", "warmup")
MISSING_INTERNAL_TOPICS = 3
SOURCE, PROCESSOR = 1, 2
"""Types of the nodes of a topology."""
READS = TopologyDescriptionNode("reads", SOURCE, [TOPIC], successors=["counts"])
COUNTS = TopologyDescriptionNode("counts", PROCESSOR, stores=["store"])
DESCRIPTION = TopologyDescription(
    [TopologyDescriptionSubtopology("0", [READS, COUNTS])], [TopologyDescriptionGlobalStore(READS, COUNTS)]
)


def subtopology(
    name: str = "0",
    sources: Sequence[str] = (TOPIC,),
    *,
    changelogs: Sequence[str] = (),
    sinks: Sequence[str] = (),
    repartition: Mapping[str, int] | None = None,
    joined: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
    regexes: Sequence[str] = (),
) -> StreamsHeartbeatSubtopology:
    """Return a subtopology. `joined` has copartition groups, as positions of sources and of repartition sources."""
    return StreamsHeartbeatSubtopology(
        name,
        list(sources),
        list(regexes),
        [topic_info(topic) for topic in changelogs],
        list(sinks),
        [topic_info(topic, partitions) for topic, partitions in (repartition or {}).items()],
        [StreamsHeartbeatCopartitionGroup(list(of), [], list(repartitioned)) for of, repartitioned in joined],
    )


def topic_info(name: str, partitions: int = 0) -> StreamsHeartbeatTopicInfo:
    return StreamsHeartbeatTopicInfo(name, partitions, 0, [StreamsHeartbeatKeyValue("cleanup.policy", "compact")])


def without_first(tasks: Tasks) -> Tasks:
    """Return the tasks without the first partition of each subtopology."""
    return {name: tuple(found)[1:] for name, found in tasks.items() if len(found) > 1}


def task_ids(tasks: Tasks | None) -> list[StreamsHeartbeatTaskIds] | None:
    return None if tasks is None else [StreamsHeartbeatTaskIds(name, list(found)) for name, found in tasks.items()]


def task_offsets(offsets: Mapping[tuple[str, int], int] | None) -> list[StreamsHeartbeatTaskOffset] | None:
    return None if offsets is None else [StreamsHeartbeatTaskOffset(*task, at) for task, at in offsets.items()]


class _StreamsState:
    """State of a client of a streams group, beside that of every member."""

    def __init__(self) -> None:
        self.target: dict[str, Tasks] = dict.fromkeys(ROLES, NONE)
        self.reported: dict[str, Tasks] = dict.fromkeys(ROLES, NONE)
        self.endpoint_epoch = 0


class Streams(Consumers):
    """Group on one broker with members of all protocols."""

    def target_tasks(self, client: str) -> dict[str, Tasks]:
        """Return the tasks of a client by role, from the last answer that had tasks."""
        return self._state(client).target

    def reported_tasks(self, client: str) -> dict[str, Tasks]:
        """Return the tasks that a client last reported as its own."""
        return self._state(client).reported

    def endpoint_epoch(self, client: str) -> int:
        return self._state(client).endpoint_epoch

    def _state(self, client: str) -> _StreamsState:
        return self.__dict__.setdefault("_streams_states", {}).setdefault(client, _StreamsState())

    def streams_heartbeat(
        self,
        client: str,
        epoch: int | None = None,
        member_id: str | int = OWN,
        *,
        topology: StreamsHeartbeatTopology | None = None,
        active: Tasks | None = None,
        standby: Tasks | None = None,
        warmup: Tasks | None = None,
        process: str | None = None,
        endpoint: tuple[str, int] | None = None,
        endpoints: int = 0,
        tags: Mapping[str, str] | None = None,
        offsets: Mapping[tuple[str, int], int] | None = None,
        end_offsets: Mapping[tuple[str, int], int] | None = None,
        rack: str | None = None,
        instance: str | None = OWN,
        rebalance_timeout_ms: int = -1,
        shutdown: bool = False,
        version: int | None = None,
    ) -> Any:
        """Send StreamsGroupHeartbeat; the default epoch is that of the last answer."""
        consumer_state = self.consumer_state(client)
        request = StreamsGroupHeartbeatRequest(
            self.id,
            self.member_id(client, member_id),
            consumer_state.epoch if epoch is None else epoch,
            endpoints,
            self.instance(client, instance),
            rack,
            rebalance_timeout_ms,
            topology,
            task_ids(active),
            task_ids(standby),
            task_ids(warmup),
            process,
            None if endpoint is None else StreamsHeartbeatEndpoint(*endpoint),
            None if tags is None else [StreamsHeartbeatKeyValue(key, value) for key, value in tags.items()],
            task_offsets(offsets),
            task_offsets(end_offsets),
            shutdown_application=shutdown,
        )
        if active is not None and standby is not None and warmup is not None:
            self._state(client).reported = {"active": active, "standby": standby, "warmup": warmup}
        return self.ask(client, request, version, wait=self.session.listening)

    def streams_join(
        self, client: str, *subtopologies: StreamsHeartbeatSubtopology, epoch: int = 0, again: bool = False, **how: Any
    ) -> Any:
        """Join as a new member with a new id, or with `again` under the present id. `epoch` is that of the topology."""
        if not again:
            self.draw_id(client)
        fields = {
            "topology": StreamsHeartbeatTopology(epoch, list(subtopologies or (subtopology(),))),
            "active": NONE,
            "standby": NONE,
            "warmup": NONE,
            "process": f"process-{client}",
            "rebalance_timeout_ms": LONG_MS,
        }
        return self.streams_heartbeat(client, JOINS, **(fields | how))

    def own(self, client: str, **how: Any) -> Any:
        """Send a heartbeat that reports all tasks of the last answer."""
        tasks = self.target_tasks(client)
        return self.streams_heartbeat(client, **({role: tasks[role] for role in ROLES} | how))

    def stabilize_streams(self, *clients: str, **how: Any) -> None:
        """Let the clients join one after another, and send heartbeats until each has its assignment."""
        for at, newcomer in enumerate(clients):
            self.streams_join(newcomer, **how)
            for client in (*clients[: at + 1], *clients[: at + 1], newcomer):
                self.own(client)

    def make_internal_topics(self, client: str, *names: str) -> None:
        """Wait until the broker has created the internal topics and both coordinators know them; record nothing."""
        for name in names:
            self.session.side.wait_for_topic(name)
        self.session.ask_until(lambda: self.own(client), self._is_ready)

    @staticmethod
    def _is_ready(answer: StreamsGroupHeartbeatResponse) -> bool:
        return all(status.status_code != MISSING_INTERNAL_TOPICS for status in answer.status)

    def make_source(self, name: str, partitions: int) -> None:
        """Create a topic before a member subscribes to it."""
        wanted = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
        self.session.ask("admin", CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7)
        self.session.side.wait_for_topic(name)

    def learn(self, client: str, answer: Any) -> None:
        if not isinstance(answer, StreamsGroupHeartbeatResponse):
            super().learn(client, answer)
            return
        self.learn_state(client, answer)
        if answer.error_code:
            return
        self._state(client).endpoint_epoch = answer.endpoint_information_epoch
        if answer.active_tasks is not None:
            lists = (answer.active_tasks, answer.standby_tasks or [], answer.warmup_tasks or [])
            tasks = self.target_tasks(client)
            for role, ids in zip(ROLES, lists, strict=True):
                tasks[role] = {each.subtopology_id: tuple(each.partitions) for each in ids}

    def streams_describe(
        self, *, version: int | None = None, others: Sequence[str] = (), described: bool = False
    ) -> Any:
        """Send StreamsGroupDescribe."""
        request = StreamsGroupDescribeRequest([self.id, *others], include_topology_description=described)
        return self.session.ask("admin", request, version)

    def describe_topology(
        self,
        client: str,
        member_id: str | int = OWN,
        *,
        group: str | None = None,
        epoch: int = 0,
        description: TopologyDescription = DESCRIPTION,
    ) -> Any:
        """Send StreamsGroupTopologyDescriptionUpdate."""
        group_id = self.id if group is None else group
        member = self.member_id(client, member_id)
        request = StreamsGroupTopologyDescriptionUpdateRequest(group_id, member, epoch, description)
        return self.ask(client, request, 0, wait=True)
