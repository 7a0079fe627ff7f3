"""Configs of all resources except topics; a topic's configs are part of the topic."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TOPIC_RESOURCE: Final = 2
BROKER_RESOURCE: Final = 4
CLIENT_METRICS_RESOURCE: Final = 16
GROUP_RESOURCE: Final = 32
"""Kafka's number of the resource type GROUP."""

ALL_BROKERS: Final = ""
"""Resource name of the configs that apply to all brokers."""

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Configs:
    """Configs of resources. Only `apply` of the metadata shard changes them."""

    __slots__ = ("_of",)

    def __init__(self) -> None:
        self._of: dict[tuple[int, str], dict[str, str]] = {}
        """Configs by resource type and name. Invariant: no dictionary in it is empty."""

    def of(self, resource_type: int, resource_name: str) -> Mapping[str, str]:
        return self._of.get((resource_type, resource_name), NOTHING)

    def names(self, resource_type: int) -> list[str]:
        """Return the names of the resources of a type that have configs, ascending."""
        return sorted(name for kind, name in self._of if kind == resource_type)

    def put(self, resource_type: int, resource_name: str, name: str, value: str | None) -> None:
        """Set a config; the value None removes it."""
        resource = resource_type, resource_name
        configs = {key: text for key, text in self._of.get(resource, NOTHING).items() if key != name}
        if value is not None:
            configs[name] = value
        if configs:
            self._of[resource] = configs
        else:
            self._of.pop(resource, None)

    def digest(self) -> object:
        return {resource: dict(configs) for resource, configs in self._of.items()}
