"""Random lives of transactional ids on both brokers: the same requests get the same answers and log records.

They include producers of both versions, and zombies of both. The seed is printed and `TENURE_ORACLE_SEED` repeats a
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
from tests.oracle.test_transactions import Life, lived

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))
LIVES = 10
STEPS = 40
ENDED_MIN = LIVES
"""Lives have four of them on average, and some have none: ten lives with less than 30 are one in twelve."""
HONEST = 0.7
"""Share of requests as the producer that is current, as far as the client knows."""


class Drawn:
    def __init__(self, life: Life, rng: random.Random) -> None:
        self.life = life
        self.rng = rng
        self.sequences: Counter[tuple[int, int, int]] = Counter()

    @contextmanager
    def as_somebody(self, *epochs: int) -> Iterator[None]:
        """`epochs`: beside the present one. Who hears of an identity of its own has it from then on."""
        life = self.life
        living = life.producer_id, life.epoch
        asks = living
        if self.rng.random() > HONEST:
            asks = living[0], max(0, living[1] + self.rng.choice(epochs))
        elif self.rng.random() > HONEST + 0.2:
            asks = living[0] + 77_000, living[1]
        life.producer_id, life.epoch = asks
        yield
        if (life.producer_id, life.epoch) == asks:
            life.producer_id, life.epoch = living

    def produce(self) -> None:
        """Never in an epoch that is to come: Apache Kafka keeps in mind where such a batch began."""
        life, partition = self.life, self.rng.randrange(2)
        with self.as_somebody(-1, -2):
            at = life.producer_id, life.epoch, partition
            answer = life.produce(self.sequences[at], self.rng.choice((9, 11, 11, 12, 12, 12, 12)), partition)
            self.sequences[at] += not answer.responses[0].partition_responses[0].error_code

    def add(self) -> None:
        with self.as_somebody(-1, -2, 1):
            self.life.add(self.rng.choice((1, 3)), *self.rng.choice(((0,), (1,), (0, 1))))

    def add_offsets(self) -> None:
        with self.as_somebody(-1, -2, 1):
            self.life.add_offsets(self.rng.choice((1, 4)))

    def commit_offset(self) -> None:
        with self.as_somebody(-1, -2):
            self.life.commit_offset(self.rng.randrange(100), self.rng.choice((0, 2, 3, 4, 5, 5, 5)))

    def plain_commit(self) -> None:
        self.life.plain_commit(self.rng.randrange(100))

    def end(self) -> None:
        with self.as_somebody(-1, -1, -2, 1, 2):
            self.life.end(self.rng.random() < 0.5, self.rng.choice((0, 2, 4, 5, 5, 5, 5, 5)))
        self.life.at_rest()

    def init(self) -> None:
        self.life.init()
        self.life.at_rest()

    def ask_for_an_epoch(self) -> None:
        """Not as a zombie while something is open (docs/differences.md)."""
        found = self.life.describe().transaction_states[0]
        with self.as_somebody(-1, -2, 1):
            asks = self.life.producer_id, self.life.epoch
            if found.transaction_state != "Ongoing" or asks == (found.producer_id, found.producer_epoch):
                self.life.init(self.rng.choice((3, 4, 5)), producer_id=asks[0], epoch=asks[1])
        self.life.at_rest()

    def take_over(self) -> None:
        """Take over the id from another client, unknown to its producer."""
        self.life.session.ask("A", InitProducerIdRequest(self.life.name, 60_000, -1, -1), 5)
        self.life.at_rest()

    def look(self) -> None:
        isolation_level = self.rng.randrange(2)
        self.life.describe()
        self.life.producers()
        self.life.fetch(isolation_level, self.rng.randrange(5), self.rng.randrange(2))
        self.life.latest(isolation_level)
        self.life.fetch_offset(require_stable=bool(isolation_level))


VOCABULARY = {
    Drawn.produce: 10,
    Drawn.add: 4,
    Drawn.add_offsets: 2,
    Drawn.commit_offset: 4,
    Drawn.plain_commit: 1,
    Drawn.end: 10,
    Drawn.init: 1,
    Drawn.ask_for_an_epoch: 2,
    Drawn.take_over: 1,
    Drawn.look: 4,
}


def drawn(seed: int) -> Callable[[Life], None]:
    def live(life: Life) -> None:
        rng = random.Random(seed)
        of = Drawn(life, rng)
        life.init()
        for step in rng.choices(list(VOCABULARY), list(VOCABULARY.values()), k=STEPS):
            step(of)

    live.__name__ = f"drawn-{seed}"
    return live


def test_random_transactions__on_both__same_answers_and_records(kafka: Side, tenure: Side) -> None:
    print(f"TENURE_ORACLE_SEED={SEED}")
    ended = 0
    for seed in range(SEED, SEED + LIVES):
        theirs, ours = ([in_order(one) for one in lived(drawn(seed), side)] for side in (kafka, tenure))
        ended += sum("EndTxnResponse(throttle_time_ms=0, error_code=0" in one for one in ours)
        for number, pair in enumerate(zip(theirs, ours, strict=False)):
            if pair[0] != pair[1]:
                before = "\n".join(ours[max(0, number - 12) : number])
                pytest.fail(f"{before}\n  Apache Kafka: {pair[0]}\n  Tenure:       {pair[1]}\nin life {seed}")
        assert len(theirs) == len(ours)
    assert ended >= ENDED_MIN


def in_order(told: str) -> str:
    """Apache Kafka keeps the partitions of a transaction in a hash table."""
    return told.replace("[1, 0]", "[0, 1]")
