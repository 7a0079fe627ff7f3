"""State of a lane, read and copied while its pipeline runs."""

from collections.abc import Callable
from typing import Any

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.head_file import ATTEMPTS
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.kept_lanes import DamagedLanes, KeptLane, copy_lane, kept_lanes, verify_lanes, with_newest
from tenure.pipeline.values.progress import ProgressStep
from tests.pipeline.harness import Harness, Killed, killed_at

KEYS = 200


class Interrupted:
    """Files with an action that happens before a file of a lane's state is opened."""

    def __init__(self, harness: Harness, happens: Callable[[], object]) -> None:
        self.harness = harness
        self.happens = happens
        self.times = 0

    def open(self, path: str) -> Any:
        self.times += 1
        self.happens()
        return self.harness.files.open(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.harness.files, name)


@pytest.fixture
def harness() -> Harness:
    harness = Harness(1)
    harness.produce(KEYS, KEYS)
    return harness


def process_more_batches(harness: Harness, times: int) -> Callable[[], object]:
    """Return an action with which the pipeline processes another batch with a new base, the first `times` times."""
    owner = harness.start("a").run()
    left = [times]

    def batch() -> None:
        if left[0]:
            left[0] -= 1
            harness.produce(KEYS, KEYS)
            owner.run()

    return batch


def test_verify_lanes__pipeline_replaces_files_meanwhile__no_error(harness: Harness) -> None:
    files = Interrupted(harness, process_more_batches(harness, ATTEMPTS - 1))
    (lane,) = harness.lanes()
    assert verify_lanes(files, harness.layout).found == {lane: None}
    assert files.times > ATTEMPTS - 1


def test_verify_lanes__state_file_missing__reported(harness: Harness) -> None:
    files = Interrupted(harness, process_more_batches(harness, 0))
    (lane,) = harness.lanes()
    for file in harness.committed_manifests()[lane].state.files:
        harness.files.now.pop(f"{harness.layout.state_directory(lane)}/{file.name}")
    assert "restore the state directory" in str(verify_lanes(files, harness.layout).damaged[lane])
    assert files.times == 1


def test_copy_lane__pipeline_replaces_files_meanwhile__copy_is_complete(harness: Harness) -> None:
    files = Interrupted(harness, process_more_batches(harness, 2))
    (lane,) = harness.lanes()
    copy = Layout.of(harness.layout.group, "/copy", "/copy")

    def copied(kept: KeptLane) -> KeptLane:
        copy_lane(files, kept, harness.layout, copy)
        return kept

    kept = with_newest(files, harness.layout, lane, copied)
    assert kept is not None
    assert kept == with_newest(harness.files, copy, lane, lambda found: found)
    assert verify_lanes(harness.files, copy).found == {lane: None}


def test_newest_manifest__replaced_during_every_attempt__error_after_the_last_attempt(harness: Harness) -> None:
    files = Interrupted(harness, process_more_batches(harness, ATTEMPTS))
    (lane,) = harness.lanes()

    def copied(kept: KeptLane) -> None:
        copy_lane(files, kept, harness.layout, Layout.of(harness.layout.group, "/copy", "/copy"))

    with pytest.raises(PipelineStopped) as stopped:
        with_newest(files, harness.layout, lane, copied)
    assert stopped.value.code is Code.STATE_MISSING


# --- damaged lanes ----------------------------------------------------------------------------------------------------

LANES = 5


@pytest.fixture
def five_lanes() -> Harness:
    """Return five lanes with two batches each."""
    harness = Harness(LANES)
    for _ in range(2):
        harness.produce(KEYS)
        harness.start("a", max_records=LANES * KEYS).run()
    return harness


def beside_state(harness: Harness, number: int, suffix: str = "", prefix: str = "") -> str:
    """Return the only file of a lane's state directory with such a name."""
    directory = harness.layout.state_directory(harness.lanes()[number])
    (path,) = (
        f"{directory}/{name}"
        for name in harness.files.names(directory)
        if name.endswith(suffix) and name.startswith(prefix)
    )
    return path


def test_kept_lanes__manifests_or_head_files_damaged_or_missing__each_damaged_lane_named(five_lanes: Harness) -> None:
    files, lanes = five_lanes.files, five_lanes.lanes()
    files.now[beside_state(five_lanes, 0, ".json")] += b" "
    del files.now[beside_state(five_lanes, 1, ".json")]
    files.now[beside_state(five_lanes, 2, prefix="HEAD-")] = b"tenure1:torn"
    del files.now[beside_state(five_lanes, 3, prefix="HEAD-")]
    found = kept_lanes(files, five_lanes.layout)
    assert list(found.found) == lanes[4:]
    assert {lane: stopped.code for lane, stopped in found.damaged.items()} == {
        lanes[0]: Code.STATE_DAMAGED,
        lanes[1]: Code.STATE_MISSING,
        lanes[2]: Code.STATE_DAMAGED,
        lanes[3]: Code.STATE_MISSING,
    }
    with pytest.raises(DamagedLanes, match=r"^STATE_DAMAGED: the state of 4 of 5 lanes cannot be read: ") as stopped:
        found.all()
    assert [str(lane) in str(stopped.value) for lane in lanes] == [True, True, True, True, False]
    assert verify_lanes(files, five_lanes.layout).damaged.keys() == found.damaged.keys()


@pytest.mark.parametrize("content", [b"", b"\xff", b"something else"])
def test_kept_lanes__head_file_has_no_valid_pointer__lane_is_damaged(five_lanes: Harness, content: bytes) -> None:
    five_lanes.files.now[beside_state(five_lanes, 0, prefix="HEAD-")] = content
    assert kept_lanes(five_lanes.files, five_lanes.layout).damaged.keys() == {five_lanes.lanes()[0]}


def test_kept_lanes__only_head_file_missing__lane_is_damaged() -> None:
    harness = Harness(1)
    harness.produce(KEYS)
    harness.start("a").run()
    del harness.files.now[beside_state(harness, 0, prefix="HEAD-")]
    assert kept_lanes(harness.files, harness.layout).damaged.keys() == {*harness.lanes()}


def test_kept_lanes__first_batch_not_published_yet__lane_is_left_out() -> None:
    harness = Harness(1)
    harness.produce(KEYS)
    with pytest.raises(Killed):
        harness.start("a", observer=killed_at(ProgressStep.STAGED)).run()
    assert beside_state(harness, 0, ".json")
    assert kept_lanes(harness.files, harness.layout).all() == []


def test_recovery__no_committed_pointer_and_head_file_damaged__stops_instead_of_empty_state(
    five_lanes: Harness,
) -> None:
    five_lanes.coordinator.log.clear()
    five_lanes.coordinator.restart()
    five_lanes.files.now[beside_state(five_lanes, 0, prefix="HEAD-")] = b"tenure1:torn"
    with pytest.raises(PipelineStopped) as stopped:
        five_lanes.start("a").run()
    assert (stopped.value.code, stopped.value.lane) == (Code.STATE_DAMAGED, five_lanes.lanes()[0])


def test_recovery__head_file_lost_but_pointer_committed__head_file_written_again(five_lanes: Harness) -> None:
    head = beside_state(five_lanes, 0, prefix="HEAD-")
    written = five_lanes.files.now.pop(head)
    five_lanes.start("a").run()
    assert five_lanes.files.now[head] == written
    assert len(kept_lanes(five_lanes.files, five_lanes.layout).all()) == LANES
