"""A task processes the records of a lane in pieces: its results are those of one call with all records."""

import pyarrow as pa
import pytest

from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.task.job import OnBadRecord
from tests.pipeline.harness import FAILING, UNDECODABLE, Harness, counted


@pytest.mark.parametrize("piece_bytes", [1, 1 << 30])
def test_task__records_in_one_or_two_pieces__same_rows_state_and_dead_letters(
    piece_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.pipeline.task.task.LANE_PIECE_BYTES", piece_bytes)
    harness, calls = Harness(1), []

    def function(rows: pa.Table, state: KeyedState) -> pa.Table:
        calls.append(len(rows))
        return counted(rows, state)

    harness.produce(20)
    for offset, number in ((4, UNDECODABLE), (7, FAILING), (13, FAILING), (17, UNDECODABLE)):
        harness.log.partitions[0][offset] = ("k0-0", number)
    process = harness.start(job=harness.job(function, on_bad_record=OnBadRecord.DEAD_LETTER)).run()
    assert calls[0] == (9 if piece_bytes == 1 else 18)
    ((manifest, letters),) = process.letters
    assert pa.ipc.open_file(letters).read_all()["offset"].to_pylist() == [4, 7, 13, 17]
    assert (manifest.records, manifest.bad_records, manifest.sequence) == (20, 4, 1)
    good = [harness.log.partitions[0][offset] for offset in range(20) if offset not in (4, 7, 13, 17)]
    again = Harness(1)
    again.log.partitions[0] = good
    again.start().run()
    (expected,) = again.committed_manifests().values()
    assert harness.state(manifest) == again.state(expected)
    assert len(harness.visible_rows()) == len(good)
