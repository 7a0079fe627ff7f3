"""Changes of configs. Logs and group shards get the new values before the request is answered."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from tenure.broker.config.dynamic_keys import changed_settings, is_sensitive
from tenure.broker.config.listener_keys import LISTENER_PREFIX
from tenure.broker.requests.context import Context
from tenure.broker.requests.log_levels import BROKER_LOGGER, alter_levels
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering
from tenure.broker.requests.steps import portions
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import AlterConfigs, ResourceChanges
from tenure.coordinator.metadata.configs import (
    ALL_BROKERS,
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
)
from tenure.coordinator.metadata.topics import Topic
from tenure.limits.broker import CONFIGS_PER_REQUEST_MAX
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import TopicName

log = logging.getLogger("tenure.broker")

AUTHORIZED_AS: Final = {
    TOPIC_RESOURCE: (ResourceType.TOPIC, ErrorCode.TOPIC_AUTHORIZATION_FAILED),
    GROUP_RESOURCE: (ResourceType.GROUP, ErrorCode.GROUP_AUTHORIZATION_FAILED),
}
"""(ACL resource type, error of a client without permission) by config resource type. For configs of all other types, a
client needs permission on the cluster."""

KINDS: Final = {
    TOPIC_RESOURCE: "topic",
    GROUP_RESOURCE: "group",
    CLIENT_METRICS_RESOURCE: "client metrics",
    BROKER_RESOURCE: "broker",
}

TOPICS_AT_ONCE: Final = 100
"""Number of topics whose logs get changed settings in one turn, which takes a few milliseconds."""

LOGGED_CHARACTERS_MAX: Final = 100
"""Maximum number of characters of one config value in a log line."""


def refuse_too_many_changes(counts: Sequence[int]) -> None:
    """Raise RefusedByProtocol if a request changes too many configs.

    `counts` has the number of changes per resource.
    """
    changes = len(counts) + sum(counts)
    if changes > CONFIGS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"the request alters {changes} configs, at most {CONFIGS_PER_REQUEST_MAX} are allowed")


def unauthorized(
    context: Context, request: Request, operation: AclOperation, config_resource: int, name: str
) -> ErrorCode | None:
    """Return an error if the client may not perform the operation on the configs of a resource; None if it may."""
    resource_type, error_code = AUTHORIZED_AS.get(
        config_resource, (ResourceType.CLUSTER, ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
    )
    protected = CLUSTER_NAME if resource_type is ResourceType.CLUSTER else name
    return None if is_allowed(context, request, operation, resource_type, protected) else error_code


def alter_configs(
    context: Context, request: Request, requested: AlterConfigs, then: Callable[[Sequence[AlteredResource]], None]
) -> None:
    """Alter configs. When the change is durable and applied, call `then(results)`, with one result per resource."""
    named = Counter((resource.resource_type, resource.resource_name) for resource in requested.resources)
    refused: list[AlteredResource] = []
    levels: list[AlteredResource] = []
    allowed: list[ResourceChanges] = []
    for resource in requested.resources:
        kind, name = resource.resource_type, resource.resource_name
        once = named[kind, name] == 1
        error_code = unauthorized(context, request, AclOperation.ALTER_CONFIGS, kind, name) if once else None
        if error_code is None and kind == BROKER_LOGGER and once and not resource.remove_others:
            levels.append(alter_levels(context.node_id, resource, validate_only=requested.validate_only))
        elif error_code is None:
            allowed.append(resource)
        else:
            refused.append(AlteredResource(kind, name, error_code, "the client may not ALTER_CONFIGS of this resource"))
    alter = AlterConfigs(allowed, requested.validate_only)
    alter_checked = _alter_listeners if any(map(_concerns_listeners, allowed)) else _alter
    alter_checked(context, request, alter, lambda results: then([*refused, *levels, *results]))


def _concerns_listeners(resource: ResourceChanges) -> bool:
    is_named = any(change.name.startswith(LISTENER_PREFIX) for change in resource.changes)
    return resource.resource_type == BROKER_RESOURCE and (is_named or resource.remove_others)


def _alter_listeners(
    context: Context, request: Request, alter: AlterConfigs, then: Callable[[Sequence[AlteredResource]], None]
) -> None:
    """Alter configs, but refuse changes to the configs of a broker that would break a listener.

    The metadata shard cannot check certificates, because it reads no files. So the shard first does a dry run, which
    returns the configs after the change. Then the certificates in these configs are checked.
    """

    def check(answer: Any) -> None:
        stored = {name: context.configs.of(BROKER_RESOURCE, name) for name in (ALL_BROKERS, str(context.node_id))}
        for result in () if isinstance(answer, Refused) else answer.results:
            if result.resource_type == BROKER_RESOURCE and result.configs is not None:
                stored[result.resource_name] = result.configs
        context.certificates.check(changed_settings(context.settings, *stored.values()), request.callback(proceed))

    def proceed(why: str | None) -> None:
        if why is None:
            _alter(context, request, alter, then)
            return
        refused = [
            AlteredResource(one.resource_type, one.resource_name, ErrorCode.INVALID_REQUEST, why)
            for one in alter.resources
            if _concerns_listeners(one)
        ]
        rest = [resource for resource in alter.resources if not _concerns_listeners(resource)]
        _alter(context, request, AlterConfigs(rest, alter.validate_only), lambda done: then([*refused, *done]))

    context.metadata.ask(AlterConfigs(alter.resources, validate_only=True), request.callback(check))


def _alter(
    context: Context, request: Request, alter: AlterConfigs, then: Callable[[Sequence[AlteredResource]], None]
) -> None:
    def altered(answer: Any) -> None:
        if isinstance(answer, Refused):
            named = [(requested.resource_type, requested.resource_name) for requested in alter.resources]
            then([AlteredResource(kind, name, answer.error_code) for kind, name in named])
            return
        done = [] if alter.validate_only else [result for result in answer.results if result.configs is not None]
        if not done:
            then(answer.results)
        told = Gathering(len(done), lambda _: then(answer.results))
        for index, result in enumerate(done):
            _answer(context, request, result, told.slot(index))

    context.metadata.ask(alter, request.callback(altered))


def _answer(context: Context, request: Request, altered: AlteredResource, then: Callable[[object], None]) -> None:
    resource_type = KINDS[altered.resource_type]
    configs = ", ".join(_shown(altered.resource_type, name, value) for name, value in (altered.configs or {}).items())
    log.info("%s %s: its configs are now %s", resource_type, altered.resource_name, configs or "the defaults")
    if altered.resource_type == GROUP_RESOURCE:
        context.groups.configure(altered.resource_name, request.callback(then))
        return
    if altered.resource_type == TOPIC_RESOURCE:
        topic = context.topics.named(TopicName(altered.resource_name))
        if topic is not None:
            context.logs.reconfigure(topic)
    if altered.resource_type == BROKER_RESOURCE:
        context.reload_settings()
        topics = portions(list(context.topics), TOPICS_AT_ONCE)
        context.certificates.reload(request.callback(lambda _: _reconfigure(context, request, topics, then)))
        return
    then(None)


def _shown(kind: int, name: str, value: str) -> str:
    """Return a config as text for a log line; the value of a secret is hidden."""
    is_hidden = kind == BROKER_RESOURCE and is_sensitive(name)
    return f"{name}=[hidden]" if is_hidden else f"{name}={value:.{LOGGED_CHARACTERS_MAX}}"


def _reconfigure(
    context: Context, request: Request, topics: Sequence[Sequence[Topic]], then: Callable[[object], None]
) -> None:
    """Apply changed settings of the broker to the logs of topics, then call `then`.

    `topics` is divided into portions, between which requests are served.
    """
    for topic in topics[0]:
        context.logs.reconfigure(topic)
    if len(topics) == 1:
        then(None)
    else:
        context.loop.call_soon(request.callback(partial(_reconfigure, context, request, topics[1:], then)))
