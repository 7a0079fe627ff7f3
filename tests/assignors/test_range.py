"""`range` according to docs/rules.md; `test_against_kafka.py` compares it with Kafka's own class."""

from tests.assignors.groups import assign, dynamic, member


def test_range__partitions_not_divisible_by_members__first_member_gets_one_more() -> None:
    assert assign("range", [dynamic("b", "t"), dynamic("a", "t")], t=3) == {"a": {"t": [0, 1]}, "b": {"t": [2]}}


def test_range__static_members_with_new_member_ids__same_assignment() -> None:
    before = assign("range", [member("z-1", "i1", "t"), member("a-1", "i2", "t")], t=4)
    after = assign("range", [member("a-2", "i1", "t"), member("z-2", "i2", "t")], t=4)
    assert (before["z-1"], before["a-1"]) == (after["a-2"], after["z-2"])


def test_range__static_and_dynamic_members__static_members_sorted_before_dynamic_ones() -> None:
    assert assign("range", [dynamic("a", "t"), member("z", "z", "t")], t=1)["z"] == {"t": [0]}


def test_range__member_ids_with_rare_unicode_characters__sorted_as_in_java() -> None:
    bmp, astral = "\uffee", "\U0001f600"  # by code point the first is smaller, by UTF-16 unit (D83D) the second
    assert assign("range", [dynamic(bmp, "t"), dynamic(astral, "t")], t=1)[astral] == {"t": [0]}


def test_range__more_members_than_partitions__last_members_get_no_partition() -> None:
    assert assign("range", [dynamic(name, "t") for name in "abc"], t=2) == {"a": {"t": [0]}, "b": {"t": [1]}, "c": {}}


def test_range__topic_without_partitions_or_subscribers__not_assigned() -> None:
    assert assign("range", [dynamic("a", "gone", "t")], t=1, other=3) == {"a": {"t": [0]}}


def test_range__different_subscriptions__each_topic_assigned_separately() -> None:
    assert assign("range", [dynamic("a", "t", "u"), dynamic("b", "u")], t=2, u=2) == {
        "a": {"t": [0, 1], "u": [0]},
        "b": {"u": [1]},
    }


def test_range__no_members__empty_assignment() -> None:
    assert assign("range", [], t=2) == {}


def test_range__members_with_racks__equal_shares_and_partitions_of_their_rack_preferred() -> None:
    a, b = member("a", None, "t", rack="x"), member("b", None, "t", rack="y")
    assert assign("range", [a, b], t=["y", "y", "x", "y"]) == {"a": {"t": [2, 3]}, "b": {"t": [0, 1]}}


def test_range__members_with_racks_and_equal_subscriptions__topics_co_partitioned() -> None:
    a, b = member("a", None, "t", "u", rack="x"), member("b", None, "t", "u", rack="y")
    assert assign("range", [a, b], t=["y", "x"], u=["y", "y"]) == {
        "a": {"t": [1], "u": [1]},
        "b": {"t": [0], "u": [0]},
    }
