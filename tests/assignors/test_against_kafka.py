"""Tenure's assignors and Kafka's own classes assign the same random groups.

`range` and `roundrobin` must be identical. The sticky ones must be legal and no less balanced, and at equal balance
must move no more partitions. Where racks matter, no fewer partitions may be in their reader's rack at equal balance,
and no more may move at equal racks. A cooperative group is assigned again after its members have revoked partitions.
TENURE_ASSIGNOR_CASES and TENURE_ASSIGNOR_SEED set number and seed of the groups.
"""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tenure.client.group.assignment import Assignments
from tests.apache_kafka import Unavailable
from tests.assignors import kafka_assignors
from tests.assignors.cases import Case, draw, quality, racks_matter, violation
from tests.assignors.rounds import settled

CASES = int(os.environ.get("TENURE_ASSIGNOR_CASES", "6000"))
SEED = int(os.environ.get("TENURE_ASSIGNOR_SEED", "0")) or Random().randrange(1, 2**32)

pytestmark = [pytest.mark.oracle, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return kafka_assignors.compiled(tmp_path_factory.mktemp("classes"))
    except Unavailable as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))


def compared(classes: Path, protocol: str) -> Iterator[tuple[Case, Assignments, Assignments | str]]:
    """Return the case, our result, and Kafka's result or its error."""
    random = Random(f"{SEED} {protocol}")
    print(f"TENURE_ASSIGNOR_SEED={SEED} TENURE_ASSIGNOR_CASES={CASES} {protocol}")
    cases = [draw(random, protocol) for _ in range(max(1, CASES // 4))]
    answers = kafka_assignors.answers(classes, [case.line for case in cases])
    for case, answer in zip(cases, answers, strict=True):
        yield case, settled(case), answer if answer.startswith("!") else read(case, answer)


def read(case: Case, answer: str) -> Assignments:
    assignments: Assignments = {member.member_id: {} for member in case.members}
    for member, owned in zip(case.members, answer.split(" "), strict=True):
        for partition in owned.split(",") if owned != "-" else ():
            topic, number = partition.split(":")
            assignments[member.member_id].setdefault(topic, []).append(int(number))
    return {
        member_id: {topic: sorted(numbers) for topic, numbers in topics.items()}
        for member_id, topics in assignments.items()
    }


@pytest.mark.parametrize("protocol", ["range", "roundrobin"])
def test_assignor__random_groups__same_assignment_as_kafkas(classes: Path, protocol: str) -> None:
    with_racks = 0
    for case, ours, theirs in compared(classes, protocol):
        assert ours == theirs, case.line
        with_racks += racks_matter(case)
    assert with_racks > CASES // 40


@pytest.mark.parametrize("protocol", ["sticky", "cooperative-sticky"])
def test_sticky__random_groups__balance_and_moves_no_worse_than_kafkas(classes: Path, protocol: str) -> None:
    seen: Counter[str] = Counter()
    for case, ours, theirs in compared(classes, protocol):
        assert violation(case, ours) is None, case.line
        if isinstance(theirs, str) or violation(case, theirs) is not None:
            seen["Kafka failed"] += 1
            continue
        our_quality, their_quality = quality(case, ours), quality(case, theirs)
        assert our_quality <= their_quality, (our_quality, their_quality, case.line)
        with_racks = racks_matter(case)
        same_balance = our_quality.balance_score == their_quality.balance_score
        assert with_racks or not same_balance or our_quality.moved <= their_quality.moved
        seen["compared"] += 1
        seen["racks matter"] += with_racks
        seen["better balanced"] += not same_balance
        seen["nearer"] += same_balance and our_quality.other_racks < their_quality.other_racks
        seen["fewer moves"] += our_quality[:2] == their_quality[:2] and our_quality.moved < their_quality.moved
        seen["nearer by more moves"] += same_balance and our_quality.moved > their_quality.moved
        seen["Kafka moves"] += their_quality.moved > 0
    print(dict(seen))
    assert seen["compared"] > CASES // 5
    assert seen["racks matter"] > CASES // 40
    assert seen["Kafka moves"] > CASES // 20
