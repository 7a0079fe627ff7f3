"""Schemas of the resources whose configs clients can alter: topics, groups, client metrics and the broker."""

from collections.abc import Mapping

from tenure.broker.config.client_metrics import ClientMetricsSchema
from tenure.broker.config.dynamic_keys import BrokerSchema
from tenure.broker.config.group_bounds import group_bounds
from tenure.broker.config.group_defaults import default_group_configs
from tenure.broker.config.settings import Settings
from tenure.broker.config.topic_settings import TOPIC_SCHEMA
from tenure.config_keys import ConfigSchema
from tenure.coordinator.groups.configs import GroupSchema
from tenure.coordinator.metadata.configs import (
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
)


def schemas(settings: Settings) -> Mapping[int, ConfigSchema]:
    """Return the config schemas by resource type (Kafka's number). Raises StartError for invalid bounds of groups."""
    of_groups = GroupSchema(group_bounds(settings), default_group_configs(settings))
    return {
        TOPIC_RESOURCE: TOPIC_SCHEMA,
        GROUP_RESOURCE: of_groups,
        CLIENT_METRICS_RESOURCE: ClientMetricsSchema(),
        BROKER_RESOURCE: BrokerSchema(settings),
    }
