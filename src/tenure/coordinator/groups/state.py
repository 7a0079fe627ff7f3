"""State of a groups shard."""

from collections.abc import Callable
from typing import TypeAlias

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.offsets.pending import PendingOffsets
from tenure.coordinator.groups.records import GroupConfigured, OffsetExpiryScheduled, OffsetRemovalStarted
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.metadata.topics import Topics
from tenure.limits.coordinator import MEMBER_ID_PREFIX_CHARACTERS_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicName

EpochGroup: TypeAlias = ConsumerGroup | StreamsGroup
"""Group whose members have epochs."""

AnyGroup: TypeAlias = ClassicGroup | EpochGroup

Offsets: TypeAlias = dict[tuple[TopicName, PartitionId], OffsetCommitValue]
"""Committed offsets of one group."""


class Groups:
    """State of a groups shard. Rules read it; only `apply` writes to it."""

    __slots__ = (
        "by_id",
        "configs",
        "ending",
        "offset_expiry",
        "offsets",
        "offsets_expired",
        "pending",
        "random_bytes",
        "removal_deadline_ms",
        "removals",
        "removed",
        "settings",
        "topics",
    )

    def __init__(
        self, settings: GroupSettings, random_bytes: Callable[[int], bytes], topics: Callable[[], Topics]
    ) -> None:
        self.settings = settings
        self.random_bytes = random_bytes
        self.topics = topics
        """Function that returns the existing topics. The metadata shard owns them; they are read-only here."""
        self.by_id: dict[GroupId, AnyGroup] = {}
        self.offsets: dict[GroupId, Offsets] = {}
        """Committed offsets by group. Invariant: no dictionary in it is empty."""
        self.pending = PendingOffsets()
        """Offsets of open transactions."""
        self.configs: dict[GroupId, GroupConfigs] = {}
        """Configs of the groups that have configs of their own; these groups need not exist."""
        self.offset_expiry = OffsetExpiryScheduled(0)
        """Next step of the search for expired offsets."""
        self.removals: list[OffsetRemovalStarted] = []
        """Removals of offsets in steps; the first one is in progress."""
        self.removed = 0
        """Number of offsets that the first removal has already removed."""
        self.removal_deadline_ms = 0
        """Tick of the next step of a removal."""
        self.ending: set[GroupId] = set()
        """Groups that are being deleted, together with their offsets."""
        self.offsets_expired = 0
        """Number of expired offsets since this shard was loaded, for metrics; no rule reads it."""

    def configs_of(self, group_id: GroupId) -> GroupConfigs:
        return self.configs.get(group_id, self.settings.configs)

    def classic_groups(self) -> list[ClassicGroup]:
        return [group for group in self.by_id.values() if isinstance(group, ClassicGroup)]

    def configure(self, record: GroupConfigured) -> None:
        """Store the configs of a group, which need not exist."""
        if record.configs == self.settings.configs:
            self.configs.pop(record.group_id, None)
        else:
            self.configs[record.group_id] = record.configs
        group = self.by_id.get(record.group_id)
        if group is not None:
            group.configs = record.configs

    def new_classic_group(self, group_id: GroupId) -> ClassicGroup:
        """Return a new group without members, which is not part of the state yet."""
        return ClassicGroup(group_id, self.configs_of(group_id))

    def maybe_make_simple(self, group_id: GroupId) -> None:
        """Create a simple group if the group of a committed offset does not exist (rules 2.13, 6.4.2)."""
        if group_id not in self.by_id:
            self.by_id[group_id] = self.new_classic_group(group_id)

    def deadline_ms(self, timer: Timer) -> int | None:
        """Return the tick at which a timer of the shard or of a group expires; None if it is stopped."""
        if timer.kind is TimerKind.OFFSET_EXPIRY:
            return self.offset_expiry.deadline_ms
        if timer.kind is TimerKind.OFFSET_REMOVAL:
            return self.removal_deadline_ms if self.removals else None
        group = self.by_id.get(timer.group_id)
        return None if group is None else group.deadline_ms(timer)

    def new_member_id(self, prefix: str) -> MemberId:
        """Return a new member id: `prefix`, "-" and a random UUID.

        The prefix is the instance id or client id (rule 2.4 J2).
        """
        raw = bytearray(self.random_bytes(16))
        raw[6] = raw[6] & 0x0F | 0x40  # a version 4 UUID, as Kafka draws them
        raw[8] = raw[8] & 0x3F | 0x80
        digits = raw.hex()
        prefix = prefix[:MEMBER_ID_PREFIX_CHARACTERS_MAX]
        return MemberId(f"{prefix}-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}")
