"""Scenarios of commits that the assignment epoch of a partition fences (rules 3.10, 4.3 to 4.5; 9.6).

Tenure's broker has the policy `kafka`. Members get the epochs 2, 3, 4, ... as they join; the docstring of `settled`
says which member has owned what since when.
"""

from __future__ import annotations

from tenure.protocol.messages import OffsetFetchRequest, OffsetFetchRequestGroup
from tests.oracle.classic_requests import TOPIC
from tests.oracle.client_versions import CLIENT_VERSIONS
from tests.oracle.consumer_requests import LEAVES, LEAVES_TEMPORARILY, Consumers
from tests.oracle.scenarios import scenario

COMMITS = (9, 10)
BEFORE_MEMBER_EPOCHS = (0, 3, 6, 8)


def settled(group: Consumers) -> None:
    """Let A (epoch 4) own 0 and 1 since 2, B (4) own 2 since 3, and C (4) own 3 since 4."""
    group.stabilize_consumers("A", "B", "C")
    group.proceed("A")
    group.proceed("B")
    group.proceed("C")


def regained(group: Consumers) -> None:
    """Let A (epoch 4) own 0 and 1 since 2, and 2 and 3 since 4, which it also owned from 2 to 3."""
    group.stabilize_consumers("A", "B")
    group.consumer_leave("B")
    group.proceed("A")
    group.proceed("A")


@scenario("135", COMMITS)
def equal(group: Consumers) -> None:
    settled(group)
    group.consumer_commit("A", 0, 1)
    group.consumer_commit("B", 2)
    group.consumer_commit("C", 3, offset=9)
    group.consumer_fetch("A")
    group.consumer_fetch("B", partitions=None)


@scenario("136", COMMITS)
def older_kept(group: Consumers) -> None:
    settled(group)
    for epoch in (1, 2, 3):
        group.consumer_commit("A", 0, 1, epoch=epoch, offset=epoch)
        group.consumer_commit("B", 2, epoch=epoch, offset=epoch)
        group.consumer_commit("C", 3, epoch=epoch, offset=epoch)
    group.consumer_fetch("A")
    group.consumer_commit("A", 0, epoch=0)
    group.consumer_commit("A", 0, epoch=-1)


@scenario("136", COMMITS, A="a", B="b", C="c")
def older_kept_static(group: Consumers) -> None:
    older_kept(group)


@scenario("137", COMMITS)
def older_regained(group: Consumers) -> None:
    regained(group)
    for epoch in (1, 2, 3, 4):
        group.consumer_commit("A", 0, 1, epoch=epoch, offset=10 + epoch)
        group.consumer_commit("A", 2, epoch=epoch, offset=20 + epoch)
        group.consumer_commit("A", 3, epoch=epoch, offset=30 + epoch)
    group.consumer_fetch("A")
    group.consumer_describe()


@scenario("138", COMMITS)
def mixed(group: Consumers) -> None:
    regained(group)
    group.consumer_commit("A", 0, 2, epoch=3)
    group.consumer_commit("A", 2, 0, epoch=3)
    group.consumer_commit("A", 0, 1, epoch=3)
    group.consumer_fetch("A")


@scenario("138", COMMITS)
def mixed_with_metadata_that_is_too_long(group: Consumers) -> None:
    """Refuse metadata that is too long for its own partition; the epoch is not checked for it."""
    regained(group)
    long = "x" * 5_000
    group.consumer_commit("A", 2, epoch=3, metadata=long)
    group.consumer_commit("A", 2, 0, epoch=3, metadata=long)
    group.consumer_commit("A", 0, 1, epoch=9, metadata=long)
    group.consumer_commit("A", 0, topic="no-such-topic", epoch=3)
    group.consumer_commit("A", 9, -1, 0, epoch=3)
    group.consumer_fetch("A")


@scenario("139", COMMITS)
def pending_revocation(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_commit("A", 2, 3)
    group.consumer_commit("A", 2, epoch=1)
    group.consumer_commit("B", 2)
    group.consumer_commit("B", 3, epoch=2)
    group.consumer_heartbeat("A", owned={TOPIC: (0, 1)})
    group.consumer_commit("A", 2, 3, epoch=2)
    group.consumer_commit("A", 0, 1, epoch=2)
    group.consumer_fetch("A")


@scenario("139", COMMITS)
def pending_revocation_and_an_older_epoch(group: Consumers) -> None:
    """Let A (epoch 3) revoke partition 1, which it has owned since 2."""
    group.stabilize_consumers("A", "B")
    group.consumer_join("C")
    group.consumer_join("D")
    group.consumer_heartbeat("A")
    for epoch in (1, 2, 3):
        group.consumer_commit("A", 0, epoch=epoch, offset=epoch)
        group.consumer_commit("A", 1, epoch=epoch, offset=10 + epoch)
        group.consumer_commit("A", 2, epoch=epoch, offset=20 + epoch)
    group.consumer_fetch("A")


@scenario("139")
def pending_revocation_and_back(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_leave("B")
    group.consumer_heartbeat("A", owned={TOPIC: (0, 1)})
    for epoch in (1, 2, 3, 4):
        group.consumer_commit("A", 0, epoch=epoch, offset=epoch)
        group.consumer_commit("A", 3, epoch=epoch, offset=epoch)
    group.consumer_describe()


@scenario("140", COMMITS)
def not_assigned(group: Consumers) -> None:
    settled(group)
    group.consumer_commit("A", 3, epoch=3)
    group.consumer_commit("A", 3)
    group.consumer_commit("A", 0, 3, epoch=2)
    group.consumer_commit("C", 0, epoch=3)
    group.consumer_commit("C", 0)
    group.consumer_commit("A", topic="no-such-topic")
    group.consumer_fetch("A")


@scenario("141", COMMITS)
def greater(group: Consumers) -> None:
    settled(group)
    for epoch in (5, 2**31 - 1):
        group.consumer_commit("A", 0, epoch=epoch)
    group.consumer_commit("A", 0, epoch=-2)
    group.consumer_fetch("A")


@scenario("4.3", COMMITS)
def commits_of_unknown_members(group: Consumers) -> None:
    group.consumer_commit("A", epoch=3, member_id="nobody")
    group.commit_anonymously("admin", {3: 1})
    settled(group)
    for epoch in (-1, 4, 0):
        group.consumer_commit("A", epoch=epoch, member_id="nobody")
        group.consumer_commit("A", epoch=epoch, member_id="", instance=None)
    group.consumer_leave("A")
    group.consumer_commit("A", 0)
    group.consumer_leave("B")
    group.consumer_leave("C")
    group.commit_anonymously("admin", {0: 8})
    group.consumer_commit("A", 1, epoch=-1)
    group.consumer_commit("A", 2, epoch=-7, member_id="nobody")
    group.consumer_commit("A", 3, epoch=4)
    group.consumer_fetch("A")
    group.consumer_fetch("A", -1, None)


@scenario("144", BEFORE_MEMBER_EPOCHS)
def before_member_epochs(group: Consumers) -> None:
    group.consumer_heartbeat(
        "A", 0, group.draw_id("A"), owned={}, names=[TOPIC], assignor="range", rebalance_timeout_ms=1, version=1
    )
    group.consumer_commit("A")
    group.consumer_commit("A", epoch=9)
    group.consumer_commit("A", epoch=-1)
    group.consumer_commit("A", member_id="nobody")
    group.commit_anonymously("A")
    group.fetch()
    group.consumer_leave("A", version=1)
    group.consumer_commit("A")
    group.commit_anonymously("A")
    group.fetch()


@scenario("145", COMMITS, A="a", B="a")
def released_static(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_commit("A", 0)
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    for epoch in (7, 2, 0, -1, -2):
        group.consumer_commit("A", 0, epoch=epoch, offset=100 + epoch)
    for epoch in (2, 0, -1, -2):
        group.consumer_fetch("A", epoch)
    group.consumer_join("B")
    for epoch in (0, 1, 2, 3):
        group.consumer_commit("B", 1, epoch=epoch, offset=200 + epoch)
        group.consumer_commit("A", 2, epoch=epoch)
    group.consumer_fetch("B", partitions=None)


@scenario("4.6", COMMITS, A="a", B="b")
def a_successor_inherits_with_epoch_0(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_join("A")
    group.consumer_commit("A", 0, epoch=0)
    group.consumer_commit("A", 0, 1, epoch=2)
    group.consumer_commit("A", 2, epoch=2)
    group.consumer_commit("A", 0, epoch=4)
    group.consumer_leave("B")
    group.consumer_heartbeat("A")
    group.consumer_commit("A", 0, 2, epoch=3)
    group.consumer_commit("A", 0, epoch=3)


@scenario("4.3", A="a", B="b")
def the_instance_id_of_a_commit_is_not_checked(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_commit("A", 0, instance=None)
    group.consumer_commit("A", 0, instance="b")
    group.consumer_commit("A", 0, instance="missing-group")


@scenario("134", COMMITS)
def fetch_stale(group: Consumers) -> None:
    settled(group)
    group.consumer_commit("A", 0)
    for epoch in (4, 3, 5, 0, -1):
        group.consumer_fetch("A", epoch)
        group.consumer_fetch("A", epoch, partitions=None)
        group.consumer_fetch("A", epoch, "")
        group.consumer_fetch("A", epoch, None)
        group.consumer_fetch("A", epoch, "nobody")
    group.fetch()


@scenario("134", (9, 10))
def fetch_before_member_epochs(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_commit("A", 0, 1)
    for version in (1, 5, 7, 8):
        group.fetch(version=version)
    group.fetch(require_stable=True)
    asked = [
        OffsetFetchRequestGroup(group.id, "A.1", 2, None),
        OffsetFetchRequestGroup(group.id, "A.1", 1, []),
        OffsetFetchRequestGroup("missing-group", "A.1", 1, None),
    ]
    group.session.ask("A", OffsetFetchRequest(groups=asked), CLIENT_VERSIONS[9].fetch)


@scenario("134")
def fetch_before_partitions_are_revoked(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_commit("A", 0, 3)
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_fetch("A")
    group.consumer_fetch("B")
    group.consumer_heartbeat("A", owned={TOPIC: (0, 1)})
    group.consumer_fetch("A", 2)
    group.consumer_fetch("A")


@scenario("3.10", (0, 9))
def delete_offsets_of_a_consumer_group(group: Consumers) -> None:
    group.consumer_join("A", names=[TOPIC, "missing-topic"])
    group.consumer_commit("A", 0, 1)
    group.delete_offsets()
    group.delete_offsets(topics=[TOPIC, "no-such-topic", "missing-topic"])
    group.consumer_heartbeat("A", names=["missing-topic"])
    group.delete_offsets(partitions=(0,))
    group.fetch()
    group.consumer_leave("A")
    group.delete_offsets(partitions=(1, 2, 9))
    group.fetch()
    group.consumer_describe()


@scenario("3.10", (0, 9))
def delete_group(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_commit("A", 0, 1)
    group.delete()
    group.consumer_leave("A", epoch=LEAVES)
    group.delete(others=["missing-group", group.id])
    group.consumer_describe()
    group.fetch()
    group.delete()
    group.consumer_join("A")
    group.consumer_describe()


@scenario("3.10", A="a")
def delete_group_whose_only_member_is_away(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.delete()
    group.delete_offsets()
    group.consumer_leave("A", epoch=LEAVES)
    group.delete()
