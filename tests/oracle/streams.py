"""Actions of members of a streams group (KIP-1071), in one line each, besides those of other members.

Each member draws its own id, so that both sides get the same, and is a process of its own unless a scenario says
otherwise. A topology is a sequence of subtopologies; their internal topics begin with the name of the group.
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
from tests.oracle.actors import LONG_MS, OWN, TOPIC
from tests.oracle.consumers import JOINS, Consumers

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
    """`joined`: copartition groups, as positions of sources and of repartition sources."""
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


def task_ids(tasks: Tasks | None) -> list[StreamsHeartbeatTaskIds] | None:
    return None if tasks is None else [StreamsHeartbeatTaskIds(name, list(found)) for name, found in tasks.items()]


class Streams(Consumers):
    """A group on one side that streams members may belong to."""

    def told_tasks(self, actor: str) -> dict[str, Tasks]:
        """Return the tasks that the actor was told last, by role."""
        return self.__dict__.setdefault("_tasks", {}).setdefault(actor, dict.fromkeys(ROLES, NONE))

    def stream(
        self,
        actor: str,
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
        rack: str | None = None,
        instance: str | None = OWN,
        rebalance_timeout_ms: int = -1,
        shutdown: bool = False,
        version: int = 1,
    ) -> Any:
        """StreamsGroupHeartbeat. Without an epoch: the one that the actor heard last."""
        seat = self.seat(actor)
        request = StreamsGroupHeartbeatRequest(
            self.id,
            self.member_id(actor, member_id),
            seat.epoch if epoch is None else epoch,
            endpoints,
            self.instance(actor, instance),
            rack,
            rebalance_timeout_ms,
            topology,
            task_ids(active),
            task_ids(standby),
            task_ids(warmup),
            process,
            None if endpoint is None else StreamsHeartbeatEndpoint(*endpoint),
            None if tags is None else [StreamsHeartbeatKeyValue(key, value) for key, value in tags.items()],
            None if offsets is None else [StreamsHeartbeatTaskOffset(*task, at) for task, at in offsets.items()],
            shutdown_application=shutdown,
        )
        return self.ask(actor, request, version, wait=True)

    def come_streaming(
        self, actor: str, *subtopologies: StreamsHeartbeatSubtopology, epoch: int = 0, again: bool = False, **how: Any
    ) -> Any:
        """Joins as a newcomer, with an id of its own; `again`: with the id that it has. `epoch`: the topology's."""
        if not again:
            self.draw_id(actor)
        fields = {
            "topology": StreamsHeartbeatTopology(epoch, list(subtopologies or (subtopology(),))),
            "active": NONE,
            "standby": NONE,
            "warmup": NONE,
            "process": f"process-{actor}",
            "rebalance_timeout_ms": LONG_MS,
        }
        return self.stream(actor, JOINS, **(fields | how))

    def own(self, actor: str, **how: Any) -> Any:
        """A heartbeat with all tasks that the actor was told."""
        told = self.told_tasks(actor)
        return self.stream(actor, **({role: told[role] for role in ROLES} | how))

    def settle_streams(self, *actors: str, **how: Any) -> None:
        """They come one after another, and go on until all of them have what they should have."""
        for at, newcomer in enumerate(actors):
            self.come_streaming(newcomer, **how)
            for actor in (*actors[: at + 1], *actors[: at + 1], newcomer):
                self.own(actor)

    def make_internal_topics(self, actor: str, *names: str) -> None:
        """Wait until the broker has created them, and both its parts know of them: nothing of this is written down."""
        for name in names:
            self.session.side.wait_for_topic(name)
        self.session.ask_until(lambda: self.own(actor), self._is_ready)

    @staticmethod
    def _is_ready(answer: StreamsGroupHeartbeatResponse) -> bool:
        return all(status.status_code != MISSING_INTERNAL_TOPICS for status in answer.status)

    def make_source(self, name: str, partitions: int) -> None:
        """Create a topic before any member looks at it."""
        wanted = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
        self.session.ask("admin", CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7)
        self.session.side.wait_for_topic(name)

    def hear(self, actor: str) -> Any:
        answer = super().hear(actor)
        if isinstance(answer, StreamsGroupHeartbeatResponse) and not answer.error_code:
            self.seat(actor).epoch = max(answer.member_epoch, 0)
            if answer.active_tasks is not None:
                lists = (answer.active_tasks, answer.standby_tasks or [], answer.warmup_tasks or [])
                told = self.told_tasks(actor)
                for role, ids in zip(ROLES, lists, strict=True):
                    told[role] = {each.subtopology_id: tuple(each.partitions) for each in ids}
        return answer

    def look_at_streams(self, *, version: int = 1, others: Sequence[str] = (), described: bool = False) -> Any:
        """StreamsGroupDescribe."""
        request = StreamsGroupDescribeRequest([self.id, *others], include_topology_description=described)
        return self.session.ask("admin", request, version)

    def describe_topology(
        self,
        actor: str,
        member_id: str | int = OWN,
        *,
        group: str | None = None,
        epoch: int = 0,
        description: TopologyDescription = DESCRIPTION,
    ) -> Any:
        """StreamsGroupTopologyDescriptionUpdate."""
        group_id = self.id if group is None else group
        member = self.member_id(actor, member_id)
        request = StreamsGroupTopologyDescriptionUpdateRequest(group_id, member, epoch, description)
        return self.ask(actor, request, 0, wait=True)
