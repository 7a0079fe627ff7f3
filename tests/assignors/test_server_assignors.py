"""The assignors of Tenure's coordinator and Kafka's own classes assign the same random groups (rule 3.12).

`range` has to be identical. `uniform` has to be legal, no less balanced, and at equal balance to move no more.
TENURE_ASSIGNOR_CASES and TENURE_ASSIGNOR_SEED are as in `test_against_kafka.py`.
"""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tenure.assignors.group import NOBODY, Group
from tenure.assignors.members import member_order
from tenure.assignors.server import BUILT_IN, ServerGroup, ServerMember, WrongAnswer, checked
from tests.apache_kafka import Unavailable
from tests.assignors import kafka_assignors
from tests.assignors.kafka_assignors import OF_THE_SERVER

CASES = int(os.environ.get("TENURE_ASSIGNOR_CASES", "6000")) // 2
SEED = int(os.environ.get("TENURE_ASSIGNOR_SEED", "0")) or Random().randrange(1, 2**32)


@dataclass
class Case:
    assignor: str
    group_to_assign: ServerGroup

    @property
    def line(self) -> str:
        """Return the case as a line that `ServerAssignors.java` reads."""
        counts = self.group_to_assign.group.partition_counts.tolist()
        return f"{self.assignor}\t{','.join(map(str, counts))}\t{' '.join(map(self._member, range(self.size)))}"

    @property
    def size(self) -> int:
        return len(self.group_to_assign.members)

    def _member(self, index: int) -> str:
        member, group = self.group_to_assign.members[index], self.group_to_assign.group
        owned = np.flatnonzero(self.group_to_assign.owners == index)
        topics = np.searchsorted(group.first_partition, owned, side="right") - 1
        had = [f"{t}:{p - group.first_partition[t]}" for t, p in zip(topics.tolist(), owned.tolist(), strict=True)]
        wanted = ",".join(map(str, group.subscriptions[index].tolist()))
        return f"{member.member_id};{member.instance_id or ''};{wanted};{','.join(had)}"

    def read(self, answer: str) -> np.ndarray:
        owners = np.full(self.group_to_assign.group.partition_count, NOBODY)
        for index, owned in enumerate(answer.split(" ")):
            for partition in owned.split(",") if owned != "-" else ():
                topic, number = map(int, partition.split(":"))
                owners[self.group_to_assign.group.first_partition[topic] + number] = index
        return owners


def draw(random: Random, assignor: str) -> Case:
    """Return a group with equal or random subscriptions, and with partitions of earlier rounds or random ones."""
    counts = [random.randrange(1, random.choice((2, 4, 12))) for _ in range(random.randrange(1, 7))]
    ids = [(f"m{n:02}", f"instance-{random.randrange(100)}-{n}" if random.random() < 0.4 else None) for n in range(9)]
    members = sorted(random.sample(ids, random.randrange(1, 9)), key=lambda member: member_order(*member))
    everybody = random.random() < 0.4
    wishes = [list(range(len(counts)))] if everybody else [random_topics(random, len(counts)) for _ in range(4)]
    subscriptions = [random.choice(wishes) for _ in members]
    if everybody:
        subscriptions = [wishes[0]] * len(members)
    owners = [random_owner(random, topic, subscriptions) for topic, count in enumerate(counts) for _ in range(count)]
    return Case(assignor, server_group(counts, subscriptions, owners, members))


def random_topics(random: Random, topics: int) -> list[int]:
    return sorted(random.sample(range(topics), random.randrange(topics + 1)))


def random_owner(random: Random, topic: int, subscriptions: Sequence[list[int]]) -> int:
    """Return a random owner, sometimes one that no longer subscribes."""
    wanting = [member for member, topics in enumerate(subscriptions) if topic in topics]
    if random.random() < 0.1:
        return random.randrange(len(subscriptions))
    return random.choice(wanting) if wanting and random.random() < 0.8 else NOBODY


def server_group(
    counts: list[int], subscriptions: list[list[int]], owners: list[int], members: list[tuple[str, str | None]]
) -> ServerGroup:
    group = Group(np.array(counts), tuple(np.array(topics, np.int32) for topics in subscriptions))
    named = [ServerMember(member_id, instance_id, None) for member_id, instance_id in members]
    return ServerGroup(group, np.array(owners, np.int32), [f"t{topic}" for topic in range(len(counts))], named)


def violation(case: Case, owners: np.ndarray) -> str | None:
    """Return why LegalTarget is violated: every partition with subscribers is owned by one of them."""
    group = case.group_to_assign.group
    for topic, subscribers in enumerate(group.subscribers):
        had = set(owners[group.partitions_of(topic)].tolist())
        if not had <= (set(subscribers.tolist()) or {NOBODY}):
            return f"topic {topic} is had by {had}"
    return None


def quality(case: Case, owners: np.ndarray) -> tuple[int, int]:
    """Return the quality; smaller is better: imbalance, then partitions that leave a subscribed owner."""
    sizes = np.bincount(owners[owners != NOBODY], minlength=case.size)
    uneven = int(sum(abs(int(a) - int(b)) for i, a in enumerate(sizes) for b in sizes[:i]))
    before, group = case.group_to_assign.owners, case.group_to_assign.group
    still = [set(subscribers.tolist()) for subscribers in group.subscribers]
    topics = np.repeat(np.arange(len(group.partition_counts)), group.partition_counts)
    had = [int(b) in still[t] for b, t in zip(before, topics, strict=True)]
    return uneven, int((np.array(had, bool) & (before != owners)).sum())


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return kafka_assignors.compiled(tmp_path_factory.mktemp("classes"), OF_THE_SERVER)
    except Unavailable as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))


def compared(classes: Path, assignor: str) -> list[tuple[Case, np.ndarray, np.ndarray]]:
    """Return the case, our result and Kafka's."""
    random = Random(f"{SEED} server {assignor}")
    print(f"TENURE_ASSIGNOR_SEED={SEED} TENURE_ASSIGNOR_CASES={2 * CASES} {assignor} of the server")
    cases = [draw(random, assignor) for _ in range(max(1, CASES // 2))]
    answers = kafka_assignors.answers(classes, [case.line for case in cases], OF_THE_SERVER)
    assert len(answers) == len(cases)
    return [(c, BUILT_IN[assignor].assign(c.group_to_assign), c.read(a)) for c, a in zip(cases, answers, strict=True)]


@pytest.mark.oracle
@pytest.mark.timeout(1800)
def test_server_range__random_groups__same_assignment_as_kafkas(classes: Path) -> None:
    shared = 0
    for case, ours, theirs in compared(classes, "range"):
        assert ours.tolist() == theirs.tolist(), case.line
        shared += len(set(ours.tolist())) > 1
    assert shared > CASES // 8


@pytest.mark.oracle
@pytest.mark.timeout(1800)
def test_server_uniform__random_groups__balance_and_moves_no_worse_than_kafkas(classes: Path) -> None:
    seen: Counter[str] = Counter()
    for case, ours, theirs in compared(classes, "uniform"):
        assert violation(case, ours) is None, case.line
        assert violation(case, theirs) is None, case.line
        our_quality, their_quality = quality(case, ours), quality(case, theirs)
        assert our_quality <= their_quality, (our_quality, their_quality, case.line)
        same = case.group_to_assign.group.same_subscriptions
        seen["homogeneous" if same else "heterogeneous"] += 1
        seen["better balanced"] += our_quality[0] < their_quality[0]
        seen["fewer moves"] += our_quality[0] == their_quality[0] and our_quality[1] < their_quality[1]
        seen["Kafka moves"] += their_quality[1] > 0
    print(dict(seen))
    assert seen["homogeneous"] > CASES // 8
    assert seen["heterogeneous"] > CASES // 8
    assert seen["Kafka moves"] > CASES // 8


def test_server_uniform__members_join_one_by_one__only_partitions_for_them_move() -> None:
    """Move only the new member's partitions (MinimalMoves), with several topics of different sizes."""
    counts = [7, 1, 30, 12]
    owners = [NOBODY] * sum(counts)
    sizes = []
    for size in range(1, 20):
        members: list[tuple[str, str | None]] = [(f"m{number:02}", None) for number in range(size)]
        group = server_group(counts, [list(range(4))] * size, owners, members)
        after = BUILT_IN["uniform"].assign(group).tolist()
        moved = sum(was not in (NOBODY, now) for was, now in zip(owners, after, strict=True))
        sizes.append(after.count(size - 1))
        assert moved == (sizes[-1] if size > 1 else 0)
        owners = after
    assert all(few >= fewer for few, fewer in pairwise(sizes))


@pytest.mark.parametrize("answer", ["text", [[0], [0]], [0, 1, 0], [True, False]])
def test_check_of_an_assignment__invalid_result_of_a_custom_assignor__error(answer: object) -> None:
    group = server_group([2], [[0]], [NOBODY, NOBODY], [("m", None)])
    with pytest.raises(WrongAnswer):
        checked(group, answer)
    assert checked(group, [0, NOBODY]).tolist() == [0, NOBODY]
    assert checked(server_group([], [[]], [], [("m", None)]), []).tolist() == []
