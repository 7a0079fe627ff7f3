"""DescribeConfigs (32). v1 sources and synonyms, v3 types and documentation, v4 flexible.

Topics and this broker. A value's source is the topic, the configuration that the broker was started with, or the
default.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tenure.broker.keys import KEYS, Key
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.broker.topic_settings import effective
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)
from tenure.protocol.types import TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker

TOPIC: Final = 2
BROKER: Final = 4

TOPIC_SOURCE: Final = 1
STATIC_BROKER_SOURCE: Final = 4
DEFAULT_SOURCE: Final = 5

BOOLEAN, STRING, INT = 1, 2, 3
TYPES: Final[dict[type, int]] = {bool: BOOLEAN, int: INT, str: STRING}


def handle(broker: "Broker", request: Request, message: DescribeConfigsRequest) -> None:
    request.answer(DescribeConfigsResponse(results=[_result(broker, asked) for asked in message.resources]))


def _result(broker: "Broker", asked: DescribeConfigsResource) -> DescribeConfigsResult:
    if asked.resource_type == TOPIC:
        topic = broker.topics.named(TopicName(asked.resource_name))
        if topic is None:
            why = f"there is no topic {asked.resource_name}"
            return _refused(asked, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, why)
        entries = _topic_entries(broker, topic.configs)
    elif asked.resource_type == BROKER and asked.resource_name in ("", str(broker.node_id)):
        entries = _broker_entries(broker)
    else:
        why = f"only topics and broker {broker.node_id} have settings here"
        return _refused(asked, ErrorCode.INVALID_REQUEST, why)
    wanted = asked.configuration_keys
    configs = [entry for entry in entries if wanted is None or entry.name in wanted]
    return DescribeConfigsResult(resource_type=asked.resource_type, resource_name=asked.resource_name, configs=configs)


def _refused(asked: DescribeConfigsResource, error_code: ErrorCode, why: str) -> DescribeConfigsResult:
    return DescribeConfigsResult(error_code, why, asked.resource_type, asked.resource_name)


def _topic_entries(broker: "Broker", configs: Mapping[str, str]) -> Iterator[DescribeConfigsResourceResult]:
    for name, value in effective(broker.settings, configs).items():
        source = TOPIC_SOURCE if name in configs else DEFAULT_SOURCE
        yield DescribeConfigsResourceResult(name, value, config_source=source, config_type=_type_of(value))


def _broker_entries(broker: "Broker") -> Iterator[DescribeConfigsResourceResult]:
    for key in KEYS.values():
        yield DescribeConfigsResourceResult(
            key.name,
            _text(broker.settings[key]),
            read_only=True,  # settings change with a restart, so far
            config_source=STATIC_BROKER_SOURCE if key.name in broker.settings.origins else DEFAULT_SOURCE,
            config_type=_key_type(key),
            documentation=key.help,
        )


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _key_type(key: Key[object]) -> int:
    return TYPES.get(type(key.default), INT)


def _type_of(text: str) -> int:
    return INT if text.lstrip("-").isdecimal() else STRING


route = Route(DescribeConfigsRequest, handle)
