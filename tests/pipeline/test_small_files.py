"""Growing files: fewer files, and at every moment each reader sees each committed row once."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import DirectoryPublisher
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.pipeline.values.progress import Progress, ProgressStep
from tests.pipeline.harness import Harness, Killed, killed_at

LARGE = 1_000_000


class Watched(DirectoryPublisher):
    """Directory that checks the visible rows at every rename: they are a prefix of each partition's rows."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.checks = 0

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        published: list[str] = []
        for output in outputs:
            published += super().publish(files, layout, manifest, [output])
            self.check_visible_rows()
        return published

    def check_visible_rows(self) -> None:
        self.checks += 1
        rows = self.harness.visible_rows()
        assert set(rows.values()) <= {1}
        for partition in range(len(self.harness.log.partitions)):
            offsets = sorted(offset for number, offset, _, _ in rows if number == partition)
            assert offsets == list(range(len(offsets)))


def growing(records: int = 50, grow_to_bytes: int = LARGE) -> tuple[Harness, dict[str, Any]]:
    harness = Harness()
    harness.publishers = {"": Watched(harness)}
    harness.produce(records)
    return harness, {"job": harness.job(sinks={"": ParquetFiles(grow_to_bytes=grow_to_bytes)})}


def test_growing_file__several_batches__one_file_per_lane_with_every_row() -> None:
    harness, settings = growing()
    process = harness.start(**settings).run()
    assert len(process.progress_at(ProgressStep.COMMITTED)) == 5
    assert len(harness.visible_names()) == 2
    assert harness.visible_rows() == harness.expected_rows()
    assert sum(progress.rows for progress in process.progress_at(ProgressStep.PUBLISHED)) == 100
    assert harness.orphans() == []


def test_growing_file__grow_to_bytes_reached__next_file_begins() -> None:
    harness, settings = growing(10)
    harness.start(**settings).run()
    small = min(len(harness.files.read(f"/out/{name}")) for name in harness.visible_names())
    harness, settings = growing(grow_to_bytes=small + 50)
    harness.start(**settings).run()
    assert 2 < len(harness.visible_names()) < 10
    assert harness.visible_rows() == harness.expected_rows()


def test_growing_file__reader_knows_the_old_length__finds_all_old_rows() -> None:
    """Read the rows as Spark does: a split contains the row groups whose middle is within it."""
    random = Random(7)
    lengths: list[tuple[int, int]] = []
    groups: list[pa.Table] = []
    for _ in range(12):
        groups.append(pa.table({"n": [random.getrandbits(40) for _ in range(random.choice([1, 100, 5_000]))]}))
        data = ParquetFiles().encode(*groups)
        lengths.append((len(data), sum(map(len, groups))))
        metadata = pyarrow.parquet.ParquetFile(pa.BufferReader(data)).metadata
        for length, rows in lengths:
            assert sum(number for middle, number in middles(metadata) if middle < length) >= rows


def middles(metadata: Any) -> list[tuple[float, int]]:
    """Return the middle of each row group, with its number of rows."""
    chunks = [
        (metadata.row_group(group), metadata.row_group(group).column(0)) for group in range(metadata.num_row_groups)
    ]
    return [
        ((chunk.dictionary_page_offset or chunk.data_page_offset) + chunk.total_compressed_size / 2, group.num_rows)
        for group, chunk in chunks
    ]


def test_growing_file__removed_or_changed_by_another_program__not_continued() -> None:
    harness, settings = growing()
    harness.start(**settings).run()
    (removed, changed), before = harness.visible_names(), harness.visible_rows()
    harness.files.remove(f"/out/{removed}")
    harness.files.write(f"/out/{changed}", harness.files.read(f"/out/{changed}") + b" ")
    harness.publishers = {"": DirectoryPublisher()}
    harness.produce(5)
    harness.start(**settings).run()
    assert removed not in harness.visible_names()
    assert changed in harness.visible_names()
    assert len(harness.visible_names()) == 3
    harness.files.remove(f"/out/{changed}")
    assert harness.visible_rows() == harness.expected_rows() - before


@pytest.mark.parametrize(
    "step", [ProgressStep.STAGED, ProgressStep.COMMITTED, ProgressStep.PUBLISHED, ProgressStep.SWEPT]
)
@pytest.mark.parametrize("nth", [1, 3])
def test_growing_file__killed_at_a_progress_step_and_power_failure__every_row_once(
    step: ProgressStep, nth: int
) -> None:
    harness, settings = growing()
    with pytest.raises(Killed):
        harness.start(observer=killed_at(step, nth), **settings).run()
    harness.files.crash(Random(nth))
    harness.start(**settings).run()
    assert harness.visible_rows() == harness.expected_rows()
    assert len(harness.visible_names()) == 2


def test_growing_file__zombie_publishes_late__no_row_lost() -> None:
    harness, settings = growing()
    successors: list[object] = []

    def taken_over(progress: Progress) -> None:
        if progress.step is ProgressStep.COMMITTED and not successors:
            successors.append(harness.start("a", **settings).run())

    with pytest.raises(PipelineStopped) as stopped:
        harness.start("a", observer=taken_over, **settings).run()
    assert stopped.value.code is Code.FENCED
    assert harness.visible_rows() == harness.expected_rows()


def test_growing_file__staged_replacement_lost_before_publication__pipeline_stops() -> None:
    harness, settings = growing()
    with pytest.raises(Killed):
        harness.start(observer=killed_at(ProgressStep.COMMITTED, 4), **settings).run()
    for path in [path for path in harness.files.now if "_staged" in path]:
        del harness.files.now[path]
    with pytest.raises(PipelineStopped, match="also where it was staged") as stopped:
        harness.start(**settings).run()
    assert stopped.value.code is Code.OUTPUT_MISSING
