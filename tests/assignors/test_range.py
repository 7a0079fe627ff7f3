from hypothesis import given
from hypothesis import strategies as st

from tenure.assignors import range as range_assignor
from tenure.assignors.members import SubscribedMember, assign_by_name


def shares(*members: SubscribedMember, **counts: int) -> dict[str, dict[str, list[int]]]:
    return assign_by_name(range_assignor.assign, members, counts)


def test_range__uneven__the_lower_key_gets_one_more() -> None:
    a, b = SubscribedMember("a", None, ["t"]), SubscribedMember("b", None, ["t"])
    assert shares(b, a, t=3) == {"a": {"t": [0, 1]}, "b": {"t": [2]}}


def test_range__static_members_with_new_member_ids__same_assignment() -> None:
    before = shares(SubscribedMember("z-1", "i1", ["t"]), SubscribedMember("a-1", "i2", ["t"]), t=4)
    after = shares(SubscribedMember("a-2", "i1", ["t"]), SubscribedMember("z-2", "i2", ["t"]), t=4)
    assert (before["z-1"], before["a-1"]) == (after["a-2"], after["z-2"])


def test_range__static_and_dynamic_members__static_ones_come_first() -> None:
    assert shares(SubscribedMember("a", None, ["t"]), SubscribedMember("z", "z", ["t"]), t=1)["z"] == {"t": [0]}


def test_range__names_beyond_the_basic_plane__ordered_as_java_orders_them() -> None:
    bmp, astral = "\uffee", "\U0001f600"  # by code point the first is smaller, by UTF-16 unit (D83D) the second
    assert shares(SubscribedMember(bmp, None, ["t"]), SubscribedMember(astral, None, ["t"]), t=1)[astral] == {"t": [0]}


def test_range__more_members_than_partitions__the_last_get_nothing() -> None:
    members = [SubscribedMember(name, None, ["t"]) for name in "abc"]
    assert shares(*members, t=2) == {"a": {"t": [0]}, "b": {"t": [1]}, "c": {}}


def test_range__topic_without_partitions_or_subscribers__nobodys() -> None:
    assert shares(SubscribedMember("a", None, ["gone", "t"]), t=1, other=3) == {"a": {"t": [0]}}


def test_range__different_subscriptions__each_topic_is_dealt_by_itself() -> None:
    a, b = SubscribedMember("a", None, ["t", "u"]), SubscribedMember("b", None, ["u"])
    assert shares(a, b, t=2, u=2) == {"a": {"t": [0, 1], "u": [0]}, "b": {"u": [1]}}


@given(st.lists(st.integers(0, 30), max_size=5), st.data())
def test_range__any_subscriptions__each_partition_once_in_blocks_that_differ_by_one(
    counts: list[int], data: st.DataObject
) -> None:
    topics = st.sets(st.sampled_from(range(len(counts)))) if counts else st.just(set[int]())
    subscriptions = [sorted(wanted) for wanted in data.draw(st.lists(topics, max_size=7))]
    for topic, owners in enumerate(range_assignor.assign(counts, subscriptions)):
        subscribers = [member for member, wanted in enumerate(subscriptions) if topic in wanted]
        assert len(owners) == counts[topic]
        if not subscribers:
            assert set(owners) <= {-1}
            continue
        assert owners == sorted(owners)
        sizes = [owners.count(member) for member in subscribers]
        assert sum(sizes) == counts[topic]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] - sizes[-1] <= 1
