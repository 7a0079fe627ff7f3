"""Properties file with which Apache Kafka serves a data directory of Tenure, on a single combined node."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.configuration import WrittenSetting
from tenure.broker.config.kafka_keys import kafka_keys
from tenure.broker.config.listener import Address
from tenure.broker.config.listeners import BrokerListener

CONTROLLER: Final = "CONTROLLER"

ONE_REPLICA: Final = (
    "offsets.topic.replication.factor",
    "transaction.state.log.replication.factor",
    "transaction.state.log.min.isr",
    "share.coordinator.state.topic.replication.factor",
    "share.coordinator.state.topic.min.isr",
)

DETERMINED: Final = frozenset(
    {
        keys.LOG_DIRS.name,
        "log.dir",
        keys.NODE_ID.name,
        keys.LISTENERS.name,
        keys.ADVERTISED_LISTENERS.name,
        keys.LISTENER_SECURITY_PROTOCOL_MAP.name,
        "process.roles",
        "controller.quorum.voters",
        "controller.listener.names",
    }
)
"""Keys whose values follow from the data directory and the listeners, so the user's values are not copied."""

KEYS_OF_AUTHORIZER: Final = frozenset({keys.SUPER_USERS.name, keys.ALLOW_EVERYONE_IF_NO_ACL_FOUND.name})
"""Keys that Apache Kafka's `StandardAuthorizer` reads. Apache Kafka's list of broker keys does not contain them."""


def kafka_properties(
    data_directory: Path,
    node_id: int,
    listeners: list[BrokerListener],
    controller: Address,
    written: Mapping[str, WrittenSetting],
) -> Iterator[str]:
    """Yield the lines of a properties file for Apache Kafka.

    Args:
        data_directory: Data directory of a broker that is stopped.
        node_id: Id of the broker.
        listeners: Listeners for clients.
        controller: Address of the listener for controllers, which a combined node needs.
        written: Settings of Tenure, as the user wrote them.
    """
    served = [(listener.name, str(listener.address)) for listener in listeners]
    yield "process.roles=broker,controller"
    yield f"node.id={node_id}"
    yield f"log.dirs={data_directory}"
    yield f"controller.quorum.voters={node_id}@{controller}"
    yield f"controller.listener.names={CONTROLLER}"
    yield f"listeners={_addresses([*served, (CONTROLLER, str(controller))])}"
    yield f"advertised.listeners={_addresses((each.name, str(each.client_address)) for each in listeners)}"
    protocols = [(listener.name, listener.protocol.value) for listener in listeners]
    yield "listener.security.protocol.map=" + ",".join(
        f"{name}:{protocol}" for name, protocol in [*protocols, (CONTROLLER, "PLAINTEXT")]
    )
    if keys.INTER_BROKER_LISTENER_NAME.name not in written:
        yield f"inter.broker.listener.name={listeners[0].name}"
    yield from (f"{key}=1" for key in ONE_REPLICA if key not in written)
    known = KEYS_OF_AUTHORIZER.union(key.name for key in kafka_keys())
    for key, (text, _) in written.items():
        if key in DETERMINED:
            continue
        if key in known or key.startswith("listener.name."):
            yield f"{key}={text}"
        else:
            yield f"# {key}={text} is a setting of Tenure; Apache Kafka has no equivalent"


def _addresses(listeners: "Iterator[tuple[str, str]] | list[tuple[str, str]]") -> str:
    return ",".join(f"{name}://{address}" for name, address in listeners)
