"""Existing topics, for handlers and for the rules of the metadata shard."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tenure.coordinator.metadata.topic_names import collision_key
from tenure.protocol.types import TopicId, TopicName


@dataclass(slots=True, frozen=True)
class Topic:
    """Topic with partitions 0 to `partitions` - 1. Immutable."""

    name: TopicName
    topic_id: TopicId
    partitions: int
    replication_factor: int = 1
    configs: Mapping[str, str] = field(default_factory=dict)


class Topics:
    """Existing topics. Only `apply` of the metadata shard changes them."""

    __slots__ = ("_by_collision_key", "_by_id", "_by_name", "newest_version", "version")

    def __init__(self) -> None:
        self._by_name: dict[TopicName, Topic] = {}
        self._by_id: dict[TopicId, Topic] = {}
        self._by_collision_key: dict[str, TopicName] = {}
        self.version = 0
        """Number that is incremented with every change."""
        self.newest_version = 0
        """Value of `version` at which the newest topic was created."""

    def named(self, name: TopicName) -> Topic | None:
        return self._by_name.get(name)

    def with_id(self, topic_id: TopicId) -> Topic | None:
        return self._by_id.get(topic_id)

    def colliding(self, name: TopicName) -> TopicName | None:
        """Return the topic name that is equal to `name`, or differs only in `.` and `_`; None if there is none."""
        return self._by_collision_key.get(collision_key(name))

    def __iter__(self) -> Iterator[Topic]:
        """Iterate over the topics, sorted by name."""
        return iter([self._by_name[name] for name in sorted(self._by_name)])

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def names(self) -> tuple[TopicName, ...]:
        """Names of all topics, in no particular order."""
        return tuple(self._by_name)

    def copy(self) -> "Topics":
        """Return a copy for use on another thread."""
        topics = Topics()
        topics._by_name, topics._by_id = dict(self._by_name), dict(self._by_id)
        topics._by_collision_key = dict(self._by_collision_key)
        topics.version, topics.newest_version = self.version, self.newest_version
        return topics

    def put(self, topic: Topic) -> None:
        self.version += 1
        if topic.name not in self._by_name:
            self.newest_version = self.version
        self._by_name[topic.name] = topic
        self._by_id[topic.topic_id] = topic
        self._by_collision_key[collision_key(topic.name)] = topic.name

    def remove(self, topic_id: TopicId) -> None:
        self.version += 1
        topic = self._by_id.pop(topic_id)
        del self._by_name[topic.name]
        self._by_collision_key.pop(collision_key(topic.name), None)
