"""The page of all topics."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tenure.admin import Admin
from tenure.client.values import TopicDescription
from tenure.limits.web import CACHE_S, ROWS_MAX
from tenure.web.observation.cluster_watch import ClusterWatch
from tenure.web.pages.cached import Cached
from tenure.web.parts import Part, Parts, element_id
from tenure.web.templates import macro


class TopicReaders(NamedTuple):
    """Groups that commit offsets of a topic, and their lag in it."""

    groups: tuple[str, ...]
    lag: int | None


class TopicsPage:
    """Page of all topics, with the groups that commit offsets of each."""

    path = "/topics"
    template = "topics.html"
    is_live = True

    def __init__(self, admin: Admin, watch: ClusterWatch) -> None:
        self._topics: Final = Cached(admin.list_topics, CACHE_S)
        self._watch: Final = watch

    def title(self, query: Mapping[str, str]) -> str:  # noqa: ARG002
        return "Topics"

    def parts(self, query: Mapping[str, str]) -> Parts:  # noqa: ARG002
        topics = sorted(self._topics.get(), key=lambda topic: (topic.is_internal, topic.topic))
        readers = self._readers()
        more = max(0, len(topics) - ROWS_MAX)
        return [
            *(_row(topic, readers.get(topic.topic, TopicReaders((), None))) for topic in topics[:ROWS_MAX]),
            Part("left-out", "more", macro("_page.html", "left_out", more, "tenure topics list")),
        ]

    def _readers(self) -> dict[str, TopicReaders]:
        found: dict[str, TopicReaders] = {}
        for group_id, group in self._watch.observations.groups.items():
            for topic in sorted({position.partition.topic for position in group.positions}):
                lags = [at.lag for at in group.positions if at.partition.topic == topic and at.lag is not None]
                groups, lag = found.get(topic, TopicReaders((), None))
                found[topic] = TopicReaders((*groups, group_id), (lag or 0) + sum(lags) if lags else lag)
        return found


def _row(topic: TopicDescription, readers: TopicReaders) -> Part:
    row_id = element_id("topic", topic.topic)
    return Part(row_id, "topics", macro("_topics.html", "row", row_id, topic, readers))
