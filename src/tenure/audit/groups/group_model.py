"""Model of one group: its members, and the owner of each partition.

The state of the pipeline contains the model as JSON, with the group's name as the key.
"""

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

PartitionKey = tuple[str, int]
"""Topic name, or topic id for a consumer group, and partition."""


class RecordPosition(NamedTuple):
    """Log partition, offset and timestamp of a record."""

    log_partition: int
    log_offset: int
    time_ms: int


@dataclass(slots=True)
class Member:
    member_id: str
    instance_id: str | None
    client_id: str
    client_host: str
    topics: list[str]
    session_timeout_ms: int | None
    rebalance_timeout_ms: int

    @property
    def owner(self) -> str:
        """Name of the member as owner of partitions. A static member keeps this name when it restarts."""
        return self.instance_id or self.member_id


@dataclass(slots=True)
class LastOwner:
    """The last owner of a partition."""

    owner: str
    member_id: str
    since_ms: int
    released_ms: int | None = None
    """Time at which the owner lost the partition; None while it has it."""


@dataclass(slots=True)
class GroupModel:
    """Members and partition owners of one group after one of its records."""

    group_type: str = ""
    """`classic`, `consumer` or `streams`; empty before the first record, and during a migration between two types."""
    epoch: int = -1
    protocol: str = ""
    metadata_hash: int = 0
    members: dict[str, Member] = field(default_factory=dict)
    ownerships: dict[PartitionKey, LastOwner] = field(default_factory=dict)
    pending: list[tuple[str, str]] = field(default_factory=list)
    """Changes since the last epoch of a consumer group: kind of change, and member id."""
    leaving: dict[str, Member] = field(default_factory=dict)
    """Members that left since the last epoch, by member id. One of them may return under a new id."""
    subtopologies: dict[str, list[str]] = field(default_factory=dict)
    """Source topics of each subtopology of a streams group."""

    def owned(self) -> dict[PartitionKey, LastOwner]:
        """Return the partitions that have an owner now."""
        return {key: each for key, each in self.ownerships.items() if each.released_ms is None}

    def to_json(self) -> str:
        """Return the model as JSON text."""
        return json.dumps(
            [
                self.group_type,
                self.epoch,
                self.protocol,
                self.metadata_hash,
                [_member_row(member) for member in self.members.values()],
                [[*key, *_ownership_row(each)] for key, each in self.ownerships.items()],
                self.pending,
                [_member_row(member) for member in self.leaving.values()],
                self.subtopologies,
            ],
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str | None) -> "GroupModel":
        """Parse a model from JSON text; return a new one for None."""
        if text is None:
            return cls()
        group_type, epoch, protocol, metadata_hash, members, ownerships, pending, leaving, *added = json.loads(text)
        return cls(
            group_type,
            epoch,
            protocol,
            metadata_hash,
            {row[0]: Member(*row) for row in members},
            {(row[0], row[1]): LastOwner(*row[2:]) for row in ownerships},
            [(what, member_id) for what, member_id in pending],
            {row[0]: Member(*row) for row in leaving},
            *added,  # States of earlier versions have no subtopologies.
        )


def _member_row(member: Member) -> list[Any]:
    return [
        member.member_id,
        member.instance_id,
        member.client_id,
        member.client_host,
        member.topics,
        member.session_timeout_ms,
        member.rebalance_timeout_ms,
    ]


def _ownership_row(each: LastOwner) -> list[Any]:
    return [each.owner, each.member_id, each.since_ms, each.released_ms]
