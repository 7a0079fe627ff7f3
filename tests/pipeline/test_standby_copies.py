"""Copies of the state of lanes that another member owns, on the host that may take them over, in virtual time."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from tenure.pipeline.state.standby_copies import StandbyCopies
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.values.lanes import Lane
from tests.pipeline.harness import Harness
from tests.quick import quick_first


class Hosts:
    """Two hosts, each with its copies. The pipeline runs on "a"; "b" has standby lanes."""

    def __init__(self, directory: Path, seed: int = 0) -> None:
        self.harness = Harness(seed=seed)
        self.caches = {name: StateCache(str(directory / name)) for name in ("a", "b")}
        job = self.harness.job(cache=self.caches["b"])
        harness = self.harness
        lane_state = partial(job.lane_state, harness.files)
        self.standby = StandbyCopies(harness.files, harness.layout, lane_state, harness.coordinator.committed)

    def run(self, host: str, records: int) -> None:
        """Produce records, and process all of them on a host."""
        self.harness.produce(records)
        process = self.harness.start(host, job=self.harness.job(cache=self.caches[host])).run()
        process.membership.leave()

    def refresh(self) -> None:
        self.standby.refresh(self.harness.lanes())

    def positions(self, *lanes: Lane) -> dict[Lane, int]:
        """Refresh the copies of these lanes, and return the positions of the complete ones."""
        return {lane: sum(manifest.end.values()) for lane, manifest in self.standby.refresh(lanes).items()}

    def copies(self, host: str) -> set[str]:
        """Return the digests of a host's copies."""
        return {path.stem for path in Path(self.caches[host].directory).rglob("*.arrow")}

    def committed(self) -> set[str]:
        """Return the digests of the files of the committed states."""
        manifests = self.harness.committed_manifests().values()
        return {file.digest for manifest in manifests for file in manifest.state.files}


def test_refresh_of_copies__batches_committed_on_another_host__exactly_the_committed_files(tmp_path: Path) -> None:
    hosts = Hosts(tmp_path)
    for records in (40, 1, 1, 40):
        hosts.run("a", records)
        hosts.refresh()
        assert hosts.copies("b") == hosts.committed() != set()


def test_refresh_of_copies__no_lanes_or_all_lanes__end_offset_of_each_copied_state_returned(tmp_path: Path) -> None:
    hosts = Hosts(tmp_path)
    assert hosts.positions(*hosts.harness.lanes()) == {}  # No batch was committed.
    hosts.run("a", 7)
    assert hosts.positions(*hosts.harness.lanes()) == dict.fromkeys(hosts.harness.lanes(), 7)
    assert hosts.positions() == {}


@pytest.mark.parametrize("seed", quick_first(range(6)))
def test_standby_host__gets_the_lanes_after_random_batches__continues_with_its_copies(
    tmp_path: Path, seed: int
) -> None:
    hosts, random = Hosts(tmp_path, seed), Random(seed)
    host = "a"
    for _ in range(12):
        hosts.run(host, random.choice([1, 5, 60]))
        if host == "a" and random.random() < 0.7:
            hosts.refresh()
            assert hosts.copies("b") >= hosts.committed()
        host = random.choice("ab")
    hosts.run("b", 1)
    hosts.harness.check()


def test_refresh_of_copies__files_of_a_lane_missing__lane_left_out_until_readable(tmp_path: Path) -> None:
    hosts = Hosts(tmp_path)
    hosts.run("a", 7)
    lane, other = hosts.harness.lanes()
    directory = hosts.harness.layout.state_directory(lane)
    gone = {path: data for path, data in hosts.harness.files.now.items() if path.startswith(f"{directory}/")}
    for path in gone:
        del hosts.harness.files.now[path]
    assert hosts.positions(lane, other) == {other: 7}
    hosts.harness.files.now.update(gone)
    assert hosts.positions(lane, other) == {lane: 7, other: 7}


def test_refresh_of_copies__copies_of_another_process_on_this_host__not_removed(tmp_path: Path) -> None:
    hosts = Hosts(tmp_path)
    hosts.run("b", 7)
    before = hosts.copies("b")
    hosts.refresh()
    hosts.run("a", 90)
    hosts.refresh()
    assert hosts.copies("b") == before | hosts.committed()
