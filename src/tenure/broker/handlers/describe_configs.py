"""DescribeConfigs (API key 32). Changes: v1 sources and synonyms, v3 types and documentation, v4 flexible encoding.

Resources are topics, groups, client metrics, this broker, all brokers, and the loggers of this broker. The synonyms of
a value are all places that have a value for it, in order of precedence: the resource, the broker's configuration, the
default.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from tenure.broker.config.client_metrics import CLIENT_METRICS_KEYS
from tenure.broker.config.dynamic_keys import is_read_only, is_sensitive
from tenure.broker.config.kafka_keys import NO_DEFAULT, kafka_keys_by_name, kind_in_kafka
from tenure.broker.config.keys import KEYS
from tenure.broker.config.listener_keys import key_of
from tenure.broker.config.topic_settings import TOPIC_KEYS, effective
from tenure.broker.requests.alter_configs import unauthorized
from tenure.broker.requests.context import Context
from tenure.broker.requests.log_levels import BROKER_LOGGER, levels, why_no_logger_of
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.broker.requests.topic_descriptions import why_unknown
from tenure.config_keys import ConfigKind, text_of
from tenure.coordinator.groups.configs import GROUP_KEYS
from tenure.coordinator.metadata.configs import (
    ALL_BROKERS,
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
)
from tenure.limits.broker import RESOURCES_DESCRIBED_MAX
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)
from tenure.protocol.types import TopicName

TOPIC_SOURCE: Final = 1
DYNAMIC_BROKER_SOURCE: Final = 2
DYNAMIC_DEFAULT_BROKER_SOURCE: Final = 3
STATIC_BROKER_SOURCE: Final = 4
DEFAULT_SOURCE: Final = 5
DYNAMIC_BROKER_LOGGER_SOURCE: Final = 6
CLIENT_METRICS_SOURCE: Final = 7
GROUP_SOURCE: Final = 8

UNKNOWN_TYPE: Final = 0
"""Type of a key that neither Kafka nor Tenure has, and that a client has set nevertheless."""

MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
"""Config that a new cluster of Apache Kafka sets for all brokers, without the request of a client."""


class ConfigEntry(NamedTuple):
    """Config of a resource with its effective value.

    `synonyms` has a (name, value, source) for each place that has a value, in order of precedence.
    """

    name: str
    value: str | None
    kind: int
    synonyms: list[tuple[str, str | None, int]]
    source: int
    documentation: str | None = None
    read_only: bool = False
    is_sensitive: bool = False
    """True if the value must not be shown."""


def handle(context: Context, request: Request, message: DescribeConfigsRequest) -> Iterator[None]:
    count = len(message.resources)
    if count > RESOURCES_DESCRIBED_MAX:
        raise RefusedByProtocol(
            f"the request is for the configs of {count} resources, at most {RESOURCES_DESCRIBED_MAX} are allowed"
        )
    results = yield from in_steps(
        (_result(context, request, requested, message) for requested in message.resources), at_once=1
    )
    yield from request.answer_in_steps(DescribeConfigsResponse(results=results))


def _result(
    context: Context, request: Request, requested: DescribeConfigsResource, message: DescribeConfigsRequest
) -> DescribeConfigsResult:
    error_code = unauthorized(
        context, request, AclOperation.DESCRIBE_CONFIGS, requested.resource_type, requested.resource_name
    )
    if error_code is not None:
        why = "the client may not DESCRIBE_CONFIGS of this resource"
        return DescribeConfigsResult(error_code, why, requested.resource_type, requested.resource_name)
    found = _entries(context, requested)
    if isinstance(found, tuple):
        return DescribeConfigsResult(*found, requested.resource_type, requested.resource_name)
    wanted = requested.configuration_keys
    configs = [_described(entry, message) for entry in found if not wanted or entry.name in wanted]
    return DescribeConfigsResult(
        resource_type=requested.resource_type, resource_name=requested.resource_name, configs=configs
    )


def _entries(context: Context, requested: DescribeConfigsResource) -> Iterator[ConfigEntry] | tuple[ErrorCode, str]:
    """Return the entries of a resource, or an error code with its message."""
    kind, name = requested.resource_type, requested.resource_name
    if kind == TOPIC_RESOURCE:
        topic = context.topics.named(TopicName(name))
        if topic is None:
            return why_unknown(TopicName(name)), f"there is no topic {name}"
        return _topic_entries(context, topic.configs)
    if kind == GROUP_RESOURCE:
        if not name:
            return ErrorCode.INVALID_REQUEST, "the name of the group is empty: give one"
        return _group_entries(context, context.configs.of(GROUP_RESOURCE, name))
    if kind == CLIENT_METRICS_RESOURCE:
        if not name:
            return ErrorCode.INVALID_REQUEST, "the name of the client metrics is empty: give one"
        return _client_metrics_entries(context.configs.of(CLIENT_METRICS_RESOURCE, name))
    if kind == BROKER_LOGGER:
        why = why_no_logger_of(context.node_id, name)
        return _logger_entries() if why is None else (ErrorCode.INVALID_REQUEST, why)
    if kind == BROKER_RESOURCE and name == ALL_BROKERS:
        return _entries_of_all_brokers(context)
    if kind == BROKER_RESOURCE and name == str(context.node_id):
        return _broker_entries(context)
    return (
        ErrorCode.INVALID_REQUEST,
        f"only topics, groups, client metrics and broker {context.node_id} with its loggers have settings",
    )


def _described(entry: ConfigEntry, message: DescribeConfigsRequest) -> DescribeConfigsResourceResult:
    synonyms = entry.synonyms if message.include_synonyms else ()
    return DescribeConfigsResourceResult(
        entry.name,
        None if entry.is_sensitive else entry.value,
        read_only=entry.read_only,
        is_sensitive=entry.is_sensitive,
        config_source=entry.source,
        synonyms=[
            DescribeConfigsSynonym(name, None if entry.is_sensitive else value, source)
            for name, value, source in synonyms
        ],
        config_type=entry.kind,
        documentation=entry.documentation if message.include_documentation else None,
    )


def _topic_entries(context: Context, configs: Mapping[str, str]) -> Iterator[ConfigEntry]:
    for name, value in effective(context.settings, configs).items():
        key = TOPIC_KEYS[name]
        synonyms: list[tuple[str, str | None, int]] = []
        if name in configs:
            synonyms.append((name, value, TOPIC_SOURCE))
        if key.broker_key in KEYS:
            synonyms_of_broker = _of_the_broker(context, key.broker_key)
            synonyms += [synonym for synonym in synonyms_of_broker if synonym[1] is not None]
        elif key.broker_key:
            if name == MIN_INSYNC_REPLICAS:
                synonyms.append((key.broker_key, key.default_text, DYNAMIC_DEFAULT_BROKER_SOURCE))
            synonyms.append((key.broker_key, key.default_text, DEFAULT_SOURCE))
        source = synonyms[0][2] if synonyms else DEFAULT_SOURCE
        yield ConfigEntry(name, value, key.kind, synonyms, source, key.documentation)


def _group_entries(context: Context, configs: Mapping[str, str]) -> Iterator[ConfigEntry]:
    for key in GROUP_KEYS.values():
        synonyms: list[tuple[str, str | None, int]] = []
        if key.name in configs:
            synonyms.append((key.name, configs[key.name], GROUP_SOURCE))
        if key.broker_key in KEYS:
            synonyms += _of_the_broker(context, key.broker_key)
        else:
            synonyms.append((key.broker_key or key.name, key.default_text, DEFAULT_SOURCE))
        _, value, source = synonyms[0]
        yield ConfigEntry(key.name, value, key.kind, synonyms, source, key.documentation)


def _client_metrics_entries(configs: Mapping[str, str]) -> Iterator[ConfigEntry]:
    for key in CLIENT_METRICS_KEYS.values():
        synonyms: list[tuple[str, str | None, int]] = []
        if key.name in configs:
            synonyms.append((key.name, configs[key.name], CLIENT_METRICS_SOURCE))
        _, value, source = synonyms[0] if synonyms else (key.name, key.default_text, DEFAULT_SOURCE)
        yield ConfigEntry(key.name, value, key.kind, synonyms, source, key.documentation)


def _broker_entries(context: Context) -> Iterator[ConfigEntry]:
    """Yield the settings of this broker, also those of single listeners, and all configs that clients have set."""
    of_this = context.configs.of(BROKER_RESOURCE, str(context.node_id))
    of_all = context.configs.of(BROKER_RESOURCE, ALL_BROKERS)
    for name in dict.fromkeys([*KEYS, *context.settings.origins, *of_this, *of_all]):
        yield _broker_entry(name, _of_the_broker(context, name))


def _broker_entry(name: str, synonyms: list[tuple[str, str | None, int]]) -> ConfigEntry:
    """Return the entry of a config of the broker. If Kafka has the config, the type is Kafka's."""
    key = key_of(name)
    kind = kind_in_kafka(name if key is None else key.name) or (UNKNOWN_TYPE if key is None else key.kind)
    _, value, source = synonyms[0]
    return ConfigEntry(
        name,
        value,
        kind,
        synonyms,
        source,
        None if key is None else key.documentation,
        read_only=is_read_only(name),
        is_sensitive=is_sensitive(name),
    )


def _logger_entries() -> Iterator[ConfigEntry]:
    for name, level in levels().items():
        synonyms: list[tuple[str, str | None, int]] = [(name, level, DYNAMIC_BROKER_LOGGER_SOURCE)]
        yield ConfigEntry(name, level, ConfigKind.STRING, synonyms, DYNAMIC_BROKER_LOGGER_SOURCE)


def _entries_of_all_brokers(context: Context) -> Iterator[ConfigEntry]:
    """Yield the configs that apply to all brokers.

    The result has the configs that clients have set for all brokers, and `min.insync.replicas`, as in every new cluster
    of Apache Kafka.
    """
    stored = {MIN_INSYNC_REPLICAS: "1"} | dict(context.configs.of(BROKER_RESOURCE, ALL_BROKERS))
    for name, value in stored.items():
        yield _broker_entry(name, [(name, value, DYNAMIC_DEFAULT_BROKER_SOURCE)])


def _of_the_broker(context: Context, name: str) -> list[tuple[str, str | None, int]]:
    """Return the synonyms of a broker's config: its values for this broker, for all brokers, at the start, by default.

    For a config of a single listener, the synonyms of the broker's config with the same name follow.
    """
    found: list[tuple[str, str | None, int]] = []
    resources = (str(context.node_id), DYNAMIC_BROKER_SOURCE), (ALL_BROKERS, DYNAMIC_DEFAULT_BROKER_SOURCE)
    for resource, source in resources:
        stored = context.configs.of(BROKER_RESOURCE, resource)
        if name in stored:
            found.append((name, stored[name], source))
    key = key_of(name)
    if key is None:
        known = kafka_keys_by_name().get(name)
        default = None if known is None or known.default == NO_DEFAULT else known.default
        return found if default is None else [*found, (name, default, DEFAULT_SOURCE)]
    if name in context.settings.origins:
        found.append((name, text_of(context.settings.at_start(key._replace(name=name))), STATIC_BROKER_SOURCE))
    if name != key.name:
        return [*found, *_of_the_broker(context, key.name)]
    return [*found, (name, text_of(key.default), DEFAULT_SOURCE)]


route = Route(DescribeConfigsRequest, handle)
