"""Plan of the topics of a move: the topics to create with their configurations, and reasons to refuse the move."""

import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.admin.topics import BROKER_DEFAULT, create_topics
from tenure.client.net.cluster import Cluster
from tenure.client.queries.config_queries import topic_configs
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicDescription, TopicPartition
from tenure.move.errors import MoveStopped
from tenure.move.options import ALL, MoveOptions, is_pattern, matches
from tenure.plural import format_count
from tenure.protocol.messages import DescribeConfigsResourceResult
from tenure.protocol.special_values import EARLIEST, LATEST, READ_COMMITTED
from tenure.protocol.types import TopicId, topic_id_text

INTERNAL_PREFIX: Final = "__"
"""Prefix of topics that belong to brokers: `__consumer_offsets`, `__tenure_journal`."""
OF_THE_TOPIC: Final = 1
"""Kafka's `ConfigSource` of a value that is set for the topic itself."""
TIMESTAMP_TYPE: Final = "message.timestamp.type"
MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
NOT_COPIED: Final = {
    "leader.replication.throttled.replicas": "it names brokers of the source",
    "follower.replication.throttled.replicas": "it names brokers of the source",
    "message.format.version": "brokers since Apache Kafka 4.0 do not have it",
}
"""Configurations that are not copied, each with the reason."""


class TopicToMove(NamedTuple):
    """Topic to move, with its size and the configurations to copy."""

    topic: str
    partitions: int
    offsets: int
    """Number of offsets of all partitions at the source, from the first one that is copied."""
    configs: Mapping[str, str]
    left_out: Mapping[str, str]
    """Configurations that are not copied, each with the reason."""
    exists: bool
    is_compacted: bool


async def plan_topics(source: Cluster, target: Cluster, options: MoveOptions) -> list[TopicToMove]:
    """Plan all topics.

    Raises `MoveStopped` if no topic matches, or a topic has another number of partitions at the target.
    """
    selected = await _select_topics(source, options)
    configs = await topic_configs(source, [topic.topic for topic in selected])
    counts = await target.partition_counts([topic.topic for topic in selected])
    target_brokers = len(await target.brokers())
    offsets = await _offsets_of(source, selected, options.last_ms)
    for topic in selected:
        target_partitions = counts[topic.topic]
        if target_partitions and target_partitions != len(topic.partitions):
            raise MoveStopped(
                f"Topic '{topic.topic}' has {format_count(len(topic.partitions), 'partition')} at the source and "
                f"{target_partitions} at the target: keys would be in other partitions. Delete the topic at the "
                "target, or leave it out with --exclude."
            )
    return [
        TopicToMove(
            topic.topic,
            len(topic.partitions),
            offsets[topic.topic],
            *_divide_configs(configs[topic.topic], options, target_brokers),
            exists=counts[topic.topic] > 0,
            is_compacted=any(
                "compact" in (at.value or "") for at in configs[topic.topic] if at.name == "cleanup.policy"
            ),
        )
        for topic in selected
    ]


async def _select_topics(source: Cluster, options: MoveOptions) -> list[TopicDescription]:
    described = await source.describe_topics(None)
    internal = {topic.topic for topic in described if topic.is_internal or topic.topic.startswith(INTERNAL_PREFIX)}
    existing = {topic.topic for topic in described}
    for name in options.topics:
        if name in internal:
            raise MoveStopped(
                f"Topic '{name}' is internal and cannot be moved; offsets of groups are moved with --groups."
            )
        if not is_pattern(name) and name not in existing:
            raise MoveStopped(f"Unknown topic '{name}' at the source; see `tenure topics list`.")
    selected = [
        topic
        for topic in described
        if topic.topic not in internal
        and matches(topic.topic, options.topics)
        and not matches(topic.topic, options.exclude)
    ]
    if not selected and tuple(options.topics) != ALL:
        raise MoveStopped(f"No topic of the source matches {', '.join(options.topics)}; see `tenure topics list`.")
    if not selected:
        raise MoveStopped("The source has no topics to move: check its address, and --exclude.")
    return selected


async def _offsets_of(source: Cluster, topics: Sequence[TopicDescription], last_ms: int | None) -> dict[str, int]:
    partitions = [TopicPartition(topic.topic, at.partition) for topic in topics for at in topic.partitions]
    starts = await first_offsets(source, partitions, last_ms)
    ends = await _stable_ends(source, partitions)
    offsets = {topic.topic: 0 for topic in topics}
    for at in partitions:
        offsets[at.topic] += ends[at] - starts[at]
    return offsets


async def first_offsets(
    source: Cluster, partitions: Sequence[TopicPartition], last_ms: int | None
) -> dict[TopicPartition, int]:
    """Return the first offset to copy of each partition.

    By default, this is the start of the partition. With `last_ms`, it is the first record that is at most `last_ms`
    old. If all records are older, it is the last stable offset.
    """
    wanted = EARLIEST if last_ms is None else max(0, int(time.time() * 1000) - last_ms)
    starts = await list_offsets(source, dict.fromkeys(partitions, wanted))
    ends = await _stable_ends(source, partitions)
    return {at: starts[at].offset if starts[at].offset >= 0 else ends[at] for at in partitions}


async def _stable_ends(source: Cluster, partitions: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
    ends = await list_offsets(source, dict.fromkeys(partitions, LATEST), isolation_level=READ_COMMITTED)
    return {at: end.offset for at, end in ends.items()}


def _divide_configs(
    described: Sequence[DescribeConfigsResourceResult], options: MoveOptions, target_brokers: int
) -> tuple[dict[str, str], dict[str, str]]:
    """Return two dicts: the configurations of a topic that are copied, and the reasons why others are left out.

    `target_brokers` is the number of brokers of the target, which limits `min.insync.replicas`.
    """
    copied: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for config in described:
        if config.config_source != OF_THE_TOPIC or config.value is None:
            continue
        if config.name in options.without_configs:
            left_out[config.name] = "--without-config"
        elif config.name in NOT_COPIED:
            left_out[config.name] = NOT_COPIED[config.name]
        elif config.name == TIMESTAMP_TYPE and config.value == "LogAppendTime":
            left_out[config.name] = "copies keep the timestamps of the source; set it when the groups have moved"
        elif config.name == MIN_INSYNC_REPLICAS and int(config.value) > target_brokers:
            left_out[config.name] = f"it requires {config.value} replicas; brokers of the target: {target_brokers}"
        else:
            copied[config.name] = config.value
    return copied, left_out


async def create_missing(target: Cluster, plans: Sequence[TopicToMove], options: MoveOptions) -> None:
    """Create the topics that the target does not have."""
    for plan in (plan for plan in plans if not plan.exists):
        await create_topics(
            target,
            [plan.topic],
            partitions=plan.partitions,
            replication_factor=options.replication_factor or BROKER_DEFAULT,
            configs=plan.configs,
        )


async def topic_ids(source: Cluster, target: Cluster, topics: Sequence[str]) -> dict[str, str]:
    """Return, by topic, its ids at source and target, joined by "/"."""
    of_source = {topic.topic: topic.topic_id for topic in await source.describe_topics(topics)}
    of_target = {topic.topic: topic.topic_id for topic in await target.describe_topics(topics)}
    return {
        topic: f"{topic_id_text(TopicId(of_source[topic]))}/{topic_id_text(TopicId(of_target[topic]))}"
        for topic in topics
    }
