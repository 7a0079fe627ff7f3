"""Random histories of transactional ids get the same answers and log records on both brokers.

They include producers of both versions, and zombies of both. The seed is printed, and `TENURE_ORACLE_SEED` repeats a
run.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tenure.protocol.messages import InitProducerIdRequest
from tests.oracle.side import Side
from tests.oracle.test_transactions import LONG_TIMEOUT_MS, TransactionHistory, run_history

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))
HISTORIES = 10
STEPS = 40
ENDED_MIN = HISTORIES
"""Fewest ended transactions. A history has four on average, some have none; one run in twelve has fewer than 30."""
CURRENT_IDENTITY_SHARE = 0.7
"""Share of requests with the current producer's identity, as far as the client knows it."""


class RandomRequests:
    def __init__(self, history: TransactionHistory, rng: random.Random) -> None:
        self.history = history
        self.rng = rng
        self.sequences: Counter[tuple[int, int, int]] = Counter()

    @contextmanager
    def as_random_producer(self, *epochs: int) -> Iterator[None]:
        """Send requests as a random producer: the current one, another epoch (`epochs`), or another producer id.

        If the client gets a new identity meanwhile, it keeps that one.
        """
        history = self.history
        current = history.producer_id, history.epoch
        asks = current
        if self.rng.random() > CURRENT_IDENTITY_SHARE:
            asks = current[0], max(0, current[1] + self.rng.choice(epochs))
        elif self.rng.random() > CURRENT_IDENTITY_SHARE + 0.2:
            asks = current[0] + 77_000, current[1]
        history.producer_id, history.epoch = asks
        yield
        if (history.producer_id, history.epoch) == asks:
            history.producer_id, history.epoch = current

    def produce(self) -> None:
        """Produce, but never in a future epoch, because Apache Kafka remembers where such a batch began."""
        history, partition = self.history, self.rng.randrange(2)
        with self.as_random_producer(-1, -2):
            at = history.producer_id, history.epoch, partition
            answer = history.produce(self.sequences[at], self.rng.choice((9, 11, 11, 12, 12, 12, 12)), partition)
            self.sequences[at] += not answer.responses[0].partition_responses[0].error_code

    def add(self) -> None:
        with self.as_random_producer(-1, -2, 1):
            self.history.add(self.rng.choice((1, 3)), *self.rng.choice(((0,), (1,), (0, 1))))

    def add_offsets(self) -> None:
        with self.as_random_producer(-1, -2, 1):
            self.history.add_offsets(self.rng.choice((1, 4)))

    def commit_offset(self) -> None:
        with self.as_random_producer(-1, -2):
            self.history.commit_offset(self.rng.randrange(100), self.rng.choice((0, 2, 3, 4, 5, 5, 5)))

    def plain_commit(self) -> None:
        self.history.plain_commit(self.rng.randrange(100))

    def end(self) -> None:
        with self.as_random_producer(-1, -1, -2, 1, 2):
            self.history.end(self.rng.random() < 0.5, self.rng.choice((0, 2, 4, 5, 5, 5, 5, 5)))
        self.history.wait_for_markers()

    def init(self) -> None:
        self.history.init()
        self.history.wait_for_markers()

    def ask_for_an_epoch(self) -> None:
        """Request an epoch, but not as a zombie while a transaction is open (docs/differences.md)."""
        found = self.history.describe().transaction_states[0]
        with self.as_random_producer(-1, -2, 1):
            asks = self.history.producer_id, self.history.epoch
            if found.transaction_state != "Ongoing" or asks == (found.producer_id, found.producer_epoch):
                self.history.init(self.rng.choice((3, 4, 5)), producer_id=asks[0], epoch=asks[1])
        self.history.wait_for_markers()

    def take_over(self) -> None:
        """Take over the id from another client, without telling the producer."""
        self.history.session.ask("A", InitProducerIdRequest(self.history.name, LONG_TIMEOUT_MS, -1, -1), 5)
        self.history.wait_for_markers()

    def read(self) -> None:
        isolation_level = self.rng.randrange(2)
        self.history.describe()
        self.history.producers()
        self.history.fetch(isolation_level, self.rng.randrange(5), self.rng.randrange(2))
        self.history.latest(isolation_level)
        self.history.fetch_offset(require_stable=bool(isolation_level))


REQUESTS = {
    RandomRequests.produce: 10,
    RandomRequests.add: 4,
    RandomRequests.add_offsets: 2,
    RandomRequests.commit_offset: 4,
    RandomRequests.plain_commit: 1,
    RandomRequests.end: 10,
    RandomRequests.init: 1,
    RandomRequests.ask_for_an_epoch: 2,
    RandomRequests.take_over: 1,
    RandomRequests.read: 4,
}


def random_history(seed: int) -> Callable[[TransactionHistory], None]:
    def send_requests(history: TransactionHistory) -> None:
        rng = random.Random(seed)
        requests = RandomRequests(history, rng)
        history.init()
        for step in rng.choices(list(REQUESTS), list(REQUESTS.values()), k=STEPS):
            step(requests)

    send_requests.__name__ = f"random-{seed}"
    return send_requests


def test_random_transactions__on_both_brokers__same_answers_and_records(kafka: Side, tenure: Side) -> None:
    print(f"TENURE_ORACLE_SEED={SEED}")
    ended = 0
    for seed in range(SEED, SEED + HISTORIES):
        theirs, ours = ([in_order(one) for one in run_history(random_history(seed), side)] for side in (kafka, tenure))
        ended += sum("EndTxnResponse(throttle_time_ms=0, error_code=0" in one for one in ours)
        for number, pair in enumerate(zip(theirs, ours, strict=False)):
            if pair[0] != pair[1]:
                before = "\n".join(ours[max(0, number - 12) : number])
                pytest.fail(f"{before}\n  Apache Kafka: {pair[0]}\n  Tenure:       {pair[1]}\nin history {seed}")
        assert len(theirs) == len(ours)
    assert ended >= ENDED_MIN


def in_order(answer: str) -> str:
    """Return the answer with its partitions in order: Apache Kafka keeps them in a hash table."""
    return answer.replace("[1, 0]", "[0, 1]")
