"""Effects of changed configs: logs and groups shards receive them before the request is answered."""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.route import Gathering
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import AlterConfigs
from tenure.coordinator.metadata.configs import GROUP_RESOURCE, TOPIC_RESOURCE
from tenure.limits.broker import CONFIGS_PER_REQUEST_MAX
from tenure.protocol.types import TopicName

log = logging.getLogger("tenure.broker")

TOLD_CHARACTERS_MAX: Final = 100
"""Characters of one value on a log line."""


def refuse_too_many_changes(counts: Sequence[int]) -> None:
    """Raise RefusedByProtocol if these numbers of changes, by resource, are too many for one request."""
    changes = len(counts) + sum(counts)
    if changes > CONFIGS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"it alters {changes} configs in one request, {CONFIGS_PER_REQUEST_MAX} are allowed")


def alter_configs(context: Context, alter: AlterConfigs, then: Callable[[Sequence[AlteredResource]], None]) -> None:
    """Alter configs; call `then(results)`, one per resource, once the change is durable and applied."""

    def altered(answer: Any) -> None:
        if isinstance(answer, Refused):
            named = [(asked.resource_type, asked.resource_name) for asked in alter.resources]
            then([AlteredResource(kind, name, answer.error_code) for kind, name in named])
            return
        done = [] if alter.validate_only else [result for result in answer.results if result.configs is not None]
        if not done:
            then(answer.results)
        told = Gathering(len(done), lambda _: then(answer.results))
        for index, result in enumerate(done):
            _tell(context, result, told.slot(index))

    context.metadata.ask(alter, altered)


def _tell(context: Context, altered: AlteredResource, then: Callable[[object], None]) -> None:
    kind = "group" if altered.resource_type == GROUP_RESOURCE else "topic"
    configs = ", ".join(f"{name}={value:.{TOLD_CHARACTERS_MAX}}" for name, value in (altered.configs or {}).items())
    log.info("%s %s: its configs are now %s", kind, altered.resource_name, configs or "the defaults")
    if altered.resource_type == GROUP_RESOURCE:
        context.groups.configure(altered.resource_name, then)
        return
    if altered.resource_type == TOPIC_RESOURCE:
        topic = context.topics.named(TopicName(altered.resource_name))
        if topic is not None:
            context.logs.reconfigure(topic)
    then(None)
