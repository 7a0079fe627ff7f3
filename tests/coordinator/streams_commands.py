"""Heartbeats of streams members as words of a scenario.

    streams g as A topology=0 0:lines>counts 1:~counts!store     a join; without `epoch=` it is one
    streams g as A epoch=2 active=1_0,1_1                         what it owns; roles that are not named are empty

`as A` is the member A, in a process of its own unless `process=` names one. A subtopology is
`id:inputs!changelogs>sinks` with `+` between topics. An input `~t` is a repartition topic, `~t*3` one with 3
partitions; `(a,b)` at the end is a copartition group.
"""

import re

from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.protocol.coordinator_logs.consumer_offsets import (
    StreamsGroupTopologyValue,
    TopologyCopartitionGroup,
    TopologySubtopology,
    TopologyTopicConfig,
    TopologyTopicInfo,
)
from tenure.protocol.types import TopicName

SUBTOPOLOGY = re.compile(r"(\w+):([^!>(]*)(?:!([^>(]*))?(?:>([^(]*))?(?:\((.*)\))?")


def streams_heartbeat(client: str, words: list[str], options: dict[str, str]) -> StreamsHeartbeat:
    joins = options.get("epoch", "0") == "0"
    defaults = {"epoch": "0", "rebalance": "60000", "active": "", "topology": "0", "process": f"p-{client}"}
    said = {**(defaults if joins else {}), **options}
    names = words[1:]
    topology = (
        StreamsGroupTopologyValue(int(said.get("topology", "0")), [subtopology(word) for word in names])
        if names
        else None
    )
    host, _, port = said.get("at", "").partition(":")
    roles = ("active", "standby", "warmup")
    owns = any(role in said for role in roles)
    return StreamsHeartbeat(
        words[0] if words else "",
        said.get("member", client),
        int(said["epoch"]),
        said.get("instance"),
        said.get("rack"),
        int(said.get("rebalance", "-1")),
        topology,
        tuple(None if not owns or said.get(role) == "null" else owned(said.get(role, "")) for role in roles),
        said.get("process"),
        (host, int(port)) if host else None,
        dict(tag.split(":") for tag in said["tags"].split(",")) if "tags" in said else None,
        task_offsets(said.get("offsets")),
        task_offsets(said.get("ends")),
        "shutdown" in said,
        int(said.get("endpoints", "0")),
        "app",
        "/10.0.0.1",
        knows_missing_tags=said.get("v", "1") != "0",
    )


def owned(text: str) -> list[tuple[str, list[int]]]:
    """Return the partitions of each subtopology from a text such as `0_1,0_2,1_`; the 1 here has none."""
    found: dict[str, list[int]] = {}
    for item in filter(None, text.split(",")):
        name, _, number = item.rpartition("_")
        found.setdefault(name, []).extend([int(number)] if number else [])
    return list(found.items())


def task(text: str) -> tuple[str, int]:
    """Return a task from a text such as `0_1`."""
    name, _, number = text.rpartition("_")
    return name, int(number)


def task_offsets(text: str | None) -> dict[tuple[str, int], int] | None:
    """Return offsets by task from a text such as `0_1:7,0_2:9`."""
    if text is None:
        return None
    pairs = [item.partition(":") for item in text.split(",") if item]
    return {task(name): int(offset) for name, _, offset in pairs}


def subtopology(word: str) -> TopologySubtopology:
    found = SUBTOPOLOGY.fullmatch(word)
    assert found is not None, word
    name, inputs, changelogs, sinks, joined = found.groups()
    each = [item for item in inputs.split("+") if item]
    sources = [TopicName(item) for item in each if item[0] not in "~^"]
    repartition = [internal(item[1:]) for item in each if item[0] == "~"]
    return TopologySubtopology(
        name,
        sources,
        [item[1:] for item in each if item[0] == "^"],
        [internal(item) for item in (changelogs or "").split("+") if item],
        [TopicName(item) for item in (sinks or "").split("+") if item],
        repartition,
        [copartition_group(joined.split(","), sources, [topic.name for topic in repartition])] if joined else [],
    )


def internal(text: str) -> TopologyTopicInfo:
    """Return an internal topic: `t*3` has 3 partitions; changelogs are compacted."""
    name, _, partitions = text.partition("*")
    return TopologyTopicInfo(
        TopicName(name), int(partitions or 0), 0, [TopologyTopicConfig("cleanup.policy", "compact")]
    )


def copartition_group(names: list[str], sources: list[str], repartition: list[str]) -> TopologyCopartitionGroup:
    return TopologyCopartitionGroup(
        [sources.index(name) for name in names if name in sources],
        [],
        [repartition.index(name) for name in names if name in repartition],
    )
