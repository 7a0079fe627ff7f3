"""Assignors with one deliberately broken rule: the comparison with Kafka must find each."""

import inspect
import sys
from collections.abc import Iterator
from functools import cache
from random import Random
from types import FunctionType, ModuleType

import pytest

from tenure.assignors import claims, cooperative, exchange_cycles, group, members, partition_shares, round_robin, sticky
from tenure.assignors import range as range_assignor
from tenure.client.group.assignment import Assignments, assign
from tenure.limits import assignors as limits
from tenure.protocol.consumer_protocol import decode_subscription
from tests.assignors.cases import Case, Partition, Quality, draw, quality, true_owners, violation
from tests.assignors.rounds import settled

pytestmark = pytest.mark.long

SEED = 20_251_121
CASES = {"range": 1_500, "roundrobin": 100, "sticky": 300, "cooperative-sticky": 300}
EXCHANGE_CELLS_MAX = 1_000_000
"""Bound for mutants that would never end: a thousand times what these groups need."""

MUTANTS: list[tuple[ModuleType, str, str]] = [
    (members, "sorted(by_name, key=lambda number: instance_ids[number] is None)", "by_name"),
    (members, '"utf-16-be"', '"utf-8"'),
    (group, "and any(it != everywhere for it in used)", ""),
    (group, "not everywhere.isdisjoint(self.of_members[members].tolist()) and ", ""),
    (group, "inside = [NO_RACK, *", "inside = [*"),
    (range_assignor, "np.arange(len(subscribers)) < extra", "np.arange(len(subscribers)) >= len(subscribers) - extra"),
    (range_assignor, "if len(topics) > 1:", "if False:"),
    (range_assignor, "self.extra -= self.given[position] > self.quota", "pass"),
    (range_assignor, "all(assignment.remaining(position) for assignment in assignments)", "True"),
    (round_robin, "turn = (int(dealt[-1]) + 1) % group.member_count", "turn = 0"),
    (claims, "np.lexsort((members, known, partitions))", "np.lexsort((members, -known, partitions))"),
    (claims, "np.where(tied[best], NOBODY, members[best])", "members[best]"),
    (claims, "if is_disputed(claims, owners):", "if False:"),
    (group, "known.setdefault(row.tobytes(), len(known))", "known.setdefault(bytes(len(row)), len(known))"),
    (group, "topics.tobytes(), len(different)", "bytes([len(topics)]), len(different)"),
    (
        partition_shares,
        'given[raised[np.argsort(-preferred[raised], kind="stable")[:left_over]]] += 1',
        "given[raised[:left_over]] += 1",
    ),
    (exchange_cycles, "(shares < owned)", "0"),
    (exchange_cycles, "rack_weight = member_count + 1", "rack_weight = 0"),
    (exchange_cycles, "height_weight = rack_weight * (member_count + 1)", "height_weight = 0"),
    (exchange_cycles, "times = min(times, max(1, int(loads[shrinks] - loads[grows]) // 2))", ""),
    (partition_shares, "exchange(kinds, owned, shares)", ""),
    (sticky, "return np.where(still, owners, np.int32(NOBODY))", "return owners"),
    (sticky, 'order = np.argsort(cells, kind="stable")', "order = np.arange(len(cells))"),
    (
        sticky,
        "is_over = np.append(surplus.any(axis=0), False)",
        "is_over = np.append((surplus > 1).any(axis=0), False)",
    ),
    (sticky, "numbers < counts", "numbers <= counts"),
    (cooperative, "(after != before) & claimed_by_others(claims, after)", "(after != before) & (before != NOBODY)"),
    (cooperative, "(after != before) & claimed_by_others(claims, after)", "claimed_by_others(claims, after)"),
    (cooperative, "return withhold(group.claims, before, reassign(group, before))", "return reassign(group, before)"),
]


@cache
def cases() -> list[Case]:
    """Return the random groups, in random order: so a broken rule soon changes one of them."""
    random = Random(SEED)
    groups = [draw(random, protocol) for protocol, count in CASES.items() for _ in [None] * count]
    random.shuffle(groups)
    return groups


@cache
def references() -> list[tuple[Assignments, Quality]]:
    """Return the results of the unchanged rules, which are as good as those of Kafka's own classes or better."""
    answers = [settled(case) for case in cases()]
    return [(answer, quality(case, answer)) for case, answer in zip(cases(), answers, strict=True)]


def differences() -> Iterator[str]:
    for case, (reference, best) in zip(cases(), references(), strict=True):
        try:
            answer = settled(case)
        except Exception as reason:
            yield f"{reason!r}"
            continue
        if case.protocol in ("range", "roundrobin"):
            if answer != reference:
                yield "another assignment"
        elif fault := violation(case, answer) or partition_with_two_owners(case):
            yield fault
        elif quality(case, answer) > best:
            yield f"{quality(case, answer)} where {best} is possible"


def partition_with_two_owners(case: Case) -> str | None:
    """Return whether a partition has two owners in the first round of a cooperative group (SingleOwner)."""
    if case.protocol != "cooperative-sticky":
        return None
    true = true_owners(case)
    claimed: dict[Partition, set[str]] = {}
    for member in case.members:
        for of in decode_subscription(member.metadata).owned_partitions:
            for number in of.partitions:
                claimed.setdefault((of.topic, number), set()).add(member.member_id)
    for member_id, topics in assign(case.protocol, case.members, case.topics).items():
        for topic, numbers in topics.items():
            for partition in numbers:
                if true.get((topic, partition)) != member_id and claimed.get((topic, partition), set()) - {member_id}:
                    return f"{topic}-{partition} is given to {member_id} while another claims it"
    return None


def broken(module: ModuleType, rule: str, instead: str, patch: pytest.MonkeyPatch) -> None:
    """Replace a module's functions and classes, wherever they are imported, as if its source were different."""
    source = inspect.getsource(module)
    assert source.count(rule) >= 1, f"{module.__name__} has no {rule!r} any more"
    patch.setattr(limits, "ASSIGNOR_EXCHANGE_CELLS_MAX", EXCHANGE_CELLS_MAX)
    namespace: dict[str, object] = {"__name__": module.__name__, "__file__": module.__file__}
    is_statement = any(line.strip() == rule for line in source.splitlines())
    changed = source.replace(rule, "pass" if is_statement and not instead else instead)
    exec(compile(changed, str(module.__file__), "exec"), namespace)
    for name, original in vars(module).copy().items():
        if isinstance(original, FunctionType | type) and original.__module__ == module.__name__:
            for holder in [held for key, held in sys.modules.items() if key.startswith("tenure.")]:
                if vars(holder).get(name) is original:
                    patch.setattr(holder, name, namespace[name])


def test_mutation_check_of_assignors__unchanged_rules__no_difference_found() -> None:
    references()
    assert next(differences(), None) is None


@pytest.mark.parametrize(("module", "rule", "instead"), MUTANTS, ids=[f"{m.__name__[17:]}: {r}" for m, r, _ in MUTANTS])
def test_mutation_check_of_assignors__one_rule_deliberately_broken__difference_found(
    module: ModuleType, rule: str, instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    references()
    broken(module, rule, instead, monkeypatch)
    assert next(differences(), None) is not None
