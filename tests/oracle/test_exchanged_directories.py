"""Random histories end in a data directory of each broker, which the other one loads: all descriptions are the same.

Each directory is loaded by its own broker, and then by the other one. The seed is printed, and `TENURE_ORACLE_SEED`
repeats a run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from tests.apache_kafka import apache_kafka
from tests.interop.shared_directory import SharedDirectory
from tests.oracle.classic_histories import ACTIONS, History
from tests.oracle.classic_runner import ClassicRunner
from tests.oracle.conftest import FENCING_OF_KAFKA, IN_ORDER, SETTINGS, prepare, require_kafka
from tests.oracle.consumer_histories import drawn
from tests.oracle.consumer_runner import ConsumerRunner
from tests.oracle.descriptions import described
from tests.oracle.shrinking import TooSlow
from tests.oracle.side import Side
from tests.oracle.test_random_transactions import drawn as drawn_transactions
from tests.oracle.test_transactions import TransactionHistory, run_history
from tests.serving import serving
from tests.wire import Wire

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))
HISTORIES, STEPS = 12, 30
TRANSACTIONAL_IDS = 4
TOPICS = 8
PATIENT = SETTINGS | {"group.consumer.session.timeout.ms": "300000"}
"""Session timeout so long that no session ends before all is compared."""
MAX_OF_KAFKA = {"group.consumer.max.session.timeout.ms": "300000"}
UNSTABLE = f"error_code={ErrorCode.UNSTABLE_OFFSET_COMMIT}"
CONFIGS = {
    "retention.ms": ("1000000", "-1"),
    "cleanup.policy": ("compact", "delete", "compact,delete"),
    "max.message.bytes": ("70000", "2000000"),
    "min.insync.replicas": ("1",),
    "message.timestamp.type": ("LogAppendTime", "CreateTime"),
}


@pytest.mark.timeout(600)  # Apache Kafka starts three times
def test_directories_of_random_histories__loaded_by_the_other_broker__same_descriptions(tmp_path: Path) -> None:
    require_kafka()
    print(f"TENURE_ORACLE_SEED={SEED}")
    ours_at, theirs_at = SharedDirectory(tmp_path / "ours"), SharedDirectory(tmp_path / "theirs")
    settings = [f"{key}={value}" for key, value in (PATIENT | FENCING_OF_KAFKA).items()]
    with (
        apache_kafka(tmp_path / "kafka", settings=PATIENT | MAX_OF_KAFKA | IN_ORDER) as kafka,
        serving(made(tmp_path / "tenure"), *settings) as tenure,
    ):
        for broker in (kafka, tenure):
            prepare(broker.host, broker.port)
        with Side("kafka", kafka.host, kafka.port) as theirs, Side("tenure", tenure.host, tenure.port) as ours:
            run_all((theirs, ours))
        kafka.restart({})
        of_kafka = described(kafka.host, kafka.port)
        kafka.stop()
        tenure.restart()
        of_tenure = described(tenure.host, tenure.port)
        tenure.terminate()
    assert len(of_kafka) > HISTORIES + TRANSACTIONAL_IDS + TOPICS
    assert any(UNSTABLE in one for one in of_kafka)
    assert_same(of_kafka, by_other(theirs_at, kafka.log_directory, theirs_at.start_tenure))
    assert tenure.data_directory is not None
    assert_same(of_tenure, by_other(ours_at, tenure.data_directory, ours_at.start_kafka))


def assert_same(own: list[str], other: list[str]) -> None:
    """Compare the descriptions of the broker that wrote a directory with those of the other one."""
    difference = list(unified_diff(own, other, "its own broker", "the other broker", lineterm="", n=0))
    assert not difference, "\n".join(difference)


def made(directory: Path) -> Path:
    directory.mkdir()
    return directory


def by_other(at: SharedDirectory, data: Path, start: Callable[[], None]) -> list[str]:
    """Return the descriptions of the broker that starts on a directory of the other one."""
    at.data.parent.mkdir()
    data.rename(at.data)
    try:
        start()
        return described(at.host, at.port)
    finally:
        at.kill()


def run_all(sides: tuple[Side, Side]) -> None:
    draw = random.Random(SEED)
    topics = [random_topic(draw, number) for number in range(TOPICS)]
    for side in sides:
        side.wait_for_topic("oracle")
        with Wire(side.host, side.port) as wire:
            answers = wire.ask(CreateTopicsRequest(topics=topics, timeout_ms=10_000), 5).topics
            assert not any(answer.error_code for answer in answers), answers
    classic = ClassicRunner(sides)
    classic.play([History(tuple(draw.choices(ACTIONS, k=STEPS))) for _ in range(HISTORIES)])
    classic.close()
    consumers = ConsumerRunner(sides)
    with suppress(TooSlow):  # only a comparison of both brokers depends on how long a history took
        consumers.play(drawn(draw, HISTORIES, STEPS))
    consumers.close()
    for number in range(TRANSACTIONAL_IDS):
        for side in sides:
            run_history(drawn_transactions(SEED + number), side)
    for side in sides:
        run_history(left_open, side)


def left_open(history: TransactionHistory) -> None:
    history.init()
    history.produce(0)
    history.plain_commit(7)
    history.commit_offset(8)


def random_topic(draw: random.Random, number: int) -> CreatableTopic:
    chosen = draw.sample(sorted(CONFIGS), k=draw.randrange(len(CONFIGS)))
    configs = [CreatableTopicConfig(name, draw.choice(CONFIGS[name])) for name in chosen]
    return CreatableTopic(f"random-{number}", draw.randint(1, 4), 1, configs=configs)
