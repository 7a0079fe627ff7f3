"""Where a cluster is, how it is spoken to, and who we are: an address, or Kafka's keys for all of it.

What has settings of its own (`Consumer`, `Producer`) takes these keys among them; whatever else takes an address takes
them in its place.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from tenure.client.addresses import Address, parse_bootstrap_servers
from tenure.client.configuration import CLUSTER_KEYS, Configuration
from tenure.client.security import PLAINTEXT, SECURITY_KEYS, Security, security

ClusterConfig: TypeAlias = str | Sequence[str] | Mapping[str, Any]
"""`host:port`, several of them, or `bootstrap.servers` and the keys of `SECURITY_KEYS`."""

BOOTSTRAP_SERVERS: Final = "bootstrap.servers"
BOOTSTRAP_KEYS: Final = (*(key for key in CLUSTER_KEYS if key.name == BOOTSTRAP_SERVERS), *SECURITY_KEYS)


class Bootstrap(NamedTuple):
    """Values that can be compared, so that connections can be shared."""

    servers: tuple[Address, ...]
    security: Security = PLAINTEXT


def bootstrap(config: ClusterConfig) -> Bootstrap:
    """Raises `ConfigurationError`, and ValueError for an address that cannot be read."""
    if not isinstance(config, Mapping):
        return Bootstrap(parse_bootstrap_servers(config))
    values = Configuration(BOOTSTRAP_KEYS, config)
    servers = values.required(BOOTSTRAP_SERVERS, "to find the cluster")
    return Bootstrap(parse_bootstrap_servers(servers), security(values))
