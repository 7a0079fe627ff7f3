"""OffsetCommit, OffsetFetch, ListGroups, DeleteGroups (rules 2.13 to 2.17; 9.4).

The topic `oracle` has four partitions.
"""

from __future__ import annotations

from tests.oracle.actors import TOPIC, Group, subscription
from tests.oracle.scenarios import scenario

ANONYMOUS = ""
METADATA_CHARACTERS_MAX = 4096


@scenario()
def a_simple_group_commits_in_every_version(group: Group) -> None:
    for version in range(2, 10):
        group.commit("A", {0: version, 1: 10 * version}, version=version, generation=-1, metadata=f"v{version}")
    for version in range(1, 10):
        group.fetch("A", version=version)
        if version >= 2:
            group.fetch("A", None, version=version)
    group.describe()


@scenario()
def a_commit_to_a_group_that_is_not_there(group: Group) -> None:
    for version in (8, 9):
        group.commit("A", version=version, generation=5)
        group.commit("A", version=version, generation=5, member_id="nobody-1")
    group.fetch("A")
    group.fetch("A", None)
    group.describe()
    group.commit("A", generation=-1, member_id="nobody-1")


@scenario(A="a")
def who_may_commit_to_a_stable_group(group: Group) -> None:
    group.settle("A")
    group.commit("A", {0: 1})
    group.commit("A", {0: 2}, instance=None)
    group.commit("A", {0: 3}, generation=7)
    group.commit("A", {0: 4}, generation=-1)
    group.commit("A", {0: 5}, member_id="nobody-1", instance=None)
    group.commit("A", {0: 6}, member_id="nobody-1", instance=None, generation=7)
    group.commit("A", {0: 7}, generation=-1, member_id=ANONYMOUS, instance=None)
    group.commit("A", {0: 8}, member_id=ANONYMOUS, instance=None)
    group.commit("A", {0: 9}, generation=-1, member_id=ANONYMOUS, instance="a")
    group.commit("A", {0: 10}, instance="z")
    group.join("A", "")
    group.commit("A", {0: 11}, member_id=1)
    group.commit("A", {0: 12}, member_id=1, instance=None)
    group.commit("A", {0: 13})
    group.fetch("A")


@scenario(A="a", B="b")
def a_commit_during_a_rebalance(group: Group) -> None:
    group.settle("A", "B")
    group.join("B", protocols={"range": subscription(TOPIC, "more")}, wait=False)
    group.parked("B")
    group.commit("A", {0: 1})
    group.join("A")
    group.hear("B")
    group.commit("A", {0: 2})
    group.commit("A", {0: 2}, generation=-1, member_id=ANONYMOUS, instance=None)
    group.commit("A", {0: 2}, generation=group.generation - 1)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.commit("A", {0: 3})
    group.fetch("A")


@scenario()
def metadata_of_every_size(group: Group) -> None:
    group.commit("A", {0: 1}, generation=-1, metadata=None)
    group.commit("A", {1: 1}, generation=-1, metadata="x" * METADATA_CHARACTERS_MAX)
    group.commit("A", {0: 2}, generation=-1, metadata="x" * (METADATA_CHARACTERS_MAX + 1))
    group.commit("A", {2: 2}, generation=-1, metadata="ü" * METADATA_CHARACTERS_MAX)
    group.commit("A", {3: 3}, generation=-1, metadata="\N{SLOTH}" * (METADATA_CHARACTERS_MAX // 2))
    group.commit("A", {3: 4}, generation=-1, metadata="\N{SLOTH}" * (METADATA_CHARACTERS_MAX // 2 + 1))
    group.fetch("A", (0, 1, 2, 3))


@scenario()
def odd_offsets_and_partitions(group: Group) -> None:
    group.commit("A", {0: -1, 1: -7, 2: 2**62}, generation=-1, leader_epoch=3)
    group.commit("A", {9: 1, 0: 5, -1: 1}, generation=-1)
    group.commit("A", {0: 5}, generation=-1, topic="no-such-topic")
    group.commit("A", {}, generation=-1)
    group.fetch("A", (0, 1, 2, 3, 9, -1))
    group.fetch("A", (0,), topic="no-such-topic")
    group.fetch("A", (), topic=TOPIC)
    group.fetch("A", None)


@scenario()
def offsets_with_a_retention_of_their_own(group: Group) -> None:
    for version in (2, 4):
        group.commit("A", {0: 1}, version=version, generation=-1, retention_ms=3_600_000)
    group.fetch("A")


@scenario()
def an_empty_group_id_is_legal_for_offsets(group: Group) -> None:
    group.id = ""
    group.commit("A", {0: 1}, generation=-1)
    group.fetch("A")
    group.describe()
    group.delete()
    group.fetch("A")


@scenario(A="a")
def deleting_a_group(group: Group) -> None:
    group.delete()
    group.settle("A")
    group.commit("A", {0: 1, 1: 2})
    group.delete()
    group.leave("A")
    group.delete()
    group.describe()
    group.fetch("A")
    group.delete(version=0)


@scenario()
def an_empty_group_with_a_pending_member_can_be_deleted(group: Group) -> None:
    group.join("A")
    group.delete()
    group.join("A")


@scenario(A="a")
def an_emptied_group_keeps_its_offsets_and_takes_anonymous_commits(group: Group) -> None:
    group.settle("A")
    group.commit("A", {0: 1})
    group.leave("A")
    group.fetch("A")
    group.commit("A", {0: 2}, generation=-1, member_id=ANONYMOUS, instance=None)
    group.commit("A", {0: 3})
    group.fetch("A")
    group.describe()
