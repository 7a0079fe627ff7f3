from tenure.client.net.cluster import topic_with_racks
from tenure.client.values import TopicLayout
from tenure.protocol.messages import MetadataResponsePartition, MetadataResponseTopic
from tenure.protocol.types import BrokerId, PartitionId, TopicName


def topic(*replicas: list[int]) -> MetadataResponseTopic:
    partitions = [
        MetadataResponsePartition(partition_index=PartitionId(number), replica_nodes=[BrokerId(node) for node in nodes])
        for number, nodes in enumerate(replicas)
    ]
    return MetadataResponseTopic(
        name=TopicName("t"), partitions=partitions[::-1]
    )  # brokers return partitions in any order


def test_topic_with_racks__brokers_have_racks__racks_of_the_replicas_of_each_partition() -> None:
    racks = {BrokerId(1): "x", BrokerId(2): "y"}
    assert topic_with_racks(topic([1, 2], [3], [2]), racks) == TopicLayout(3, [{"x", "y"}, set(), {"y"}])


def test_topic_with_racks__brokers_have_no_racks__no_racks() -> None:
    assert topic_with_racks(topic([1], [2]), {}) == TopicLayout(2)
