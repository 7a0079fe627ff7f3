"""Random histories end in a data directory of each broker, which the other one loads: all descriptions are the same.

Each directory is loaded by its own broker, and then by the other one. The metadata log of Apache Kafka is truncated
before, and after Tenure Apache Kafka loads it again. The seed is printed, and `TENURE_ORACLE_SEED` repeats a run. Users
and ACLs are random, too.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

import pytest

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.broker.process.contents import read_contents
from tenure.protocol.acls import AclOperation, PatternType, Permission, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AclCreation,
    AlterUserScramCredentialsRequest,
    CreatableTopic,
    CreatableTopicConfig,
    CreateAclsRequest,
    CreateTopicsRequest,
    ScramCredentialUpsertion,
)
from tenure.storage.files import ReadOnlyFiles
from tenure.storage.recovery.apache_kafka import CLUSTER_METADATA
from tests.apache_kafka import apache_kafka, javac, jvm, quick_jvm
from tests.interop.shared_directory import SharedDirectory
from tests.oracle.classic_histories import ACTIONS, History
from tests.oracle.classic_runner import ClassicRunner
from tests.oracle.conftest import FENCING_OF_KAFKA, IN_ORDER, SETTINGS, prepare, require_kafka
from tests.oracle.consumer_histories import random_histories
from tests.oracle.consumer_runner import ConsumerRunner
from tests.oracle.damaged_groups import damage_a_batch
from tests.oracle.descriptions import described
from tests.oracle.shrinking import TooSlow
from tests.oracle.side import Side
from tests.oracle.streams_histories import play_streams_groups
from tests.oracle.test_random_transactions import random_history as random_transactions
from tests.oracle.test_transactions import TransactionHistory, run_history
from tests.serving import serving
from tests.wire import Wire

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))
HISTORIES, STEPS = 12, 30
TRANSACTIONAL_IDS = 4
TOPICS = 8
USERS, ACLS, STREAMS_GROUPS = 6, 30, 6
DAMAGES = 2
"""Starts on a directory of Apache Kafka with a damaged batch in `__consumer_offsets`."""
AUTHORIZER = {"authorizer.class.name": STANDARD_AUTHORIZER, "super.users": "User:ANONYMOUS"}
STREAMS_SESSION = {"group.streams.session.timeout.ms": "300000", "group.streams.max.session.timeout.ms": "300000"}
PATIENT = SETTINGS | AUTHORIZER | STREAMS_SESSION | {"group.consumer.session.timeout.ms": "300000"}
"""Session timeouts so long that no session ends before all is compared."""
SNAPSHOTS = {"metadata.log.max.record.bytes.between.snapshots": "3000", "internal.metadata.log.segment.bytes": "3000"}
"""Several snapshots and segments of the metadata log, so that it can be truncated."""
MAX_OF_KAFKA = {"group.consumer.max.session.timeout.ms": "300000"}
SHA_256, SHA_512 = 1, 2
PARTS = (f"error_code={ErrorCode.UNSTABLE_OFFSET_COMMIT}", "DescribedStreamsMember", "user ", "acl of ")
"""Parts of descriptions that each run compares."""
CONFIGS = {
    "retention.ms": ("1000000", "-1"),
    "cleanup.policy": ("compact", "delete", "compact,delete"),
    "max.message.bytes": ("70000", "2000000"),
    "min.insync.replicas": ("1",),
    "message.timestamp.type": ("LogAppendTime", "CreateTime"),
}


@pytest.mark.timeout(600)  # Apache Kafka starts three times
def test_data_directory_of_a_random_history__loaded_by_the_other_broker__same_descriptions(tmp_path: Path) -> None:
    require_kafka()
    print(f"TENURE_ORACLE_SEED={SEED}")
    ours_at, theirs_at = (SharedDirectory(tmp_path / name, AUTHORIZER | STREAMS_SESSION) for name in ("ours", "theirs"))
    settings = [f"{key}={value}" for key, value in (PATIENT | FENCING_OF_KAFKA).items()]
    with (
        apache_kafka(tmp_path / "kafka", settings=PATIENT | MAX_OF_KAFKA | IN_ORDER | SNAPSHOTS) as kafka,
        serving(new_directory(tmp_path / "tenure"), *settings) as tenure,
    ):
        for broker in (kafka, tenure):
            prepare(broker.host, broker.port)
        with Side("kafka", kafka.host, kafka.port) as theirs, Side("tenure", tenure.host, tenure.port) as ours:
            run_all((theirs, ours))
        kafka.restart({})
        of_kafka = described(kafka.host, kafka.port)
        kafka.stop()
        truncate_metadata(kafka.log_directory, tmp_path)
        tenure.restart()
        of_tenure = described(tenure.host, tenure.port)
        tenure.terminate()
    assert len(of_kafka) > HISTORIES + TRANSACTIONAL_IDS + TOPICS + USERS + ACLS + STREAMS_GROUPS
    for part in PARTS:
        assert any(part in one for one in of_kafka), part
    assert tenure.data_directory is not None
    assert_contents(kafka.log_directory, of_kafka)
    assert_contents(tenure.data_directory, of_tenure)
    for number in range(DAMAGES):
        damaged_at = SharedDirectory(tmp_path / f"damaged-{number}", AUTHORIZER | STREAMS_SESSION)
        assert_others_served(of_kafka, damaged_at, kafka.log_directory, random.Random(SEED + number))
    assert_same(of_kafka, described_by_other(theirs_at, kafka.log_directory, theirs_at.start_tenure))
    assert_same(of_kafka, described_after_start(theirs_at, theirs_at.start_kafka))
    assert_same(of_tenure, described_by_other(ours_at, tenure.data_directory, ours_at.start_kafka))


def truncate_metadata(data: Path, classes: Path) -> None:
    """Remove the records of the metadata log before its last snapshot, with Apache Kafka's own code."""
    javac(Path(__file__).with_name("TruncateMetadata.java"), classes)
    command = jvm("256M", "TruncateMetadata", [str(data / CLUSTER_METADATA)], quick_jvm())
    command[command.index("-cp") + 1] += f":{classes}"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0, "no record was removed"


def assert_same(own: list[str], other: list[str]) -> None:
    """Compare the descriptions of the broker that wrote a directory with those of the other one."""
    difference = list(unified_diff(own, other, "its own broker", "the other broker", lineterm="", n=0))
    assert not difference, "\n".join(difference)


def assert_others_served(of_kafka: list[str], at: SharedDirectory, data: Path, draw: random.Random) -> None:
    """Start Tenure on a copy of Apache Kafka's directory with a damaged batch of groups.

    It reports the damage, and describes all other groups as Apache Kafka does.
    """
    copy = at.data.parent.parent / f"{at.data.parent.name}-copy"
    shutil.copytree(data, copy)
    damaged = damage_a_batch(draw, copy)
    served = described_by_other(at, copy, at.start_tenure)
    assert re.search(r"__consumer_offsets-0/\d+.log is damaged at byte", at.log.read_text()), damaged

    def others(described: list[str]) -> list[str]:
        return [one for one in described if not any(group in one for group in damaged)]

    assert_same(others(of_kafka), others(served))


def assert_contents(directory: Path, described: list[str]) -> None:
    """Compare the contents that `tenure storage check` reads with the descriptions of the broker.

    The latter lack groups without members and offsets.
    """
    found = read_contents(ReadOnlyFiles(), str(directory))
    assert (found.users, found.acls) == (USERS, ACLS), found
    assert found.groups >= sum([one.startswith("listed ") for one in described]), found
    assert not found.unreadable


def new_directory(directory: Path) -> Path:
    directory.mkdir()
    return directory


def described_by_other(at: SharedDirectory, data: Path, start: Callable[[], None]) -> list[str]:
    """Start a broker on a directory of the other one, and return its descriptions."""
    at.data.parent.mkdir()
    data.rename(at.data)
    return described_after_start(at, start)


def described_after_start(at: SharedDirectory, start: Callable[[], None]) -> list[str]:
    """Start a broker, kill it, and return its descriptions."""
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
            create_topics(topics, wire)
            create_users(random.Random(SEED), wire)
            create_acls(random.Random(SEED), wire)
    classic = ClassicRunner(sides)
    classic.play([History(tuple(draw.choices(ACTIONS, k=STEPS))) for _ in range(HISTORIES)])
    classic.close()
    consumers = ConsumerRunner(sides)
    with suppress(TooSlow):  # only a comparison of both brokers depends on how long a history took
        consumers.play(random_histories(draw, HISTORIES, STEPS))
    consumers.close()
    for number in range(TRANSACTIONAL_IDS):
        for side in sides:
            run_history(random_transactions(SEED + number), side)
    for side in sides:
        run_history(leave_open, side)
        play_streams_groups(random.Random(SEED), side, STREAMS_GROUPS, STEPS)


def leave_open(history: TransactionHistory) -> None:
    history.init()
    history.produce(0)
    history.plain_commit(7)
    history.commit_offset(8)


def random_topic(draw: random.Random, number: int) -> CreatableTopic:
    chosen = draw.sample(sorted(CONFIGS), k=draw.randrange(len(CONFIGS)))
    configs = [CreatableTopicConfig(name, draw.choice(CONFIGS[name])) for name in chosen]
    return CreatableTopic(f"random-{number}", draw.randint(1, 4), 1, configs=configs)


def create_topics(topics: list[CreatableTopic], wire: Wire) -> None:
    """Create each topic with a request of its own, because Apache Kafka refuses a batch larger than a segment."""
    for topic in topics:
        (answer,) = wire.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 5).topics
        assert not answer.error_code, answer


def create_users(draw: random.Random, wire: Wire) -> None:
    """Give each user a password for one mechanism or both. A request changes a user at most once."""
    for mechanism in (SHA_256, SHA_512):
        names = [f"user-{number}" for number in range(USERS) if mechanism == SHA_256 or draw.random() < 0.5]
        credentials = [
            ScramCredentialUpsertion(
                name, mechanism, draw.randint(4096, 16384), draw.randbytes(12), draw.randbytes(32 * mechanism)
            )
            for name in names
        ]
        answers = wire.ask(AlterUserScramCredentialsRequest([], credentials), 0).results
        assert not any(answer.error_code for answer in answers), answers


def create_acls(draw: random.Random, wire: Wire) -> None:
    for _ in range(ACLS):
        (answer,) = wire.ask(CreateAclsRequest([random_acl(draw)]), 3).results
        assert not answer.error_code, answer


def random_acl(draw: random.Random) -> AclCreation:
    return AclCreation(
        draw.choice((ResourceType.TOPIC, ResourceType.GROUP, ResourceType.TRANSACTIONAL_ID)),
        f"resource-{draw.randrange(1000)}",
        draw.choice((PatternType.LITERAL, PatternType.PREFIXED)),
        f"User:user-{draw.randrange(USERS)}",
        draw.choice(("*", "127.0.0.1")),
        draw.choice((AclOperation.ALL, AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DELETE)),
        draw.choice((Permission.ALLOW, Permission.DENY)),
    )
