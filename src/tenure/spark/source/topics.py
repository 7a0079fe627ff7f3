"""Current topics and partitions of a read."""

import re

from tenure.client.configuration import ConfigurationError
from tenure.client.consumer.topic_pattern_watcher import TopicWatch
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.values import TopicPartition
from tenure.spark.source.options import SourceOptions


def cluster_of(options: SourceOptions) -> Cluster:
    return shared_cluster(options.cluster, options.member["client_id"])


def topics(options: SourceOptions) -> tuple[str, ...]:
    """Return the subscribed topics, or those that match the pattern."""
    if options.subscribe_pattern is None:
        return tuple(sorted(set(options.subscribe or ())))
    watch = TopicWatch(cluster_of(options), re.compile(options.subscribe_pattern), options.metadata_max_age_ms)
    return run(watch.topics())


def partitions(options: SourceOptions) -> list[TopicPartition]:
    """Return all partitions of the subscribed topics, or the assigned partitions.

    Raises `UnknownTopic` or `ConfigurationError`.
    """
    names = {partition.topic for partition in options.assign} if options.assign else topics(options)
    if not names:
        return []
    described = run(cluster_of(options).describe_topics(names))
    exist = [TopicPartition(topic.topic, at.partition) for topic in described for at in topic.partitions]
    if options.assign is None:
        return sorted(exist)
    for partition in options.assign:
        if partition not in exist:
            raise ConfigurationError(f"There is no partition {partition}: correct the option 'assign'.")
    return sorted(options.assign)
