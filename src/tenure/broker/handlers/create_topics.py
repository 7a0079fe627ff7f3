"""CreateTopics (API key 19).

Changes: v4 -1 for the broker's defaults, v5 flexible encoding, and a response with partitions, replication factor and
configs, v6 quota errors, v7 topic ids.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Final

from tenure.broker.config.keys import NUM_PARTITIONS
from tenure.broker.config.settings import Settings
from tenure.broker.config.topic_settings import TOPIC_SCHEMA, effective
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import EVERYTHING, allowed_names, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.topic_creation import TopicCreation
from tenure.broker.requests.topic_refusals import MUTATION_QUOTA_EXCEEDED, NAMED_TWICE
from tenure.coordinator.metadata.answers import TopicResult
from tenure.coordinator.metadata.commands import NewTopic
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    CreatableTopic,
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsRequest,
    CreateTopicsResponse,
)

STRICT_SINCE: Final = 6
"""First version with quota errors (KIP-599)."""
DEFAULT: Final = -1
"""Number of partitions that stands for the broker's default."""
TOPIC_CONFIG: Final = 1
DEFAULT_CONFIG: Final = 5
"""Kafka's numbers for the source of a config value: TOPIC_CONFIG for a config of the topic, DEFAULT_CONFIG for a
default."""


def handle(context: Context, request: Request, message: CreateTopicsRequest) -> Iterator[None]:
    times_named = Counter(topic.name for topic in message.topics)
    results: dict[str, CreatableTopicResult] = {}
    commands: list[NewTopic] = []
    creatable = _creatable(context, request)
    may_see = visible_names(context, request, AclOperation.DESCRIBE_CONFIGS, ResourceType.TOPIC)
    for topic in message.topics:
        new = _new_topic(topic)
        if times_named[topic.name] > 1:
            results[topic.name] = _refused(topic, *NAMED_TWICE)
        elif topic.name not in creatable:
            why = "the client may CREATE neither this topic nor topics of the cluster"
            results[topic.name] = _refused(topic, ErrorCode.TOPIC_AUTHORIZATION_FAILED, why)
        elif not request.may_mutate(_partitions(context, new), is_strict=request.version >= STRICT_SINCE):
            results[topic.name] = _refused(topic, *MUTATION_QUOTA_EXCEEDED)
        else:
            commands.append(new)
        yield

    def respond(answers: list[TopicResult]) -> Iterator[None]:
        configs = _Configs(context.settings)
        for requested, result in zip(commands, answers, strict=True):
            created = _result(requested, result, configs)
            if result.topic is not None and may_see is not None and not may_see(requested.name):
                created = _without_configs(created)
            results[requested.name] = created
            yield
        yield from request.answer_in_steps(CreateTopicsResponse(topics=[results[name] for name in times_named]))

    TopicCreation(
        context, request, commands, lambda created: request.go_on(respond(created)), validate_only=message.validate_only
    )


def _creatable(context: Context, request: Request) -> Container[str]:
    authorization = context.authorization
    if authorization is None or authorization.would_allow(
        request, AclOperation.CREATE, ResourceType.CLUSTER, CLUSTER_NAME
    ):
        return EVERYTHING
    return allowed_names(context, request, AclOperation.CREATE, ResourceType.TOPIC)


def _partitions(context: Context, new: NewTopic) -> int:
    """Return the number of partitions to be created; 0 if the topic exists already or has invalid configs."""
    if new.config_error is not None or context.topics.named(new.name) is not None:
        return 0
    if new.assignments:
        return len(new.assignments)
    return max(context.settings[NUM_PARTITIONS] if new.partitions == DEFAULT else new.partitions, 0)


def _without_configs(created: CreatableTopicResult) -> CreatableTopicResult:
    """Return the result without configs, partition count and replication factor.

    This is the result for a client without the permission DESCRIBE_CONFIGS.
    """
    return CreatableTopicResult(
        created.name, created.topic_id, topic_config_error_code=ErrorCode.TOPIC_AUTHORIZATION_FAILED, configs=None
    )


def _new_topic(topic: CreatableTopic) -> NewTopic:
    configs = {config.name: config.value for config in topic.configs}
    return NewTopic(
        topic.name,
        topic.num_partitions,
        topic.replication_factor,
        {assignment.partition_index: assignment.broker_ids for assignment in topic.assignments},
        configs,
        TOPIC_SCHEMA.why_refused(configs),
    )


def _refused(topic: CreatableTopic, error_code: ErrorCode, why: str) -> CreatableTopicResult:
    return CreatableTopicResult(topic.name, error_code=error_code, error_message=why)


class _Configs:
    """Configs of the created topics, in the form of the response."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self._defaults: Final = self._reported({})

    def of(self, configs: Mapping[str, str]) -> list[CreatableTopicConfigs]:
        return self._reported(configs) if configs else self._defaults

    def _reported(self, configs: Mapping[str, str]) -> list[CreatableTopicConfigs]:
        return [
            CreatableTopicConfigs(name, value, config_source=TOPIC_CONFIG if name in configs else DEFAULT_CONFIG)
            for name, value in effective(self._settings, configs).items()
        ]


def _result(requested: NewTopic, result: TopicResult, configs: _Configs) -> CreatableTopicResult:
    topic = result.topic
    if topic is None:
        return CreatableTopicResult(requested.name, error_code=result.error_code, error_message=result.error_message)
    return CreatableTopicResult(
        topic.name,
        topic.topic_id,
        ErrorCode.NONE,
        None,
        num_partitions=topic.partitions,
        replication_factor=topic.replication_factor,
        configs=configs.of(topic.configs),
    )


route = Route(CreateTopicsRequest, handle)
