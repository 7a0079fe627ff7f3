"""CreatePartitions (API key 37). Changes: v2 flexible encoding, v3 quota errors."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.topic_refusals import MUTATION_QUOTA_EXCEEDED, NAMED_TWICE
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import PartitionsCreated
from tenure.coordinator.metadata.commands import CreatePartitions, MorePartitions
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    CreatePartitionsTopicResult,
)

STRICT_SINCE: Final = 3
"""First version with quota errors (KIP-599)."""


def handle(context: Context, request: Request, message: CreatePartitionsRequest) -> Iterator[None]:
    times_named = Counter(topic.name for topic in message.topics)
    results: dict[str, CreatePartitionsTopicResult] = {}
    commands: list[MorePartitions] = []
    for topic in message.topics:
        if times_named[topic.name] > 1:
            results[topic.name] = CreatePartitionsTopicResult(topic.name, *NAMED_TWICE)
        elif not is_allowed(context, request, AclOperation.ALTER, ResourceType.TOPIC, topic.name):
            results[topic.name] = CreatePartitionsTopicResult(topic.name, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        elif topic.name in INTERNAL_TOPICS:
            why = "the topic is internal: its number of partitions cannot change (rule 6.1)"
            results[topic.name] = CreatePartitionsTopicResult(topic.name, ErrorCode.INVALID_REQUEST, why)
        elif not request.may_mutate(_added(context, topic), is_strict=request.version >= STRICT_SINCE):
            results[topic.name] = CreatePartitionsTopicResult(topic.name, *MUTATION_QUOTA_EXCEEDED)
        else:
            commands.append(_more_partitions(topic))
        yield

    def respond(answer: Refused | PartitionsCreated) -> Iterator[None]:
        if isinstance(answer, PartitionsCreated):
            for requested, result in zip(commands, answer.results, strict=True):
                results[requested.name] = CreatePartitionsTopicResult(
                    requested.name, result.error_code, result.error_message
                )
                yield
        else:
            for requested in commands:
                results[requested.name] = CreatePartitionsTopicResult(requested.name, answer.error_code)
                yield
        response = CreatePartitionsResponse(results=[results[name] for name in times_named])
        yield from request.answer_in_steps(response, len(results))

    then = request.callback(lambda answer: request.go_on(respond(answer)))
    context.metadata.ask(CreatePartitions(commands, message.validate_only), then)


def _added(context: Context, topic: CreatePartitionsTopic) -> int:
    found = context.topics.named(topic.name)
    return 0 if found is None else max(topic.count - found.partitions, 0)


def _more_partitions(topic: CreatePartitionsTopic) -> MorePartitions:
    assignments = None if topic.assignments is None else [assignment.broker_ids for assignment in topic.assignments]
    return MorePartitions(topic.name, topic.count, assignments)


route = Route(CreatePartitionsRequest, handle)
