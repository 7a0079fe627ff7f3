"""Fence of a group that changes between the protocols.

Members commit assignments from both protocols repeatedly while it is a consumer group.
"""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.commands import CommitOffsets, OffsetToCommit
from tenure.coordinator.shard import NO_ASK
from tenure.protocol.types import MemberId, TopicName
from tenure.simulation.holders import CommitKind, Holders, Partition
from tests.coordinator.consumer_histories import GROUP
from tests.coordinator.migration_histories import MigratingHistory, MixedClient
from tests.coordinator.trace_consumers import topic_id_of, topic_of

STEPS = 400
SEEDS = range(12)
CLAIMS_KEPT, CLAIMS_TRIED = 300, 40


@dataclass
class Belief:
    member_id: MemberId
    epoch: int
    owned: frozenset[Partition]


class RepeatedCommits(MigratingHistory):
    def __init__(self, seed: int) -> None:
        self.holders = Holders({TopicName(name): topic_id_of(name) for name in ("t", "u")})
        self.claims: list[tuple[MemberId, int, Partition, int]] = []
        self.beliefs: dict[str, Belief] = {}
        self.judged: Counter[tuple[CommitKind, bool]] = Counter()
        self.draw = Random(seed)
        super().__init__(seed)

    def fold(self, record: object) -> None:
        super().fold(record)
        self.holders.fold(record)

    def check_step(self, before: int) -> None:
        super().check_step(before)
        for client in self.clients:
            self.record_belief(client)
        if self.group is not None:
            for claim in self.draw.sample(self.claims, min(CLAIMS_TRIED, len(self.claims))):
                self.commit_again(*claim)
        self.holders.step += 1

    def record_belief(self, client: MixedClient) -> None:
        """Record the partitions that a client believes to own, unless it only has fewer of them in the same epoch."""
        now = Belief(client.member_id, client.epoch, frozenset(client.owned))
        before = self.beliefs.get(client.name)
        self.beliefs[client.name] = now
        is_old = before is not None and (before.member_id, before.epoch) == (now.member_id, now.epoch)
        if client.epoch > 0 and not (is_old and before is not None and now.owned <= before.owned):
            self.claims += [(now.member_id, now.epoch, one, self.holders.step) for one in sorted(now.owned)]
            del self.claims[:-CLAIMS_KEPT]

    def commit_again(self, member_id: MemberId, epoch: int, partition: Partition, step: int) -> None:
        kind = self.holders.classify(member_id, partition, step)
        offset = OffsetToCommit(TopicName(topic_of(partition[0])), *partition, 1)
        commit: Any = CommitOffsets(GROUP, member_id, None, epoch, [offset])  # type: ignore[arg-type]
        (_, answer), *_ = self.host.shard.handle(NO_ASK, commit, self.host.now).replies
        is_accepted = isinstance(answer, Committed)
        self.judged[kind, is_accepted] += 1
        wanted = {CommitKind.HONEST: True, CommitKind.TAKEN: False, CommitKind.GONE: False}.get(kind, is_accepted)
        assert is_accepted is wanted, f"{kind}: {member_id} at {epoch} since step {step}, {partition}: {self.group}"


@pytest.mark.long
def test_commit_fencing__groups_converted_to_consumer_and_back__only_honest_commits_accepted() -> None:
    judged: Counter[tuple[CommitKind, bool]] = Counter()
    did: Counter[str] = Counter()
    for seed in SEEDS:
        history = RepeatedCommits(seed)
        try:
            for _ in range(STEPS):
                history.step()
        except AssertionError as broken:
            raise AssertionError(f"{history.drawn}: {broken}") from broken
        judged += history.judged
        did += history.did
    assert judged[CommitKind.HONEST, True] > 5_000, f"this run did too little: {judged}"
    assert judged[CommitKind.TAKEN, False] > 1_000, f"this run did too little: {judged}"
    assert judged[CommitKind.GONE, False] > 5_000, f"this run did too little: {judged}"
    assert min(did["downgrade"], did["mixed"], did["synced in a consumer group"]) > 10, f"too few migrations: {did}"
