"""Locations of a backfill's outputs."""

from typing import Any

import pytest

from tenure.spark import (
    Delta,
    Iceberg,
    Parquet,
    Pipeline,
    PipelineConfigError,
    Sql,
    Topic,
    for_each_batch,
    json,
    map_batches,
)
from tenure.spark.operations.backfill import renamed_pipeline

SOURCE = Topic("words", json("word string"))


def declared(sink: Any, side: Any = None) -> Pipeline:
    return Pipeline("count", SOURCE, map_batches(lambda rows: rows), sink, "/state", side=side or {})


@pytest.mark.parametrize(
    ("sink", "place", "moved"),
    [
        (Parquet("/out", compression="zstd"), "/p=1/again", Parquet("/p=1/again", compression="zstd")),
        (Delta("/out", partition_by="n"), "/again", Delta("/again", partition_by="n")),
        (Iceberg("db.out", "c"), "db.again", Iceberg("db.again", "c")),
        (Sql("sqlite://", "out", key="n"), "again", Sql("sqlite://", "again", key="n")),
        (Topic("out", json("n long")).keyed_by("n"), "again", Topic("again", json("n long")).keyed_by("n")),
    ],
)
def test_backfill_destination__each_sink__replaced_and_other_settings_kept(sink: Any, place: str, moved: Any) -> None:
    again = renamed_pipeline(declared(sink), "again", [place])
    assert (again.name, again.sink) == ("again", moved)
    assert again.state_directory == (None if isinstance(sink, Parquet | Delta) else "/state")
    beside = renamed_pipeline(declared(Parquet("/a"), {"late": sink}), "again", ["/b", f"late={place}"])
    assert (beside.sink, beside.side) == (Parquet("/b"), {"late": moved})


def test_backfill_destination__sink_is_a_function__unchanged() -> None:
    pipeline = declared(for_each_batch(print))
    assert renamed_pipeline(pipeline, "again", []).sink is pipeline.sink
    with pytest.raises(
        PipelineConfigError, match="main output is a function, which has no location: leave out --into x"
    ):
        renamed_pipeline(pipeline, "again", ["x"])


@pytest.mark.parametrize(
    ("name", "into", "message"),
    [
        ("again", [], r"set both --name and --into for the main output \(--into DIRECTORY\)"),
        (None, ["/b"], "set both --name and --into"),
        ("again", ["/b"], r"--into for the side output 'late' \(--into late=TABLE\)"),
        ("again", ["/b", "lat=t"], "two locations for the main output, /b and lat=t"),
    ],
)
def test_backfill_destination__missing_or_ambiguous__refused(name: str | None, into: list[str], message: str) -> None:
    with pytest.raises(PipelineConfigError, match=message):
        renamed_pipeline(declared(Parquet("/a"), {"late": Sql("sqlite://", "late")}), name, into)
