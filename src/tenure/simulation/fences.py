"""Comparison of the policies of `group.commit.fencing` on one history: commits wrongly rejected or accepted.

The records of the history are applied to a shard with the policy. A commit is checked when all records before it are
applied.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import NO_ASK, Now
from tenure.simulation.commit_history import BEGAN_MS, Applied, Attempt, Event
from tenure.simulation.holders import CommitKind


@dataclass(slots=True)
class Verdict:
    policy: str
    accepted: Counter[CommitKind] = field(default_factory=Counter)
    refused: Counter[CommitKind] = field(default_factory=Counter)
    false_refusals_ms: list[int] = field(default_factory=list)
    """Times in ms at which honest commits were refused."""
    accepted_zombies_ms: list[int] = field(default_factory=list)
    wrong: list[Attempt] = field(default_factory=list)
    """The first WRONG_ONES_KEPT wrong decisions: refused honest commits and accepted zombie commits."""
    foreign_accepted_ms: list[int] = field(default_factory=list)

    @property
    def honest(self) -> int:
        return self.accepted[CommitKind.HONEST] + self.refused[CommitKind.HONEST]

    @property
    def zombies(self) -> int:
        return sum(self.accepted[kind] + self.refused[kind] for kind in ZOMBIES)

    @property
    def foreign(self) -> int:
        return self.accepted[CommitKind.FOREIGN] + self.refused[CommitKind.FOREIGN]


ZOMBIES = (CommitKind.TAKEN, CommitKind.GONE)
WRONG_ONES_KEPT = 3


def real_shard(settings: GroupSettings) -> GroupsShard:
    return GroupsShard(settings, bytes)


def judge(
    history: Iterable[Event],
    policy: str,
    into: Verdict | None = None,
    new_shard: Callable[[GroupSettings], GroupsShard] = real_shard,
) -> Verdict:
    """Count the wrong decisions of a policy on a history.

    Args:
        history: Records of the coordinator, and commits.
        policy: Value of `group.commit.fencing`.
        into: Verdict on earlier histories, to which the counts are added.
        new_shard: Function that creates the shard; a test passes a shard with a broken rule.
    """
    verdict = into or Verdict(policy)
    shard = new_shard(GroupSettings(configs=GroupConfigs(group_commit_fencing=policy)))
    apply, handle = shard.apply, shard.handle
    for event in history:
        if isinstance(event, Applied):
            apply(event.record)
            continue
        (_, answer), *_ = handle(NO_ASK, event.commit, Now(BEGAN_MS + event.at_ms, event.at_ms)).replies
        is_accepted = isinstance(answer, Committed)
        (verdict.accepted if is_accepted else verdict.refused)[event.kind] += 1
        if event.kind is CommitKind.HONEST and not is_accepted:
            _record_wrong(verdict, verdict.false_refusals_ms, event)
        elif event.kind in ZOMBIES and is_accepted:
            _record_wrong(verdict, verdict.accepted_zombies_ms, event)
        elif event.kind is CommitKind.FOREIGN and is_accepted:
            verdict.foreign_accepted_ms.append(event.at_ms)
    return verdict


def _record_wrong(verdict: Verdict, moments: list[int], attempt: Attempt) -> None:
    moments.append(attempt.at_ms)
    if len(verdict.wrong) < WRONG_ONES_KEPT:
        verdict.wrong.append(attempt)
