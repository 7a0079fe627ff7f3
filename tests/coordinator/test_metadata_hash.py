"""Hash of a group's topics, compared with Apache Kafka's."""

from tenure.coordinator.groups.metadata_hash import group_hash
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.types import TopicId, TopicName

ONE = Topic(TopicName("a"), TopicId(bytes.fromhex("df0de62bf8c14933a35cb0b5ea78f93b")), 3)


def test_metadata_hash__one_topic__same_as_in_a_log_of_apache_kafka_4_4() -> None:
    assert group_hash([ONE]) == -7334070180021925806


def test_metadata_hash__no_topic__hash_is_0() -> None:
    assert group_hash([]) == 0


def test_metadata_hash__partition_added__another_hash() -> None:
    assert group_hash([Topic(ONE.name, ONE.topic_id, 4)]) != group_hash([ONE])
