"""Changes of configs. Each resource of a request is checked separately, and is changed completely or not at all.

The order of the checks is Kafka's, and visible on the wire. Deleting an unknown or unset config is no error. When a
resource is changed, all its configs are checked again, even those that were valid when they were set.
"""

from collections import Counter
from collections.abc import Mapping

from tenure.config_keys import ConfigSchema
from tenure.coordinator.metadata.answers import AlteredResource, ConfigsAltered
from tenure.coordinator.metadata.commands import AlterConfigs, ConfigChange, Operation, ResourceChanges
from tenure.coordinator.metadata.configs import ALL_BROKERS, BROKER_RESOURCE, TOPIC_RESOURCE
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.limits.coordinator import CONFIG_VALUE_BYTES_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import ConfigRecord
from tenure.protocol.types import TopicName

Refusal = tuple[ErrorCode, str]


def alter_configs(metadata: Metadata, ask: AskId, alter: AlterConfigs) -> CoordinatorResult:
    named = Counter((requested.resource_type, requested.resource_name) for requested in alter.resources)
    records: list[LogRecord] = []
    results: list[AlteredResource] = []
    found: Mapping[str, str] | Refusal
    for requested in alter.resources:
        resource = requested.resource_type, requested.resource_name
        if named[resource] > 1:
            found = _invalid("the request names this resource more than once: name it once")
        else:
            found = _altered(metadata, requested)
        if isinstance(found, tuple):
            results.append(AlteredResource(*resource, *found))
            continue
        results.append(AlteredResource(*resource, configs=found))
        if not alter.validate_only:
            records += _records(requested, metadata.configs_of(*resource), found)
    return CoordinatorResult(records, ((ask, ConfigsAltered(results)),))


def _altered(metadata: Metadata, requested: ResourceChanges) -> Mapping[str, str] | Refusal:
    """Return the configs of a resource after the requested changes, or an error."""
    schema = metadata.schemas.get(requested.resource_type)
    refusal = _refused_resource(metadata, requested) or refused_changes(requested)
    if refusal is not None or schema is None:
        return refusal or _invalid(f"resource type {requested.resource_type} has no configs that can be altered")
    before = metadata.configs_of(requested.resource_type, requested.resource_name)
    after = {} if requested.remove_others else dict(before)
    for change in requested.changes:
        value = _value(schema, change, after)
        if isinstance(value, tuple):
            return value
        if value is None:
            after.pop(change.name, None)
        else:
            after[change.name] = value
    if any(len(value.encode()) > CONFIG_VALUE_BYTES_MAX for value in after.values()):
        return ErrorCode.INVALID_CONFIG, f"a config value may have at most {CONFIG_VALUE_BYTES_MAX} bytes: shorten it"
    why = schema.why_refused(after, requested.resource_name)
    if why is None:
        return after
    return ErrorCode.INVALID_REQUEST if schema.is_invalid_request(after) else ErrorCode.INVALID_CONFIG, why


def _refused_resource(metadata: Metadata, requested: ResourceChanges) -> Refusal | None:
    if requested.resource_type == BROKER_RESOURCE:
        node_id = metadata.settings.node_id
        is_ours = requested.resource_name in (ALL_BROKERS, str(node_id))
        return (
            None
            if is_ours
            else _invalid(f"unknown broker: the only broker is {node_id}; an empty name is the default of all brokers")
        )
    if requested.resource_type not in metadata.schemas:
        return _invalid(f"resource type {requested.resource_type} has no configs that can be altered")
    if not requested.resource_name:
        return _invalid("the name of the resource is empty: give one")
    if requested.resource_type == TOPIC_RESOURCE and metadata.topics.named(TopicName(requested.resource_name)) is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"unknown topic {requested.resource_name}"
    return None


def refused_changes(requested: ResourceChanges) -> Refusal | None:
    """Return an error if the changes are invalid for any resource, for example two changes of one config; else None."""
    times = Counter(change.name for change in requested.changes)
    for change in requested.changes:
        if times[change.name] > 1:
            return _invalid(f"the request changes the config {change.name} more than once: name it once")
        if change.operation not in list(Operation):
            return _invalid(
                f"unknown operation {change.operation}: use 0 (SET), 1 (DELETE), 2 (APPEND) or 3 (SUBTRACT)"
            )
        if change.value is None and change.operation != Operation.DELETE:
            return _invalid(f"the config {change.name} has no value: give it one, or delete it")
    return None


def _value(schema: ConfigSchema, change: ConfigChange, configs: Mapping[str, str]) -> str | Refusal | None:
    """Return the value of a config after `change`, None if the change unsets the config, or an error.

    `configs` are the present configs of the resource.
    """
    if change.operation == Operation.DELETE or change.value is None:
        return None
    if change.operation == Operation.SET:
        return change.value
    unset = schema.unset_list(change.name)
    if unset is None:
        why = f"the config {change.name} is not a list, so nothing can be appended or subtracted: set it"
        return ErrorCode.INVALID_CONFIG, why
    items = [item for item in configs.get(change.name, unset).split(",") if item]
    wanted = change.value.split(",")
    if change.operation == Operation.APPEND:
        return ",".join([*items, *(item for item in dict.fromkeys(wanted) if item not in items)])
    return ",".join(item for item in items if item not in wanted)


def _records(requested: ResourceChanges, before: Mapping[str, str], after: Mapping[str, str]) -> list[LogRecord]:
    return [
        LogRecord(None, ConfigRecord(requested.resource_type, requested.resource_name, name, after.get(name)))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def _invalid(why: str) -> Refusal:
    return ErrorCode.INVALID_REQUEST, why
