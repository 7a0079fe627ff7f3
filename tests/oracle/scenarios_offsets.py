"""Scenarios of offsets, and of the end of groups (rules 2.13 to 2.17 and 6.4; 9.4). `oracle` has four partitions."""

from __future__ import annotations

import time

from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    DeleteTopicsRequest,
    DeleteTopicState,
    OffsetCommitRequest,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from tests.oracle.classic_requests import PART_S, SHORT_MS, WIDER, Group, subscription
from tests.oracle.client_versions import ANY, EVERY, NAMED_LEAVERS, NEWEST, STATIC
from tests.oracle.logs import topics_with_offsets
from tests.oracle.scenarios import scenario
from tests.oracle.side import PATIENCE_S

METADATA_CHARACTERS_MAX = 4096
OFFSETS = (0, 3, 6, 8, 9, 10)
"""Client versions that differ in OffsetCommit and OffsetFetch."""


@scenario("85", EVERY)
def commit_simple(group: Group) -> None:
    group.commit_anonymously("A", {0: 7, 1: 70}, metadata="of old")
    group.commit_anonymously("A", {0: 8})
    group.fetch()
    group.fetch(partitions=(3, 1))
    group.describe()
    group.list()


@scenario("85", NEWEST)
def commit_and_fetch_in_every_version(group: Group) -> None:
    for version in range(2, 11):
        group.commit_anonymously("A", {0: version, 1: 10 * version}, version=version, metadata=f"v{version}")
    for version in range(1, 11):
        group.fetch(version=version)
        if version >= 2:
            group.fetch(partitions=None, version=version)
        if version >= 7:
            group.fetch(version=version, require_stable=True)


@scenario("85", (0, 9))
def a_simple_group_is_joined(group: Group) -> None:
    group.commit_anonymously("A", {0: 7})
    group.stabilize("A")
    group.commit("A", {0: 8})
    group.leave("A")
    group.commit_anonymously("A", {0: 9})
    group.fetch()
    group.describe()


@scenario("86", OFFSETS)
def commit_missing(group: Group) -> None:
    group.commit("A", generation=5)
    group.commit("A", generation=5, member_id="nobody-1")
    group.commit("A", generation=0)
    group.describe()
    group.commit("A", generation=-1, member_id="nobody-1")
    group.fetch()


@scenario("87", OFFSETS, A="a")
def commit_admin_nonempty(group: Group) -> None:
    group.stabilize("A")
    group.commit_anonymously("A", {0: 7})
    group.commit("A", {0: 8}, member_id="", instance=None)
    group.commit("A", {0: 9}, generation=-1)
    group.commit("A", {0: 10}, generation=-1, member_id="")
    group.fetch()


@scenario("88", ANY)
def commit_completing(group: Group) -> None:
    group.stabilize("A", "B")
    group.rejoin_all("A", "B")
    group.commit("A", {0: 2})
    group.commit_anonymously("A", {0: 2})
    group.commit("A", {0: 2}, generation=group.generation - 1)
    group.sync_all("A", "B")
    group.commit("A", {0: 3})
    group.fetch()


@scenario("88", ANY)
def commit_preparing(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", protocols=WIDER, wait=False)
    group.record_if_parked("B")
    group.commit("A", {0: 1})
    group.commit_anonymously("A", {0: 2})
    group.join("A")
    group.receive("B")
    group.fetch()


@scenario("89", OFFSETS)
def commit_of_unknown_members(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1})
    group.commit("A", {0: 2}, generation=7)
    group.commit("A", {0: 3}, member_id="nobody-1")
    group.commit("A", {0: 4}, member_id="nobody-1", generation=7)
    group.commit("A", {0: 5}, member_id="nobody-1", generation=-1)
    group.fetch()


@scenario("89", STATIC, A="a")
def commit_fenced(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1})
    group.commit("A", {0: 2}, instance=None)
    group.commit("A", {0: 3}, instance="z")
    group.join("A", "")
    group.commit("A", {0: 4}, member_id=1)
    group.commit("A", {0: 5}, member_id=1, instance=None)
    group.commit("A", {0: 6}, member_id=1, generation=7)
    group.commit("A", {0: 7})
    group.fetch()


@scenario("90", ANY)
def commit_keeps_session(group: Group) -> None:
    group.stabilize("A", session_timeout_ms=SHORT_MS)
    for offset in range(4):
        group.session.rest(PART_S)
        group.commit("A", {0: offset})
    group.heartbeat("A")


@scenario("91", OFFSETS)
def commit_metadata_too_large(group: Group) -> None:
    for partition, metadata in enumerate((None, "x" * METADATA_CHARACTERS_MAX, "x" * (METADATA_CHARACTERS_MAX + 1))):
        group.commit_anonymously("A", {partition: 1}, metadata=metadata)
    group.fetch(partitions=(0, 1, 2, 3))
    group.describe()


@scenario("91", OFFSETS)
def commit_metadata_counts_characters(group: Group) -> None:
    """Count the characters of metadata as Java does: a character outside of the BMP counts twice."""
    group.commit_anonymously("A", {0: 2}, metadata="ü" * METADATA_CHARACTERS_MAX)
    group.commit_anonymously("A", {1: 3}, metadata="\N{SLOTH}" * (METADATA_CHARACTERS_MAX // 2))
    group.commit_anonymously("A", {1: 4}, metadata="\N{SLOTH}" * (METADATA_CHARACTERS_MAX // 2 + 1))
    group.fetch()


@scenario("91", NEWEST)
def commit_only_metadata_that_is_too_large(group: Group) -> None:
    """Create the group; Apache Kafka's readers see it after the next write of any group (2.13.1)."""
    group.commit_anonymously("A", {0: 1}, metadata="x" * (METADATA_CHARACTERS_MAX + 1))
    Group(group.session, f"{group.id}-beside").commit_anonymously("A")
    group.describe()
    group.fetch(partitions=None)


@scenario("92", (0, 3))
def commit_retention(group: Group) -> None:
    group.commit_anonymously("A", {0: 1}, retention_ms=3_600_000)
    group.commit_anonymously("A", {1: 1}, retention_ms=-1)
    group.commit_anonymously("A", {2: 1}, retention_ms=0)
    group.fetch(partitions=(0, 1, 2))


@scenario("95", EVERY)
def fetch_missing_group(group: Group) -> None:
    group.fetch()
    group.fetch(topic="no-such-topic")
    group.fetch(partitions=())
    if group.versions.fetch >= 2:
        group.fetch(partitions=None)
    group.describe()


@scenario("2.15", (8, 9, 10))
def fetch_of_several_groups(group: Group) -> None:
    group.commit_anonymously("A", {0: 7})
    group.fetch(others=["missing-group", group.id])
    group.fetch(partitions=None, others=["missing-group"])
    group.session.ask("admin", OffsetFetchRequest(groups=[]), group.versions.fetch)
    group.session.ask("admin", OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group.id)]), group.versions.fetch)


@scenario("2.15", NEWEST, A="a")
def fetch_ignores_member_id_and_epoch(group: Group) -> None:
    """Ignore the member id and epoch of OffsetFetch v9 in a classic group."""
    group.stabilize("A")
    group.commit("A", {0: 7})
    asked = OffsetFetchRequestGroup(group.id, "nobody-1", 99, None)
    group.session.ask("admin", OffsetFetchRequest(groups=[asked]), 9)


@scenario("2.13", OFFSETS)
def negative_offsets_and_missing_partitions(group: Group) -> None:
    group.commit_anonymously("A", {0: -1, 1: -7, 2: 2**62})
    group.commit_anonymously("A", {9: 1, 0: 5, -1: 1})
    group.commit_anonymously("A", {0: 5}, topic="no-such-topic")
    group.commit_anonymously("A", {})
    group.session.ask("A", OffsetCommitRequest(group_id=group.id), group.versions.commit)
    group.fetch(partitions=(0, 1, 2, 3, 9, -1))
    group.fetch(partitions=(0,), topic="no-such-topic")


@scenario("2.13", (4, 9))
def leader_epochs(group: Group) -> None:
    for partition, leader_epoch in enumerate((-1, 0, 3, -7)):
        group.commit_anonymously("A", {partition: 1}, leader_epoch=leader_epoch)
    group.fetch(partitions=(0, 1, 2, 3))


@scenario("2.3")
def an_empty_group_id_is_legal_for_offsets(group: Group) -> None:
    group.id = ""
    for version in (2, 8, 9):
        group.commit_anonymously("A", {0: 1}, version=version)
    group.heartbeat("A")
    group.fetch(version=7)
    group.fetch(version=10)
    group.describe()
    group.list()
    group.delete()
    group.fetch()


@scenario("99", NEWEST, A="a")
def delete_offset_subscribed(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1, 1: 2})
    group.delete_offsets()
    group.delete_offsets(topics=["oracle", "no-such-topic"])
    group.join("A", protocols={"range": subscription("elsewhere")})
    group.delete_offsets(partitions=(0,))
    group.sync("A", {"A": b"all"})
    group.delete_offsets(partitions=(1, 2, 9))
    group.fetch()


@scenario("99", NEWEST)
def delete_offset_of_a_simple_group(group: Group) -> None:
    group.commit_anonymously("A", {0: 1, 1: 2})
    group.delete_offsets(partitions=(0, 3, 9, -1))
    group.delete_offsets(partitions=())
    group.delete_offsets(topics=["no-such-topic", "oracle"])
    group.delete_offsets(topics=[])
    group.fetch()
    group.describe()


@scenario("99", NEWEST)
def delete_offset_of_an_emptied_group(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1, 1: 2})
    group.leave("A")
    group.delete_offsets(partitions=(0,))
    group.fetch()
    group.delete_offsets()
    group.describe()


@scenario("99", NEWEST)
def delete_offset_of_another_type(group: Group) -> None:
    group.join_with_id("A", protocol_type="connect")
    group.commit("A", {0: 1})
    group.delete_offsets()
    group.sync("A", {"A": b"tasks"}, protocol_type="connect")
    group.commit("A", {0: 1})
    group.delete_offsets()
    group.leave("A")
    group.delete_offsets()
    group.fetch()


@scenario("99", NEWEST)
def delete_offset_in_every_state(group: Group) -> None:
    elsewhere = {"range": subscription("elsewhere")}
    group.delete_offsets()
    group.join_with_id("A", protocols=elsewhere)
    group.delete_offsets()
    group.sync("A", {"A": b"all"})
    group.commit("A", {0: 1, 1: 1})
    group.join_with_id("B", protocols=WIDER, wait=False)
    group.record_if_parked("B")
    group.delete_offsets(partitions=(0,))
    group.join("A", protocols=elsewhere)
    group.receive("B")
    group.delete_offsets(partitions=(1,))
    group.fetch()


@scenario("99", NEWEST)
def delete_offset_when_a_subscription_cannot_be_read(group: Group) -> None:
    group.join_with_id("A", protocols={"range": b"\x00"})
    group.sync("A", {"A": b"all"})
    group.commit("A", {0: 1})
    group.delete_offsets()
    group.fetch()


@scenario("99", NEWEST)
def delete_offset_when_a_subscription_ends_early(group: Group) -> None:
    """Read the fields of version 0 only: topics, and user data, which must be present."""
    whole = subscription("elsewhere", version=1)
    for number, metadata in enumerate(
        (whole, whole[:-1], whole[:-4], whole[:-5], whole[:-8], b"\x00\x03" + whole[2:-4])
    ):
        group.join_with_id("A", protocols={"range": metadata})
        group.sync("A", {"A": b"all"})
        group.commit("A", {0: number})
        group.delete_offsets()
        group.fetch()
        group.leave("A")


@scenario("99", NEWEST)
def delete_offset_with_an_empty_group_id(group: Group) -> None:
    group.id = ""
    group.delete_offsets()


@scenario("101", EVERY)
def delete_group(group: Group) -> None:
    group.delete()
    group.stabilize("A")
    group.commit("A", {0: 1, 1: 2})
    group.delete()
    group.leave("A")
    group.delete()
    group.describe()
    group.fetch()
    group.delete()


@scenario("101", (0, 3, 9))
def delete_several_groups(group: Group) -> None:
    group.commit_anonymously("A", {0: 1})
    group.delete(others=["missing-group", group.id])
    group.delete(others=[group.id, group.id])


@scenario("101", ANY)
def delete_group_in_every_state(group: Group) -> None:
    group.join_with_id("A")
    group.delete()
    group.sync("A", {"A": b"all"})
    group.delete()
    group.join_with_id("B", wait=False)
    group.record_if_parked("B")
    group.delete()
    group.join("A")
    group.receive("B")
    group.delete()


@scenario("101", (4, 9))
def delete_group_with_a_pending_member(group: Group) -> None:
    group.join("A")
    group.delete()
    group.join("A")


@scenario("101", (3, 9))
def delete_group_after_a_refused_join(group: Group) -> None:
    """Leave an empty group behind after refused joins (2.4 J0)."""
    group.join("A", "", protocols={})
    group.describe()
    group.delete()
    group.describe()


@scenario("2.13", NAMED_LEAVERS, A="a")
def an_emptied_group_keeps_its_offsets_and_takes_anonymous_commits(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1})
    group.leave("A")
    group.fetch()
    group.commit_anonymously("A", {0: 2})
    group.commit("A", {0: 3})
    group.commit("A", {0: 4}, generation=-1)
    group.fetch()
    group.describe()


@scenario("106", (3, 9, 10))
def topic_deleted(group: Group) -> None:
    topic = f"doomed-{group.id}"
    make_topic(group, topic)
    group.commit_anonymously("A", {0: 1})
    group.commit_anonymously("A", {0: 1, 1: 2}, topic=topic)
    delete_topic(group, topic)
    group.fetch(partitions=None)
    group.commit_anonymously("A", {0: 5}, topic=topic)
    group.describe()


@scenario("106", NEWEST)
def topic_with_all_offsets_of_a_group_deleted(group: Group) -> None:
    topic = f"doomed-{group.id}"
    make_topic(group, topic)
    group.commit_anonymously("A", {0: 1, 1: 2}, topic=topic)
    delete_topic(group, topic)
    group.fetch(partitions=None)
    group.describe()


@scenario("106", NEWEST)
def topic_deleted_that_a_member_reads(group: Group) -> None:
    topic = f"doomed-{group.id}"
    make_topic(group, topic)
    reads = {"range": subscription(topic)}
    group.join_with_id("A", protocols=reads)
    group.sync("A", {"A": b"all"})
    group.commit("A", {0: 1}, topic=topic)
    delete_topic(group, topic)
    group.fetch(partitions=None)
    group.heartbeat("A")
    group.commit("A", {0: 2}, topic=topic)


@scenario("106", (9, 10))
def topic_created_again(group: Group) -> None:
    topic = f"doomed-{group.id}"
    make_topic(group, topic)
    group.commit_anonymously("A", {0: 1}, topic=topic)
    delete_topic(group, topic)
    make_topic(group, topic)
    group.fetch(topic=topic)
    group.commit_anonymously("A", {0: 5}, topic=topic)
    group.fetch(topic=topic)


def make_topic(group: Group, name: str) -> None:
    wanted = CreatableTopic(name=name, num_partitions=2, replication_factor=1)
    group.session.ask("admin", CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7)
    group.session.side.wait_for_topic(name)


def delete_topic(group: Group, name: str) -> None:
    """Delete a topic, and wait until the log shows that its offsets are removed."""
    request = DeleteTopicsRequest(topics=[DeleteTopicState(name=name)], timeout_ms=10_000)
    group.session.ask("admin", request, 6)
    log = group.session.side.log
    deadline = time.monotonic() + PATIENCE_S
    while name in topics_with_offsets(log.of(group.id)):
        assert time.monotonic() < deadline, f"offsets of {name} were kept"
        time.sleep(0.02)
