"""Kafka broker inside a test process, for tests of code that consumes from Kafka.

    from tenure.testing import Broker

    with Broker() as broker:
        broker.create_topic("flights", partitions=4)
        consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.address, "group.id": "g"})
        ...
        broker.expire("g", instance_id="web-1")     # end its session
        broker.delay("Heartbeat", seconds=2)        # inject a fault

`Rehearsal(pipeline)` runs a pipeline's function on given records, without a broker and without Spark.

Once tenure is installed, pytest provides the fixtures `kafka_broker`, `kafka_topic` and `kafka_group`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tenure.testing.broker import Broker
    from tenure.testing.faults import Fault
    from tenure.testing.groups import GroupState, Member
    from tenure.testing.rehearsal import Rehearsal
    from tenure.testing.security import BrokerSecurity, Credentials

__all__ = ["Broker", "BrokerSecurity", "Credentials", "Fault", "GroupState", "Member", "Rehearsal"]

_MODULES: Final = {
    "Broker": "broker",
    "BrokerSecurity": "security",
    "Credentials": "security",
    "Fault": "faults",
    "GroupState": "groups",
    "Member": "groups",
    "Rehearsal": "rehearsal",
}
"""Modules that are imported on first use: pytest loads this package in every run with Tenure installed."""


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{module}"), name)
