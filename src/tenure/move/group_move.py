"""Committed offsets of groups, translated for the target; and a check that no group still commits at the source."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.admin.groups import STATES_WITHOUT_MEMBERS, find, list_groups
from tenure.client.net.cluster import Cluster
from tenure.client.queries.group_changes import commit_from_outside
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.limits.move import WATCH_INTERVAL_S
from tenure.move.errors import MoveStopped
from tenure.move.offset_translation import OffsetTranslation
from tenure.move.options import is_pattern, matches
from tenure.protocol.errors import ErrorCode

PROGRESS_PREFIX: Final = "tenure-move-"
"""Prefix of the groups in which moves keep their progress; these groups are not moved."""

Committed = dict[TopicPartition, OffsetAndMetadata]


class MovedGroup(NamedTuple):
    """Result of the move of one group."""

    group_id: str
    written: Committed
    """Offsets that were written to the target."""
    ahead: tuple[TopicPartition, ...]
    """Partitions that were left unchanged, because the group's offset at the target is greater."""
    trouble: str
    """Reason why no offset was written; empty on success."""


async def check_groups(source: Cluster, patterns: Sequence[str]) -> None:
    """Raise `MoveStopped` if the source lacks a named group, which would have no offsets at the target."""
    names = [name for name in patterns if not is_pattern(name)]
    existing = {listing.group_id for listing in await list_groups(source)} if names else set()
    for name in names:
        if name not in existing:
            raise MoveStopped(f"Unknown group '{name}' at the source; see `tenure groups list`.")


async def groups_at(source: Cluster, patterns: Sequence[str], topics: frozenset[str]) -> dict[str, Committed]:
    """Return, by group, the committed offsets in the moved topics. Groups without such offsets are left out.

    Offsets of open transactions are ignored; the last committed offset is returned.
    """
    found: dict[str, Committed] = {}
    for listing in await list_groups(source):
        name = listing.group_id
        if not listing.is_describable or name.startswith(PROGRESS_PREFIX) or not matches(name, patterns):
            continue
        committed = await committed_offsets(source, name, None, require_stable=False)
        of_topics = {at: position for at, position in committed.items() if at.topic in topics}
        if of_topics:
            found[name] = of_topics
    return found


async def move_group(
    target: Cluster,
    group_id: str,
    committed: Mapping[TopicPartition, OffsetAndMetadata],
    translations: Mapping[TopicPartition, OffsetTranslation],
) -> MovedGroup:
    """Write the translated offsets of a group, unless the group has members at the target.

    An offset is never moved back.
    """
    listing = await find(target, group_id)
    if listing is not None and listing.state not in STATES_WITHOUT_MEMBERS:
        return MovedGroup(group_id, {}, (), _in_use(group_id, listing.state))
    present = await committed_offsets(target, group_id, None, require_stable=False) if listing is not None else {}
    translated = {
        at: OffsetAndMetadata(await translations[at].translate(position.offset), position.metadata)
        for at, position in committed.items()
        if at in translations
    }
    ahead = tuple(sorted(at for at in translated if at in present and present[at].offset > translated[at].offset))
    written = {at: position for at, position in translated.items() if at not in ahead and present.get(at) != position}
    if not written:
        return MovedGroup(group_id, {}, ahead, "")
    outcome = await commit_from_outside(target, group_id, written)
    for partition, error_code in sorted(outcome.items()):
        if error_code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.REBALANCE_IN_PROGRESS):
            return MovedGroup(group_id, {}, ahead, _in_use(group_id, "a member has joined"))
        if error_code is not ErrorCode.NONE:
            reason = f"Offset of group '{group_id}' for {partition} was not written to the target: {error_code.message}"
            return MovedGroup(group_id, {}, ahead, f"{reason} ({error_code.name}).")
    return MovedGroup(group_id, written, ahead, "")


def _in_use(group_id: str, reason: str) -> str:
    return (
        f"Group '{group_id}' is in use at the target ({reason}): its offsets are left as they are. Stop its members "
        "there, or leave it out with --groups."
    )


async def watch_commits(source: Cluster, groups: Mapping[str, Committed], watch_s: float) -> dict[str, str]:
    """Watch the committed offsets at the source for `watch_s` seconds, or until all groups have committed.

    Return a message for each group that has committed meanwhile, by group id.
    """
    loop = asyncio.get_running_loop()
    until_s, changed = loop.time() + watch_s, dict[str, str]()
    while True:
        for group_id, before in groups.items():
            if group_id not in changed:
                now = await committed_offsets(source, group_id, list(before), require_stable=False)
                moved = sorted(at for at in before if at in now and now[at] != before[at])
                if moved:
                    at = moved[0]
                    changed[group_id] = (
                        f"Group '{group_id}' still commits at the source (committed offset of {at}: "
                        f"{before[at].offset} -> {now[at].offset})."
                    )
        if loop.time() >= until_s or len(changed) == len(groups):
            return changed
        await asyncio.sleep(min(WATCH_INTERVAL_S, until_s - loop.time()))
