"""A Kafka broker inside a test process, for whoever tests code that consumes from Kafka.

    from tenure.testing import Broker

    with Broker() as broker:
        broker.create_topic("flights", partitions=4)
        consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.address, "group.id": "g"})
        ...
        broker.expire("g", instance_id="web-1")     # its session is over, now
        broker.delay("Heartbeat", seconds=2)        # faults on purpose

With pytest the fixtures `kafka_broker`, `kafka_topic` and `kafka_group` are there as soon as tenure is installed.
"""

from tenure.testing.broker import Broker
from tenure.testing.clock import Clock
from tenure.testing.groups import Member

__all__ = ["Broker", "Clock", "Member"]
