"""A broker with incomplete data names what is missing, and starts only after an operator has decided."""

import shutil
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeleteTopicsRequest, DeleteTopicState
from tenure.protocol.types import TopicName, topic_id_text
from tests.broker.handlers.test_records import Topic, batch, values
from tests.broker.process.test_crash import FSYNC, commit
from tests.broker.wire import Wire
from tests.serving import Serving, serving

pytestmark = pytest.mark.long


def refusal(broker: Serving) -> str:
    before = len(broker.log)
    with pytest.raises(AssertionError, match="the broker did not start"):
        broker.start()
    return broker.log[before:]


@pytest.mark.parametrize("how", ["stop", "kill -9"])
@pytest.mark.parametrize("durability", ["os", "fsync"])
def test_start__partition_directories_missing__refused_until_they_are_back(
    tmp_path: Path, how: str, durability: str
) -> None:
    aside = tmp_path / "aside"
    with serving(tmp_path, f"tenure.data.durability={durability}", "num.partitions=2") as broker:
        with Wire(broker) as wire:
            topic = Topic(wire, "t")
            topic.produce(batch("a", "b"))
            assert commit(topic, "g", 2) == ErrorCode.NONE
        broker.kill() if how == "kill -9" else broker.terminate()
        (coordinator,) = (tmp_path / "broker").glob("__consumer_offsets-*")
        aside.mkdir()
        for name in ("t-0", coordinator.name):
            (tmp_path / "broker" / name).rename(aside / name)

        for _ in range(2):
            said = refusal(broker)
            lost = "offsets 0 to 1 are lost" if how == "stop" else "offsets from 0 on are lost"
            assert f"t-0 is missing (topic id {topic_id_text(topic.topic_id)}): {lost}\n" in said
            assert f"{coordinator.name} is missing (topic id " in said
            assert "restore what is missing from a backup" in said.splitlines()[-1]
        assert not (tmp_path / "broker" / "t-0").exists()

        for name in ("t-0", coordinator.name):
            (aside / name).rename(tmp_path / "broker" / name)
        broker.start()
        with Wire(broker) as wire:
            assert values(Topic(wire, "t").fetch(0).records) == [(0, "a"), (1, "b")]


def test_start__metadata_log_deleted__refused_and_no_partition_set_aside(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            Topic(wire, "t").produce(batch("a"))
        broker.terminate()
        shutil.rmtree(tmp_path / "broker" / "__cluster_metadata-0")
        assert "__cluster_metadata-0 is missing: offsets 0 to " in refusal(broker)
        assert (tmp_path / "broker" / "t-0").exists()


def test_start__topics_deleted_and_recreated_before_kill_9__not_refused(tmp_path: Path) -> None:
    with serving(tmp_path, FSYNC) as broker:
        with Wire(broker) as wire:
            for name in ("gone", "new"):
                Topic(wire, name).produce(batch("a"))
                assert wire.ask(DeleteTopicsRequest([DeleteTopicState(TopicName(name))])).responses[0].error_code == 0
            Topic(wire, "new").produce(batch("b"))
        broker.kill()
        broker.start()
        with Wire(broker) as wire:
            assert values(Topic(wire, "new").fetch(0).records) == [(0, "b")]
