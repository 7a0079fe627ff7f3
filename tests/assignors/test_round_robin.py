from tests.assignors.groups import assign, dynamic


def test_round_robin__equal_subscriptions__partitions_in_turn_across_topics() -> None:
    assert assign("roundrobin", [dynamic("a", "t", "u"), dynamic("b", "t", "u")], t=3, u=3) == {
        "a": {"t": [0, 2], "u": [1]},
        "b": {"t": [1], "u": [0, 2]},
    }


def test_round_robin__different_subscriptions__members_without_the_topic_skipped() -> None:
    members = [dynamic("a", "t"), dynamic("b", "t", "u"), dynamic("c", "t", "u", "v")]
    assert assign("roundrobin", members, t=1, u=2, v=3) == {
        "a": {"t": [0]},
        "b": {"u": [0]},
        "c": {"u": [1], "v": [0, 1, 2]},
    }


def test_round_robin__topic_without_subscribers__next_topic_continues_with_the_same_member() -> None:
    assert assign("roundrobin", [dynamic("a", "t", "v"), dynamic("b", "v")], t=1, u=5, v=2) == {
        "a": {"t": [0], "v": [1]},
        "b": {"v": [0]},
    }
