"""What follows when configs change: logs and groups shards are told, before anybody is told that it was done.

Configs live in the metadata shard. A groups shard forgets what it was told whenever it is loaded, and is told again.
"""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tenure.broker import keys
from tenure.broker.keys import Settings
from tenure.broker.request import RefusedByProtocol
from tenure.broker.route import Gathering
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.commands import ConfigureGroup
from tenure.coordinator.groups.configs import GROUP_SCHEMA, GroupConfigs, group_configs
from tenure.coordinator.groups.placement import partition_of
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import AlterConfigs
from tenure.coordinator.metadata.configs import GROUP_RESOURCE, TOPIC_RESOURCE, Configs, ConfigSchema
from tenure.limits import CONFIGS_PER_REQUEST_MAX
from tenure.protocol.types import GroupId, TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker

log = logging.getLogger("tenure.broker")

TOLD_CHARACTERS_MAX: Final = 100
"""Of one value on a log line."""


def default_group_configs(settings: Settings) -> GroupConfigs:
    """Of a group that has none of its own."""
    return GroupConfigs(
        group_commit_fencing=settings[keys.GROUP_COMMIT_FENCING],
        group_expected_timeout_ms=settings[keys.GROUP_EXPECTED_TIMEOUT_MS],
        consumer_session_timeout_ms=settings[keys.GROUP_CONSUMER_SESSION_TIMEOUT_MS],
        consumer_heartbeat_interval_ms=settings[keys.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS],
        consumer_assignment_interval_ms=settings[keys.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS],
    )


class GroupsConfigured:
    """The configs of groups, as commands to the shards that the groups live in."""

    def __init__(self, configs: Callable[[], Configs], defaults: GroupConfigs, partitions: int) -> None:
        """`partitions`: of `__consumer_offsets`."""
        self._configs: Final = configs
        self._defaults: Final = defaults
        self._partitions: Final = partitions
        self._places: dict[str, int] = {}
        """Of the groups with configs: at a start each shard asks for its own among all of them."""

    def changed(self, group_id: str) -> ConfigureGroup:
        return self._command(group_id, at_load=False)

    def at_load(self, partition: int) -> list[ConfigureGroup]:
        """For every group with configs that lives there."""
        names = self._configs().names(GROUP_RESOURCE)
        return [self._command(name, at_load=True) for name in names if self._place(name) == partition]

    def _command(self, group_id: str, *, at_load: bool) -> ConfigureGroup:
        configs = group_configs(self._configs().of(GROUP_RESOURCE, group_id), self._defaults)
        return ConfigureGroup(GroupId(group_id), configs, at_load)

    def _place(self, group_id: str) -> int:
        place = self._places.get(group_id)
        if place is None:
            place = self._places[group_id] = partition_of(group_id, self._partitions)
        return place


def refuse_too_many_changes(counts: Sequence[int]) -> None:
    """Raise RefusedByProtocol if these numbers of changes, by resource, are too many for one request."""
    changes = len(counts) + sum(counts)
    if changes > CONFIGS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"it alters {changes} configs in one request, {CONFIGS_PER_REQUEST_MAX} are allowed")


def alter_configs(broker: "Broker", alter: AlterConfigs, then: Callable[[Sequence[AlteredResource]], None]) -> None:
    """`then(results)`, one per resource in their order, once the change is durable and everybody concerned knows."""

    def altered(answer: Any) -> None:
        if isinstance(answer, Refused):
            named = [(asked.resource_type, asked.resource_name) for asked in alter.resources]
            then([AlteredResource(kind, name, answer.error_code) for kind, name in named])
            return
        done = [] if alter.validate_only else [result for result in answer.results if result.configs is not None]
        told = Gathering(len(done), lambda _: then(answer.results))
        for index, result in enumerate(done):
            _tell(broker, result, told.slot(index))

    broker.metadata.ask(alter, altered)


def _tell(broker: "Broker", altered: AlteredResource, then: Callable[[object], None]) -> None:
    kind = "group" if altered.resource_type == GROUP_RESOURCE else "topic"
    configs = ", ".join(f"{name}={value:.{TOLD_CHARACTERS_MAX}}" for name, value in (altered.configs or {}).items())
    log.info("%s %s: its configs are now %s", kind, altered.resource_name, configs or "the defaults")
    if altered.resource_type == GROUP_RESOURCE:
        broker.groups.configure(altered.resource_name, then)
        return
    if altered.resource_type == TOPIC_RESOURCE:
        topic = broker.topics.named(TopicName(altered.resource_name))
        if topic is not None:
            broker.logs.reconfigure(topic)
    then(None)


def schemas(topics: ConfigSchema) -> dict[int, ConfigSchema]:
    """Of the resources whose configs can be altered."""
    return {TOPIC_RESOURCE: topics, GROUP_RESOURCE: GROUP_SCHEMA}
