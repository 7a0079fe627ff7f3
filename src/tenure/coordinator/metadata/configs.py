"""Configs of all resources but topics.

A topic's configs are part of the topic.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TOPIC_RESOURCE: Final = 2
BROKER_RESOURCE: Final = 4
GROUP_RESOURCE: Final = 32
"""Kafka's numbers for the kinds of resources."""

ALL_BROKERS: Final = ""
"""Name of the resource whose configs all brokers have."""

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Configs:
    """Configs of resources. Only the metadata shard's `apply` changes them."""

    __slots__ = ("_of",)

    def __init__(self) -> None:
        self._of: dict[tuple[int, str], dict[str, str]] = {}
        """Configs by kind and name of the resource. Invariant: no empty dictionaries."""

    def of(self, resource_type: int, resource_name: str) -> Mapping[str, str]:
        return self._of.get((resource_type, resource_name), NOTHING)

    def names(self, resource_type: int) -> list[str]:
        """Return the names of the resources with configs, in order."""
        return sorted(name for kind, name in self._of if kind == resource_type)

    def put(self, resource_type: int, resource_name: str, name: str, value: str | None) -> None:
        """Set a config; a null value removes it."""
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
