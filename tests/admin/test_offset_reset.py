"""Target offsets of a reset: each specification, and properties of any plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.admin.offset_reset import (
    ALL_EARLIER,
    METADATA_LOST,
    NO_COMMIT,
    KnownOffsets,
    NothingToShiftFrom,
    ShiftBy,
    Target,
    ToCurrent,
    ToEarliest,
    ToLatest,
    ToListed,
    ToOffset,
    ToTimestamp,
    plan,
)
from tenure.client.values import OffsetAndMetadata, TopicPartition

AT = TopicPartition("t", 0)
FRESH = KnownOffsets(10, 50, None)
READ = KnownOffsets(10, 50, OffsetAndMetadata(30))
NOTED = KnownOffsets(10, 50, OffsetAndMetadata(30, "note", 7))


def offset(target: Target, known: KnownOffsets) -> tuple[int, str]:
    (change,) = plan(target, {AT: known})
    return change.target.offset, change.note


@pytest.mark.parametrize(
    ("target", "known", "expected"),
    [
        (ToEarliest(), READ, (10, "")),
        (ToLatest(), READ, (50, "")),
        (ToCurrent(), READ, (30, "")),
        (ToCurrent(), FRESH, (50, NO_COMMIT)),
        (ToOffset(12), FRESH, (12, "")),
        (ToOffset(50), FRESH, (50, "")),
        (ToOffset(51), FRESH, (50, "51 was requested, the partition ends at 50")),
        (ToOffset(9), FRESH, (10, "9 was requested, the partition begins at 10")),
        (ShiftBy(-5), READ, (25, "")),
        (ShiftBy(5), READ, (35, "")),
        (ShiftBy(-21), READ, (10, "9 was requested, the partition begins at 10")),
        (ShiftBy(21), READ, (50, "51 was requested, the partition ends at 50")),
        (ToTimestamp(1), READ._replace(at_timestamp=20), (20, "")),
        (ToTimestamp(1), READ, (50, ALL_EARLIER)),
        (ToListed({AT: OffsetAndMetadata(11)}), READ, (11, "")),
        (ToListed({AT: OffsetAndMetadata(99)}), READ, (50, "99 was requested, the partition ends at 50")),
        (ToEarliest(), KnownOffsets(10, 10, None), (10, "")),
        (
            ToCurrent(),
            KnownOffsets(40, 50, OffsetAndMetadata(30)),
            (40, "30 was requested, the partition begins at 40"),
        ),
    ],
)
def test_reset_plan__one_partition__offset_within_the_log_and_note_on_changes(
    target: Target, known: KnownOffsets, expected: tuple[int, str]
) -> None:
    assert offset(target, known) == expected


def test_reset_plan__offset_unchanged__metadata_and_leader_epoch_unchanged() -> None:
    for target in (ToCurrent(), ToOffset(30), ShiftBy(0), ToListed({AT: OffsetAndMetadata(30)})):
        (change,) = plan(target, {AT: NOTED})
        assert (change.target, change.note, change.distance) == (NOTED.committed, "", 0)


def test_reset_plan__offset_changes__metadata_removed_with_a_note() -> None:
    (change,) = plan(ToEarliest(), {AT: NOTED})
    assert (change.target, change.note, change.distance) == (OffsetAndMetadata(10), METADATA_LOST, -20)
    (change,) = plan(ToOffset(99), {AT: NOTED})
    assert change.note == f"99 was requested, the partition ends at 50; {METADATA_LOST}"


def test_reset_plan__file_has_metadata__used_unless_the_offset_is_out_of_range() -> None:
    listed = OffsetAndMetadata(20, "from the file", 3)
    (change,) = plan(ToListed({AT: listed}), {AT: NOTED})
    assert (change.target, change.note) == (listed, "")
    (change,) = plan(ToListed({AT: listed._replace(offset=60)}), {AT: FRESH})
    assert change.target == OffsetAndMetadata(50)


def test_reset_plan__shift_of_partitions_without_a_commit__error_names_all_of_them() -> None:
    known = {TopicPartition("t", 2): FRESH, TopicPartition("t", 1): FRESH, AT: READ}
    with pytest.raises(NothingToShiftFrom, match="No committed offset to shift for t-1, t-2"):
        plan(ShiftBy(1), known)


offsets = st.integers(0, 1_000)
committed = st.none() | st.builds(OffsetAndMetadata, offsets, st.sampled_from(["", "m"]), st.integers(-1, 3))
known_of_one = st.tuples(offsets, offsets, committed, st.none() | offsets).map(
    lambda drawn: KnownOffsets(min(drawn[:2]), max(drawn[:2]), drawn[2], drawn[3])
)
targets = st.one_of(
    st.sampled_from([ToEarliest(), ToLatest(), ToCurrent(), ToTimestamp(5)]),
    st.builds(ToOffset, offsets),
    st.builds(ShiftBy, st.integers(-1_000, 1_000)),
)


@given(targets, st.dictionaries(st.integers(0, 5).map(lambda at: TopicPartition("t", at)), known_of_one))
def test_reset_plan__random_targets__offsets_within_the_log_and_a_note_on_each_difference(
    target: Target, known: dict[TopicPartition, KnownOffsets]
) -> None:
    if isinstance(target, ShiftBy):
        known = {at: one for at, one in known.items() if one.committed is not None}
    changes = plan(target, known)
    assert [change.partition for change in changes] == sorted(known)
    for change in changes:
        one = known[change.partition]
        assert one.earliest <= change.target.offset <= one.latest
        if isinstance(target, ToOffset) and not change.note:
            assert change.target.offset == target.offset
