"""Descriptions of the groups, topics, configs, producers, transactions, users and ACLs of a broker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tenure.protocol.message import Struct
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    DescribeAclsRequest,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeGroupsRequest,
    DescribeProducersRequest,
    DescribeProducersTopic,
    DescribeTransactionsRequest,
    DescribeUserScramCredentialsRequest,
    ListGroupsRequest,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    ListTransactionsRequest,
    MetadataRequest,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    StreamsGroupDescribeRequest,
)
from tests.oracle.conftest import wait_for_coordinator, wait_until_answered
from tests.oracle.differences import SETS, UNORDERED
from tests.wire import Wire

TOPIC_RESOURCE: Final = 2
GROUP_RESOURCE: Final = 32
SET_FOR_RESOURCE: Final = (1, 8)
"""Sources of configs that were set for a topic, and for a group."""
ANY: Final = 1
"""In a filter of ACLs: each resource type, pattern type, operation and permission."""
EARLIEST: Final = -2
LATEST: Final = -1


def described(host: str, port: int) -> list[str]:
    """Return a line for each group, topic, transactional id, user and ACL, in order."""
    wait_for_coordinator(host, port)
    with Wire(host, port) as wire:
        wait_until_answered("transactions", lambda: wire.ask(ListTransactionsRequest(), 1).error_code)
        wait_until_answered("leaders", lambda: len(without_leader(wire)))
        return sorted([*groups(wire), *topics(wire), *transactions(wire), *users(wire), *acls(wire)])


def without_leader(wire: Wire) -> list[Any]:
    found = wire.ask(MetadataRequest(topics=None), 12).topics
    return [partition for topic in found for partition in topic.partitions if partition.error_code]


def groups(wire: Wire) -> Iterator[str]:
    asked = [
        OffsetFetchRequestTopics(name=topic.name, partition_indexes=list(range(len(topic.partitions))))
        for topic in wire.ask(MetadataRequest(topics=None), 12).topics
    ]
    for listed in wire.ask(ListGroupsRequest(), 5).groups:
        name = listed.group_id
        offsets = [*offsets_of(wire, name, None), *offsets_of(wire, name, asked, require_stable=True)]
        if not listed.protocol_type and not offsets:  # SIMPLE_GROUPS_WITHOUT_OFFSETS
            continue
        yield f"listed {listed}"
        if listed.group_type == "classic":
            (found,) = wire.ask(DescribeGroupsRequest([name]), 5).groups
        elif listed.group_type == "streams":
            (found,) = wire.ask(StreamsGroupDescribeRequest([name])).groups
        else:
            (found,) = wire.ask(ConsumerGroupDescribeRequest([name]), 1).groups
        yield in_order(found)
        yield from configs(wire, GROUP_RESOURCE, name)
        yield from offsets


def offsets_of(
    wire: Wire, group: str, topics: list[OffsetFetchRequestTopics] | None, *, require_stable: bool = False
) -> Iterator[str]:
    """Yield the offsets of a group, or with `require_stable` also the partitions with pending offsets."""
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group, topics=topics)], require_stable=require_stable)
    (found,) = wire.ask(request, 8).groups
    for topic in found.topics:
        for partition in topic.partitions:
            if partition.error_code or partition.committed_offset >= 0:
                yield f"offset of {group} {topic.name} {partition}{' stable' * require_stable}"


def topics(wire: Wire) -> Iterator[str]:
    found = wire.ask(MetadataRequest(topics=None), 12).topics
    for topic in found:
        if topic.name.startswith("__"):
            continue
        yield f"topic {topic.name} {topic.topic_id.hex()} {len(topic.partitions)}"
        yield from configs(wire, TOPIC_RESOURCE, topic.name)
        numbers = list(range(len(topic.partitions)))
        for timestamp in (EARLIEST, LATEST):
            partitions = [ListOffsetsPartition(partition_index=number, timestamp=timestamp) for number in numbers]
            (listed,) = wire.ask(ListOffsetsRequest(topics=[ListOffsetsTopic(topic.name, partitions)]), 7).topics
            for partition in listed.partitions:
                yield f"offset {timestamp} of {topic.name} {partition.partition_index} {partition.offset}"
        (producers,) = wire.ask(DescribeProducersRequest([DescribeProducersTopic(topic.name, numbers)]), 0).topics
        for partition in producers.partitions:
            yield from (
                f"producer of {topic.name}-{partition.partition_index} {one}" for one in partition.active_producers
            )


def configs(wire: Wire, resource_type: int, name: str) -> Iterator[str]:
    """Yield the configs that were set for a topic or a group."""
    (found,) = wire.ask(DescribeConfigsRequest([DescribeConfigsResource(resource_type, name, None)]), 4).results
    for config in found.configs:
        if config.config_source in SET_FOR_RESOURCE:
            yield f"config of {name} {config.name}={config.value}"


def transactions(wire: Wire) -> Iterator[str]:
    for listed in wire.ask(ListTransactionsRequest(), 1).transaction_states:
        (found,) = wire.ask(DescribeTransactionsRequest([listed.transactional_id]), 0).transaction_states
        yield f"{listed} {in_order(found)}"


def users(wire: Wire) -> Iterator[str]:
    for user in wire.ask(DescribeUserScramCredentialsRequest(None), 0).results:
        yield f"user {user.user} {sorted(map(str, user.credential_infos))}"


def acls(wire: Wire) -> Iterator[str]:
    """Yield all ACLs of a broker that has an authorizer."""
    every = DescribeAclsRequest(ANY, None, ANY, None, None, ANY, ANY)
    for resource in wire.ask(every, 3).resources:
        name = f"{resource.resource_type} {resource.resource_name} {resource.pattern_type}"
        yield from (f"acl of {name} {each}" for each in resource.acls)


def in_order(value: object) -> str:
    """Return a description as text, with lists without an order sorted: Apache Kafka keeps them in hash tables."""
    if isinstance(value, Struct):
        return f"{type(value).__name__}({', '.join(field(value, name) for name in value.__slots__)})"
    if isinstance(value, list):
        return f"[{', '.join(in_order(one) for one in value)}]"
    return repr(value)


def field(owner: Struct, name: str) -> str:
    value = getattr(owner, name)
    if isinstance(value, list) and (name in UNORDERED or name in SETS):
        return f"{name}=[{', '.join(sorted(in_order(one) for one in value))}]"
    return f"{name}={in_order(value)}"
