"""Address and security settings of a cluster: `host:port`, or a mapping of Kafka's configuration keys.

`Consumer` and `Producer` accept these keys among their own settings. Functions without settings accept the mapping in
place of the address.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from tenure.client.configuration import CLUSTER_KEYS, Configuration
from tenure.client.net.addresses import BrokerAddress, parse_bootstrap_servers
from tenure.client.net.security import PLAINTEXT, SECURITY_KEYS, Security, security

ClusterConfig: TypeAlias = str | Sequence[str] | Mapping[str, Any]
"""`host:port`, a sequence of them, or a mapping with `bootstrap.servers` and keys of `SECURITY_KEYS`."""

BOOTSTRAP_SERVERS: Final = "bootstrap.servers"
BOOTSTRAP_KEYS: Final = (*(key for key in CLUSTER_KEYS if key.name == BOOTSTRAP_SERVERS), *SECURITY_KEYS)


class Bootstrap(NamedTuple):
    """Parsed bootstrap addresses and security settings. Comparable, so that equal configurations share connections."""

    servers: tuple[BrokerAddress, ...]
    security: Security = PLAINTEXT


def bootstrap(config: ClusterConfig) -> Bootstrap:
    """Parse an address or configuration. Raises `ConfigurationError`; ValueError for an invalid address."""
    if not isinstance(config, Mapping):
        return Bootstrap(parse_bootstrap_servers(config))
    values = Configuration(BOOTSTRAP_KEYS, config)
    servers = values.required(BOOTSTRAP_SERVERS, "to find the cluster")
    return Bootstrap(parse_bootstrap_servers(servers), security(values))
