"""Fencing of commits of a consumer group by the epoch in which each partition was assigned.

Rules 3.10, 4.3 to 4.5; 9.6. Our broker has the policy `kafka`. Members get epoch 2, 3, 4, ... as they join; `settled`
below documents who has owned what since when.
"""

from __future__ import annotations

from tenure.protocol.messages import OffsetFetchRequest, OffsetFetchRequestGroup
from tests.oracle.actors import TOPIC
from tests.oracle.consumers import LEAVES, STEPS_OUT, Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.vintages import VINTAGES

COMMITS = (9, 10)
BEFORE_MEMBER_EPOCHS = (0, 3, 6, 8)


def settled(group: Consumers) -> None:
    """A at 4 has 0 and 1 since 2; B at 4 has 2 since 3; C at 4 has 3 since 4."""
    group.settle_consumers("A", "B", "C")
    group.go_on("A")
    group.go_on("B")
    group.go_on("C")


def regained(group: Consumers) -> None:
    """A at 4 has 0 and 1 since 2, and 2 and 3 since 4, which it had from 2 to 3 as well."""
    group.settle_consumers("A", "B")
    group.go("B")
    group.go_on("A")
    group.go_on("A")


@scenario("135", COMMITS)
def equal(group: Consumers) -> None:
    settled(group)
    group.save("A", 0, 1)
    group.save("B", 2)
    group.save("C", 3, offset=9)
    group.read("A")
    group.read("B", partitions=None)


@scenario("136", COMMITS)
def older_kept(group: Consumers) -> None:
    settled(group)
    for epoch in (1, 2, 3):
        group.save("A", 0, 1, epoch=epoch, offset=epoch)
        group.save("B", 2, epoch=epoch, offset=epoch)
        group.save("C", 3, epoch=epoch, offset=epoch)
    group.read("A")
    group.save("A", 0, epoch=0)
    group.save("A", 0, epoch=-1)


@scenario("136", COMMITS, A="a", B="b", C="c")
def older_kept_static(group: Consumers) -> None:
    older_kept(group)


@scenario("137", COMMITS)
def older_regained(group: Consumers) -> None:
    regained(group)
    for epoch in (1, 2, 3, 4):
        group.save("A", 0, 1, epoch=epoch, offset=10 + epoch)
        group.save("A", 2, epoch=epoch, offset=20 + epoch)
        group.save("A", 3, epoch=epoch, offset=30 + epoch)
    group.read("A")
    group.look()


@scenario("138", COMMITS)
def mixed(group: Consumers) -> None:
    regained(group)
    group.save("A", 0, 2, epoch=3)
    group.save("A", 2, 0, epoch=3)
    group.save("A", 0, 1, epoch=3)
    group.read("A")


@scenario("138", COMMITS)
def mixed_with_what_is_refused_anyway(group: Consumers) -> None:
    """Metadata that is too long is answered for itself, and is no reason to look at the epoch."""
    regained(group)
    long = "x" * 5_000
    group.save("A", 2, epoch=3, metadata=long)
    group.save("A", 2, 0, epoch=3, metadata=long)
    group.save("A", 0, 1, epoch=9, metadata=long)
    group.save("A", 0, topic="no-such-topic", epoch=3)
    group.save("A", 9, -1, 0, epoch=3)
    group.read("A")


@scenario("139", COMMITS)
def pending_revocation(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.beat("A")
    group.save("A", 2, 3)
    group.save("A", 2, epoch=1)
    group.save("B", 2)
    group.save("B", 3, epoch=2)
    group.beat("A", owned={TOPIC: (0, 1)})
    group.save("A", 2, 3, epoch=2)
    group.save("A", 0, 1, epoch=2)
    group.read("A")


@scenario("139", COMMITS)
def pending_revocation_and_an_older_epoch(group: Consumers) -> None:
    """A at 3 is to give up 1, which it has since 2."""
    group.settle_consumers("A", "B")
    group.come("C")
    group.come("D")
    group.beat("A")
    for epoch in (1, 2, 3):
        group.save("A", 0, epoch=epoch, offset=epoch)
        group.save("A", 1, epoch=epoch, offset=10 + epoch)
        group.save("A", 2, epoch=epoch, offset=20 + epoch)
    group.read("A")


@scenario("139")
def pending_revocation_and_back(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.beat("A")
    group.go("B")
    group.beat("A", owned={TOPIC: (0, 1)})
    for epoch in (1, 2, 3, 4):
        group.save("A", 0, epoch=epoch, offset=epoch)
        group.save("A", 3, epoch=epoch, offset=epoch)
    group.look()


@scenario("140", COMMITS)
def not_assigned(group: Consumers) -> None:
    settled(group)
    group.save("A", 3, epoch=3)
    group.save("A", 3)
    group.save("A", 0, 3, epoch=2)
    group.save("C", 0, epoch=3)
    group.save("C", 0)
    group.save("A", topic="no-such-topic")
    group.read("A")


@scenario("141", COMMITS)
def greater(group: Consumers) -> None:
    settled(group)
    for epoch in (5, 2**31 - 1):
        group.save("A", 0, epoch=epoch)
    group.save("A", 0, epoch=-2)
    group.read("A")


@scenario("4.3", COMMITS)
def who_is_no_member(group: Consumers) -> None:
    group.save("A", epoch=3, member_id="nobody")
    group.commit_anonymously("admin", {3: 1})
    settled(group)
    for epoch in (-1, 4, 0):
        group.save("A", epoch=epoch, member_id="nobody")
        group.save("A", epoch=epoch, member_id="", instance=None)
    group.go("A")
    group.save("A", 0)
    group.go("B")
    group.go("C")
    group.commit_anonymously("admin", {0: 8})
    group.save("A", 1, epoch=-1)
    group.save("A", 2, epoch=-7, member_id="nobody")
    group.save("A", 3, epoch=4)
    group.read("A")
    group.read("A", -1, None)


@scenario("144", BEFORE_MEMBER_EPOCHS)
def before_member_epochs(group: Consumers) -> None:
    group.beat("A", 0, group.draw_id("A"), owned={}, names=[TOPIC], assignor="range", rebalance_timeout_ms=1, version=1)
    group.save("A")
    group.save("A", epoch=9)
    group.save("A", epoch=-1)
    group.save("A", member_id="nobody")
    group.commit_anonymously("A")
    group.fetch()
    group.go("A", version=1)
    group.save("A")
    group.commit_anonymously("A")
    group.fetch()


@scenario("145", COMMITS, A="a", B="a")
def released_static(group: Consumers) -> None:
    group.come("A")
    group.save("A", 0)
    group.go("A", epoch=STEPS_OUT)
    for epoch in (7, 2, 0, -1, -2):
        group.save("A", 0, epoch=epoch, offset=100 + epoch)
    for epoch in (2, 0, -1, -2):
        group.read("A", epoch)
    group.come("B")
    for epoch in (0, 1, 2, 3):
        group.save("B", 1, epoch=epoch, offset=200 + epoch)
        group.save("A", 2, epoch=epoch)
    group.read("B", partitions=None)


@scenario("4.6", COMMITS, A="a", B="b")
def a_successor_inherits_with_epoch_0(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.go("A", epoch=STEPS_OUT)
    group.come("A")
    group.save("A", 0, epoch=0)
    group.save("A", 0, 1, epoch=2)
    group.save("A", 2, epoch=2)
    group.save("A", 0, epoch=4)
    group.go("B")
    group.beat("A")
    group.save("A", 0, 2, epoch=3)
    group.save("A", 0, epoch=3)


@scenario("4.3", A="a", B="b")
def nobody_asks_for_the_instance(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.save("A", 0, instance=None)
    group.save("A", 0, instance="b")
    group.save("A", 0, instance="nobody's")


@scenario("134", COMMITS)
def fetch_stale(group: Consumers) -> None:
    settled(group)
    group.save("A", 0)
    for epoch in (4, 3, 5, 0, -1):
        group.read("A", epoch)
        group.read("A", epoch, partitions=None)
        group.read("A", epoch, "")
        group.read("A", epoch, None)
        group.read("A", epoch, "nobody")
    group.fetch()


@scenario("134", (9, 10))
def fetch_before_member_epochs(group: Consumers) -> None:
    group.come("A")
    group.save("A", 0, 1)
    for version in (1, 5, 7, 8):
        group.fetch(version=version)
    group.fetch(require_stable=True)
    asked = [
        OffsetFetchRequestGroup(group.id, "A.1", 2, None),
        OffsetFetchRequestGroup(group.id, "A.1", 1, []),
        OffsetFetchRequestGroup("nobody's", "A.1", 1, None),
    ]
    group.session.ask("A", OffsetFetchRequest(groups=asked), VINTAGES[9].fetch)


@scenario("134")
def fetch_while_something_is_to_be_revoked(group: Consumers) -> None:
    group.come("A")
    group.save("A", 0, 3)
    group.come("B")
    group.beat("A")
    group.read("A")
    group.read("B")
    group.beat("A", owned={TOPIC: (0, 1)})
    group.read("A", 2)
    group.read("A")


@scenario("3.10", (0, 9))
def forget_offsets(group: Consumers) -> None:
    group.come("A", names=[TOPIC, "nobody-has-it"])
    group.save("A", 0, 1)
    group.forget()
    group.forget(topics=[TOPIC, "no-such-topic", "nobody-has-it"])
    group.beat("A", names=["nobody-has-it"])
    group.forget(partitions=(0,))
    group.fetch()
    group.go("A")
    group.forget(partitions=(1, 2, 9))
    group.fetch()
    group.look()


@scenario("3.10", (0, 9))
def delete_group(group: Consumers) -> None:
    group.come("A")
    group.save("A", 0, 1)
    group.delete()
    group.go("A", epoch=LEAVES)
    group.delete(others=["nobody's", group.id])
    group.look()
    group.fetch()
    group.delete()
    group.come("A")
    group.look()


@scenario("3.10", A="a")
def delete_group_whose_only_member_is_away(group: Consumers) -> None:
    group.come("A")
    group.go("A", epoch=STEPS_OUT)
    group.delete()
    group.forget()
    group.go("A", epoch=LEAVES)
    group.delete()
