"""The present code continues with the files of an earlier commit."""

import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.admin import Admin
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.pipeline.values.manifest import parse_pointer
from tenure.spark.operations.state import lane_problems, published_lanes
from tests.serving import serving
from tests.upgrades.left_behind import FIRST, GROUP, INSTANCE, PARTITIONS, THEN, TOPIC, counting, expected

LEFT_BEHIND = sorted(Path(__file__).parent.glob("*.tar.gz"))


@pytest.fixture(params=LEFT_BEHIND, ids=lambda archive: archive.name.partition(".")[0])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with tarfile.open(request.param) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.fixture
def address(place: Path) -> Iterator[str]:
    with serving(place / "data") as broker:
        yield broker.address


def test_broker__data_directory_of_an_earlier_release__same_topics_groups_and_commits(address: str) -> None:
    with Admin(address) as admin:
        (topic,) = (found for found in admin.list_topics() if found.topic == TOPIC)
        (group,) = admin.describe_groups([GROUP])
        committed = admin.committed_offsets(GROUP)
    assert len(topic.partitions) == PARTITIONS
    assert [member.group_instance_id for member in group.members] == [f"{INSTANCE}-thread-1"]
    assert FIRST < sum(at.offset for at in committed.values()) <= THEN
    assert all(parse_pointer(at.metadata) for at in committed.values())


def test_pipeline_state__written_by_an_earlier_release__complete(place: Path) -> None:
    pipeline = counting(place / "out")
    assert len(published_lanes(pipeline).all()) == PARTITIONS
    assert set(lane_problems(pipeline, None).values()) == {""}
    counted = Counter(word for word, _, _ in expected(FIRST))
    assert {row["word"]: row["seen"] for row in pipeline.state().to_pylist()} == counted


def test_pipeline_group__of_an_earlier_release__commits_agree_with_the_state(place: Path, address: str) -> None:
    assert set(lane_problems(counting(place / "out"), {BOOTSTRAP_SERVERS: address}).values()) == {""}
