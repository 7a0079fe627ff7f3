"""Random groups for assignors: subscriptions, outdated and disputed claims, generations, racks, old versions."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple

from tenure.client.group.assignment import Assignments
from tenure.client.values import TopicLayout
from tenure.protocol.codec import decode_prefix, encode
from tenure.protocol.consumer_protocol import Subscription, decode_subscription, decode_topics, encode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.generated.consumer_protocol import CooperativeStickyAssignorUserData, StickyAssignorUserData
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import GenerationId, PartitionId, TopicName
from tests.assignors.groups import subscribed

ODD_NAMES = ("\uffee", "\U0001f600", "é", "Z", "a-10", "a-9")
"""Names that Java sorts by UTF-16 units, which is not the order of code points."""

Partition = tuple[str, int]


class Case(NamedTuple):
    protocol: str
    topics: dict[str, TopicLayout]
    members: list[JoinGroupResponseMember]
    blobs: list[bytes]

    @property
    def line(self) -> str:
        """Return the case as a line that `KafkaAssignors.java` reads."""
        topics = [f"{name}={','.join(map(''.join, topic.replica_racks))}" for name, topic in self.topics.items()]
        members = [
            f"{member.member_id};{member.group_instance_id or ''};{blob.hex()}"
            for member, blob in zip(self.members, self.blobs, strict=True)
        ]
        return "\t".join([self.protocol, " ".join(topics), " ".join(members)])


def draw(random: Random, protocol: str) -> Case:
    topics = _topics(random)
    names = list(topics)
    count = random.choice((1, 2, 2, 3, 3, 4, 5, 7, 10, 16))
    everybody_wants = random.random() < 0.5
    wanted = random.sample(names, random.randint(1, len(names)))
    subscriptions = [
        wanted if everybody_wants else random.sample(names, random.randint(1, len(names))) for _ in range(count)
    ]
    claims = _claims(random, topics, subscriptions)
    racks = "abc"[: random.randint(1, 3)] + "d" * random.randint(0, 1) if random.random() < 0.4 else ""
    old_versions = random.random() < 0.3
    members, blobs, used = [], [], set[str]()
    for position in range(count):
        version = random.randint(0, 3) if old_versions else 3
        rack = random.choice(racks) if racks and random.random() < 0.9 else None
        owned, generation = claims[position]
        blob = _blob(random, protocol, version, subscriptions[position], owned, generation, rack)
        blobs.append(blob)
        instance = _unused(random, used) if random.random() < 0.4 else None
        members.append(subscribed(_unused(random, used), instance, blob))
    return Case(protocol, topics, members, blobs)


def _topics(random: Random) -> dict[str, TopicLayout]:
    alike = random.randint(1, 8) if random.random() < 0.4 else None
    topics = {}
    for name in random.sample(["t", "u", "v", "w", "x-1", "x-10"], random.randint(1, 6)):
        partitions = alike or random.choice((1, 2, 3, 5, 8, 12))
        inside = "abcd"[: random.randint(1, 4)]
        copies = random.randint(0, len(inside))
        racks = [sorted(random.sample(inside, copies)) for _ in range(partitions)]
        topics[name] = TopicLayout(partitions, racks)
    return topics


def _claims(
    random: Random, topics: Mapping[str, TopicLayout], subscriptions: Sequence[Sequence[str]]
) -> list[tuple[list[Partition], int]]:
    """Return the claims after an earlier assignment: mostly one per partition, some outdated, some disputed."""
    newest = random.randint(0, 9)
    generations = [newest if random.random() < 0.7 else random.choice((-1, newest - 1, newest)) for _ in subscriptions]
    claimed: list[list[Partition]] = [[] for _ in subscriptions]
    fills = random.choice((0.0, 0.5, 0.9, 1.0, 1.0))
    disputes = random.choice((0.0, 0.0, 0.0, 0.1, 0.5))
    skew = random.choice((1, 1, 3))
    for name, topic in topics.items():
        had = [member for member, wanted in enumerate(subscriptions) if name in wanted or random.random() < 0.05]
        for number in range(topic.partitions):
            if had and random.random() < fills:
                for _ in range(1 + (random.random() < disputes) + (random.random() < disputes / 2)):
                    member = min(random.choice(had) for _ in range(skew))
                    if (name, number) not in claimed[member]:
                        claimed[member].append((name, number))
    return list(zip(claimed, generations, strict=True))


def _blob(
    random: Random,
    protocol: str,
    version: int,
    topics: Sequence[str],
    owned: Sequence[Partition],
    generation: int,
    rack: str | None,
) -> bytes:
    by_topic: dict[str, list[PartitionId]] = {}
    for topic, number in owned:
        by_topic.setdefault(topic, []).append(PartitionId(number))
    of_topics = [OfTopic(TopicName(topic), numbers) for topic, numbers in by_topic.items()]
    user_data: bytes | None = None
    if protocol == "sticky" and random.random() < 0.97:
        claims = StickyAssignorUserData(of_topics, GenerationId(generation))
        user_data = encode(claims, 0 if random.random() < 0.1 else 1) if random.random() < 0.97 else b"\0\0\0\7x"
        of_topics = []
    elif protocol == "cooperative-sticky" and random.random() < 0.9:
        user_data = encode(CooperativeStickyAssignorUserData(GenerationId(generation)), 0)
    subscription = Subscription(
        topics=[TopicName(topic) for topic in topics],
        user_data=user_data,
        owned_partitions=of_topics,
        generation_id=GenerationId(generation),
        rack_id=rack,
    )
    return encode_subscription(subscription, version)


def _unused(random: Random, used: set[str]) -> str:
    while True:
        name = random.choice(ODD_NAMES) if random.random() < 0.1 else f"{random.choice('abz')}-{random.randint(0, 99)}"
        if name not in used:
            used.add(name)
            return name


# --- quality of an assignment -----------------------------------------------------------------------------------------


class Quality(NamedTuple):
    """Quality of an assignment; smaller is better, and the first field counts most."""

    balance_score: int
    other_racks: int
    moved: int


def true_owners(case: Case) -> dict[Partition, str]:
    """Return the owners according to KIP-792: the only member with the highest generation that claims a partition."""
    claims: dict[Partition, list[tuple[int, str]]] = {}
    for member in case.members:
        owned, generation_id = claim_of(case.protocol, decode_subscription(member.metadata))
        for of in owned:
            for number in of.partitions:
                claims.setdefault((of.topic, number), []).append((generation_id, member.member_id))
    owners = {}
    for partition, claimants in claims.items():
        newest = max(generation for generation, _ in claimants)
        best = [member_id for generation, member_id in claimants if generation == newest]
        if len(best) == 1:
            owners[partition] = best[0]
    return owners


def claim_of(protocol: str, subscription: Subscription) -> tuple[Sequence[OfTopic], int]:
    """Return the owned partitions and the generation of one member, field by field (rules 7.7 and 7.8)."""
    user_data, generation = subscription.user_data or b"", subscription.generation_id
    if protocol == "sticky":
        for version in (1, 0):
            with suppress(MalformedMessage):
                decoded, _ = decode_prefix(StickyAssignorUserData, version, user_data)
                return decoded.previous_assignment, max(decoded.generation, -1)
        return (), -1
    if protocol == "cooperative-sticky" and generation < 0:
        with suppress(MalformedMessage):
            generation = decode_prefix(CooperativeStickyAssignorUserData, 0, user_data)[0].generation
    return subscription.owned_partitions, max(generation, -1)


def quality(case: Case, assignments: Assignments) -> Quality:
    owner_of = {
        (topic, number): member_id
        for member_id, topics in assignments.items()
        for topic, numbers in topics.items()
        for number in numbers
    }
    sizes = sorted(sum(map(len, topics.values())) for topics in assignments.values())
    score = sum((2 * rank + 1 - len(sizes)) * size for rank, size in enumerate(sizes))
    racks = (
        {member.member_id: decode_subscription(member.metadata).rack_id for member in case.members}
        if racks_matter(case)
        else {}
    )
    other_racks = sum(
        bool(racks.get(member_id)) and racks[member_id] not in case.topics[topic].replica_racks[number]
        for (topic, number), member_id in owner_of.items()
    )
    moved = sum(owner_of[partition] != owner for partition, owner in true_owners(case).items() if partition in owner_of)
    return Quality(score, other_racks, moved)


def racks_matter(case: Case) -> bool:
    """Return whether racks matter (KIP-881): some members are near replicas, and racks have different partitions."""
    wanted = {topic for member in case.members for topic in decode_topics(member.metadata)}
    sets = [set(racks) for name, topic in case.topics.items() if name in wanted for racks in topic.replica_racks]
    everywhere = set[str]().union(*sets)
    reader_racks = {decode_subscription(member.metadata).rack_id for member in case.members}
    return bool(reader_racks & everywhere) and any(racks != everywhere for racks in sets)


def violation(case: Case, assignments: Assignments) -> str | None:
    """Return why LegalTarget is violated: exactly the subscribed partitions have one subscribed owner."""
    wanted_by = {member.member_id: set(decode_topics(member.metadata)) for member in case.members}
    given: set[Partition] = set()
    for member_id, topics in assignments.items():
        for topic, numbers in topics.items():
            for number in numbers:
                if topic not in wanted_by[member_id]:
                    return f"{member_id} has {topic}-{number} and does not want it"
                if (topic, number) in given:
                    return f"{topic}-{number} is given twice"
                given.add((topic, number))
    anybody_wants = set[str]().union(*wanted_by.values())
    due = {(name, number) for name in anybody_wants for number in range(case.topics[name].partitions)}
    return None if due == given else f"given and due differ by {sorted(due ^ given)}"
