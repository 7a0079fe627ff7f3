"""Configs through the admin clients of confluent-kafka and kafka-python; Kafka's own tools are in `test_java.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest

from tests.interop.producing import create_topic
from tests.serving import serving

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]


class Library(Protocol):
    """Admin client of a library; `kind` is GROUP or TOPIC."""

    def __init__(self, address: str) -> None: ...
    def set(self, kind: str, name: str, key: str, value: str) -> None: ...
    def described(self, kind: str, name: str, key: str) -> str: ...
    def close(self) -> None: ...


class ConfluentKafka:
    def __init__(self, address: str) -> None:
        from confluent_kafka import admin

        self.module = admin
        self.admin = admin.AdminClient({"bootstrap.servers": address})

    def set(self, kind: str, name: str, key: str, value: str) -> None:
        change = self.module.ConfigEntry(key, value, incremental_operation=self.module.AlterConfigOpType.SET)
        resource = self.module.ConfigResource(self.module.ResourceType[kind], name, incremental_configs=[change])
        (altered,) = self.admin.incremental_alter_configs([resource]).values()
        altered.result()

    def described(self, kind: str, name: str, key: str) -> str:
        resource = self.module.ConfigResource(self.module.ResourceType[kind], name)
        (answer,) = self.admin.describe_configs([resource]).values()
        return str(answer.result()[key].value)

    def close(self) -> None:
        del self.admin


class KafkaPython:
    def __init__(self, address: str) -> None:
        from kafka import admin

        self.module = admin
        self.admin = admin.KafkaAdminClient(bootstrap_servers=address)

    def set(self, kind: str, name: str, key: str, value: str) -> None:
        self.admin.alter_configs([self._resource(kind, name, key, value)])

    def described(self, kind: str, name: str, key: str) -> str:
        answer = self.admin.describe_configs([self._resource(kind, name, key, None)])
        return str(answer[kind.lower()][name][key]["value"])

    def _resource(self, kind: str, name: str, key: str, value: str | None) -> object:
        return self.module.ConfigResource(self.module.ConfigResourceType[kind], name, configs={key: value})

    def close(self) -> None:
        self.admin.close()


@pytest.mark.parametrize("library", [ConfluentKafka, KafkaPython])
def test_admin_client__configs_of_a_group_and_a_topic_altered__same_after_a_restart(
    library: type[Library], tmp_path: Path
) -> None:
    altered = [("GROUP", "readers", "target.group.size", "3"), ("TOPIC", "work", "retention.ms", "60000")]
    with serving(tmp_path) as broker:
        create_topic(broker.address, "work", 1)
        for restarted in (False, True):
            admin = library(broker.address)
            for kind, name, key, value in altered:
                if not restarted:
                    admin.set(kind, name, key, value)
                assert admin.described(kind, name, key) == value
            admin.close()
            if not restarted:
                broker.restart()
