"""Member of a streams group that commits its tasks, in present and former epochs, until its standard input ends.

It is a process of its own, so that a test can stop and kill it. Each round it writes its counts to standard output, as
a line of JSON. Requests are raw: `StreamsMember` would reject late commits itself.
"""

from __future__ import annotations

import json
import os
import random
import select
import sys
from collections import Counter, deque
from typing import Any, Final, NamedTuple

from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTopology,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tests.wire import Wire

GROUP: Final[Any] = "committed"
TOPIC: Final[Any] = "committed-lines"
REBALANCE_TIMEOUT_MS: Final = 60_000
PLANS: Final = 50
"""Number of assignments that a member remembers. It commits for the newest, and for random ones, mostly outdated."""
TRANSACTIONS: Final = 1
"""Key type of FindCoordinator, which creates the topic of transactions."""
NOT_LOADED: Final = (14, 15, 16)
CONCURRENT_TRANSACTIONS: Final = 51
COMMIT_VERSION, TXN_COMMIT_VERSION, HEARTBEAT_VERSION = 9, 4, 1


class Plan(NamedTuple):
    epoch: int
    partitions: tuple[int, ...]


class Refusal(NamedTuple):
    """Refused commit of a partition that the client believed to own. The next heartbeat shows whether it did."""

    partition: int
    since: int
    text: str


class CommittingMember:
    def __init__(self, host: str, port: int, seed: int) -> None:
        self._wire: Final = Wire(host, port)
        self._random: Final = random.Random(seed)
        self._member_id: Final[Any] = f"member-{os.getpid()}"
        self._epoch = 0
        self._since: dict[int, int] = {}
        """Epoch in which the member got each of its tasks."""
        self._reported: tuple[int, ...] | None = None
        self._plans: Final[deque[Plan]] = deque(maxlen=PLANS)
        self._refusals: list[Refusal] = []
        self._producer: Any = None
        self.counts: Final[Counter[str]] = Counter()
        self.unfair: Final[list[str]] = []

    def round(self) -> None:
        self._beat()
        plan = Plan(self._epoch, tuple(self._since))
        if plan.partitions and [plan] != list(self._plans)[-1:]:
            self._plans.append(plan)
        for plan in (*list(self._plans)[-1:], *self._random.choices(self._plans, k=3 if self._plans else 0)):
            self._commit(plan, self._random.choice(plan.partitions), in_transaction=self._random.random() < 0.5)

    # --- membership ---------------------------------------------------------------------------------------------------

    def _beat(self) -> None:
        joins, tasks = self._epoch == 0, tuple(sorted(self._since))
        tells = joins or tasks != self._reported
        owned = [StreamsHeartbeatTaskIds("0", list(tasks))] if tasks else []
        topology = StreamsHeartbeatTopology(0, [StreamsHeartbeatSubtopology("0", [TOPIC])])
        request = StreamsGroupHeartbeatRequest(
            GROUP,
            self._member_id,
            self._epoch,
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS if joins else -1,
            topology=topology if joins else None,
            active_tasks=owned if tells else None,
            standby_tasks=[] if tells else None,
            warmup_tasks=[] if tells else None,
            process_id=self._member_id if joins else None,
        )
        answer = self._wire.ask(request, HEARTBEAT_VERSION)
        if answer.error_code:
            self._epoch, self._since, self._reported = 0, {}, None
        else:
            self._epoch, self._reported = answer.member_epoch, tasks
            if answer.active_tasks is not None:
                given = [partition for task in answer.active_tasks for partition in task.partitions]
                self._since = {each: self._since.get(each, self._epoch) for each in given}
        self._judge_refusals()

    def _judge_refusals(self) -> None:
        """Count a refusal as unfair if the member has had the task from before the commit's epoch until now."""
        self.unfair += [each.text for each in self._refusals if self._since.get(each.partition) == each.since]
        self._refusals.clear()

    # --- commits ------------------------------------------------------------------------------------------------------

    def _commit(self, plan: Plan, partition: int, *, in_transaction: bool) -> None:
        metadata = f"{self._member_id} {plan.epoch}"
        send = self._commit_in_transaction if in_transaction else self._commit_plainly
        error_code = send(plan, partition, metadata)
        kind = "transactional" if in_transaction else "plain"
        self.counts[f"{kind} {'refused' if error_code else 'accepted'}"] += 1
        since = self._since.get(partition)
        if error_code and since is not None and since <= plan.epoch:
            self._refusals.append(Refusal(partition, since, f"{kind} {metadata}, {partition}: error {error_code}"))

    def _commit_plainly(self, plan: Plan, partition: Any, metadata: str) -> int:
        part = OffsetCommitRequestPartition(partition, 1, committed_metadata=metadata)
        topics = [OffsetCommitRequestTopic(name=TOPIC, partitions=[part])]
        request = OffsetCommitRequest(GROUP, plan.epoch, self._member_id, topics=topics)
        return int(self._wire.ask(request, COMMIT_VERSION).topics[0].partitions[0].error_code)

    def _commit_in_transaction(self, plan: Plan, partition: Any, metadata: str) -> int:
        who = self._transaction()
        part = TxnOffsetCommitRequestPartition(partition, 1, committed_metadata=metadata)
        topics = [TxnOffsetCommitRequestTopic(name=TOPIC, partitions=[part])]
        epoch: Any = plan.epoch
        request = TxnOffsetCommitRequest(who[0], GROUP, who[1], who[2], epoch, self._member_id, topics=topics)
        error_code = int(self._wire.ask(request, TXN_COMMIT_VERSION).topics[0].partitions[0].error_code)
        ended = self._wire.ask(EndTxnRequest(*who, committed=not error_code), 3)
        assert ended.error_code == 0, ended
        return error_code

    def _transaction(self) -> Any:
        """Begin a transaction; return transactional id, producer id and producer epoch."""
        if self._producer is None:
            transactional_id = f"by-{self._member_id}"
            self._wire.ask(FindCoordinatorRequest(key_type=TRANSACTIONS, coordinator_keys=[transactional_id]), 4)
            request = InitProducerIdRequest(transactional_id, REBALANCE_TIMEOUT_MS)
            while (answer := self._wire.ask(request, 4)).error_code:
                assert answer.error_code in NOT_LOADED, answer
            self._producer = transactional_id, answer.producer_id, answer.producer_epoch
        while (answer := self._wire.ask(AddOffsetsToTxnRequest(*self._producer, GROUP), 3)).error_code:
            assert answer.error_code == CONCURRENT_TRANSACTIONS, answer
        return self._producer


def main() -> None:
    host, port, seed = sys.argv[1:]
    member = CommittingMember(host, int(port), int(seed))
    while not select.select([sys.stdin], [], [], 0)[0]:
        member.round()
        print(json.dumps({"counts": member.counts, "unfair": member.unfair}), flush=True)


if __name__ == "__main__":
    main()
