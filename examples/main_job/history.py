"""History of a group from the coordinator's log: the owner of each partition over time, and the commits.

It is read from `__consumer_offsets`, which Apache Kafka and Tenure write alike, and not from a counter of Tenure. A
rebalance increases the generation (rule 2.8.4). A static member that returns changes the member id of its seat and
writes the same generation again (rule 2.6).
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.queries.blocking import beginning_offsets, describe_topic, end_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.coordinator_logs.consumer_offsets import decode_record
from tenure.protocol.messages import GroupMetadataKey, GroupMetadataValue, OffsetCommitKey, OffsetCommitValue

OFFSETS_TOPIC = "__consumer_offsets"


@dataclass(frozen=True, slots=True)
class Holding:
    """Written version of the group: its owners from `at_ms` on. `seats` maps a seat to its partitions."""

    at_ms: int
    generation: int
    seats: dict[str, frozenset[int]]
    member_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Commit:
    at_ms: int
    partition: int
    offset: int
    metadata: str


@dataclass(slots=True)
class History:
    holdings: list[Holding] = field(default_factory=list)
    commits: list[Commit] = field(default_factory=list)

    def between(self, start_ms: int, end_ms: int) -> list[Holding]:
        """Return the version in force at the start, and all that were written until the end."""
        before = [holding for holding in self.holdings if holding.at_ms <= start_ms]
        return before[-1:] + [holding for holding in self.holdings if start_ms < holding.at_ms <= end_ms]

    def rebalances(self, start_ms: int, end_ms: int) -> int:
        generations = [holding.generation for holding in self.between(start_ms, end_ms)]
        return generations[-1] - generations[0] if generations else 0

    def partitions_moved(self, start_ms: int, end_ms: int) -> int:
        """Return how often a partition passed from one seat to another."""
        moved, owners = 0, dict[int, str]()
        for holding in self.between(start_ms, end_ms):
            for seat, partitions in holding.seats.items():
                for partition in partitions:
                    moved += owners.get(partition, seat) != seat
                    owners[partition] = seat
        return moved

    def longest_silence_s(self, start_ms: int, end_ms: int) -> float:
        """Return the longest time in which some partition had no commit."""
        longest = 0
        for partition in {commit.partition for commit in self.commits}:
            times = [c.at_ms for c in self.commits if c.partition == partition and start_ms <= c.at_ms <= end_ms]
            steps = [start_ms, *times, end_ms]
            longest = max(longest, *(later - earlier for earlier, later in itertools.pairwise(steps)))
        return longest / 1000


def read_history(bootstrap_servers: str, group_id: str, topic: str) -> History:
    history = History()
    for at_ms, key, value in _records(bootstrap_servers):
        match key, value:
            case GroupMetadataKey(), GroupMetadataValue() if key.group == group_id:
                history.holdings.append(_holding(at_ms, value, topic))
            case OffsetCommitKey(), OffsetCommitValue() if (key.group, key.topic) == (group_id, topic):
                history.commits.append(Commit(at_ms, key.partition, value.offset, value.metadata))
    return history


def _holding(at_ms: int, value: GroupMetadataValue, topic: str) -> Holding:
    """Return the version of a record.

    A seat is the instance id of a static member, or the client id of a dynamic one, which is the same after a restart.
    """
    seats = {}
    for member in value.members:
        owned = decode_assignment(member.assignment).assigned_partitions if member.assignment else []
        mine = frozenset(p for entry in owned if entry.topic == topic for p in entry.partitions)
        seats[member.group_instance_id or member.client_id] = mine
    return Holding(at_ms, value.generation, seats, frozenset(member.member_id for member in value.members))


def _records(bootstrap_servers: str) -> Iterator[tuple[int, object, object]]:
    """Yield every record with its time, in the order of each partition."""
    topic = describe_topic(bootstrap_servers, OFFSETS_TOPIC)
    partitions = [TopicPartition(OFFSETS_TOPIC, entry.partition) for entry in topic.partitions]
    starts, ends = beginning_offsets(bootstrap_servers, partitions), end_offsets(bootstrap_servers, partitions)
    for partition in partitions:
        for batch in fetch_arrow(bootstrap_servers, *partition, starts[partition], ends[partition]):
            for row in batch.select(["timestamp", "key", "value"]).to_pylist():
                decoded = decode_record(row["key"], row["value"])
                if isinstance(decoded, tuple):
                    yield round(row["timestamp"].timestamp() * 1000), *decoded
