"""Creation of the topics of a request in portions, between which other requests are served."""

from collections.abc import Callable, Sequence
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import TopicResult, TopicsCreated
from tenure.coordinator.metadata.commands import CreateTopics, NewTopic
from tenure.limits.broker import TOPICS_CREATED_AT_ONCE_MAX
from tenure.protocol.types import ZERO_TOPIC_ID


class TopicCreation:
    """Creation of topics in portions. When all topics are durable, `then` gets the results, in the topics' order."""

    __slots__ = ("_context", "_partitions", "_request", "_results", "_then", "_topics", "_validate_only")

    def __init__(
        self,
        context: Context,
        request: Request,
        topics: Sequence[NewTopic],
        then: Callable[[list[TopicResult]], None],
        *,
        validate_only: bool = False,
    ) -> None:
        self._context: Final = context
        self._request: Final = request
        self._topics: Final = topics
        self._then: Final = then
        self._validate_only: Final = validate_only
        self._results: Final[list[TopicResult]] = []
        self._partitions = 0
        self._go_on()

    def _go_on(self) -> None:
        """Send the next portion to the metadata shard; a request without topics sends one empty portion."""
        done = len(self._results)
        portion = self._topics[done : done + TOPICS_CREATED_AT_ONCE_MAX]
        command = CreateTopics(portion, self._validate_only, self._partitions)
        self._context.metadata.ask(command, self._request.callback(self._answered))

    def _answered(self, answer: Refused | TopicsCreated) -> None:
        if isinstance(answer, TopicsCreated):
            self._results.extend(answer.results)
            self._partitions += sum([result.topic.partitions for result in answer.results if result.topic])
        else:
            rest = self._topics[len(self._results) :]
            self._results.extend([TopicResult(topic.name, ZERO_TOPIC_ID, answer.error_code) for topic in rest])
        if len(self._results) < len(self._topics):
            self._context.loop.call_soon(self._request.callback(self._go_on))
        else:
            self._then(self._results)
