"""Throttle times equal those of Apache Kafka's quota managers, which run from their jars in virtual time."""

import subprocess
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tenure.broker.quotas.client_quotas import ClientQuotas, QuotaKind
from tenure.broker.quotas.rates import Windows
from tenure.coordinator.metadata.commands import Entity
from tenure.coordinator.metadata.quotas import CLIENT_ID, USER
from tests.apache_kafka import javac, jvm, quick_jvm
from tests.oracle.conftest import require_kafka

pytestmark = pytest.mark.oracle

SOURCE: Final = Path(__file__).with_name("Throttling.java")
PATIENCE_S: Final = 200.0
HISTORIES: Final = 60
RECORDS: Final = 300
USERS: Final = ("u", "v")
CLIENT_IDS: Final = ("c", "d", "")
PAUSES_MS: Final = (0, 1, 40, 700, 999, 1_000, 1_001, 3_000, 25_000, 60_000)


class QuotaHistory:
    """Requests and quotas of one server. `lines` are the same commands for Apache Kafka."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.kind = random.choice([QuotaKind.PRODUCE, QuotaKind.REQUEST, QuotaKind.MUTATION])
        self.windows = Windows(random.choice([1, 2, 5, 11]), random.choice([1, 2]) * 1_000)
        self.now_ms = random.randrange(1_000_000, 2_000_000)
        self.stored: dict[Entity, dict[str, float]] = {}
        self.quotas = ClientQuotas(self.windows, self.windows)
        self.lines = [f"new\t{self.kind.value}\t{self.windows.number}\t{self.windows.size_ms // 1000}\t{self.now_ms}"]
        self.answers: list[str] = []

    def change_quota(self) -> None:
        """Set or remove a quota once earlier use has left all windows, because only Kafka counts unlimited use."""
        self.now_ms += (self.windows.number + 1) * self.windows.size_ms
        user = self.random.choice([*USERS, "*", "-"])
        client_id = self.random.choice([*CLIENT_IDS[:2], "*"] if user == "-" else [*CLIENT_IDS[:2], "*", "-"])
        bound = self.random.choice([None, 1.0, 10.0, 1000.0])
        self.lines.append(f"quota\t{user}\t{client_id}\t{'' if bound is None else bound}")
        named = [(CLIENT_ID, client_id), (USER, user)]
        entity = tuple((kind, None if name == "*" else name) for kind, name in named if name != "-")
        self.stored[entity] = {} if bound is None else {self.kind.value: bound}
        self.quotas.reload(self.stored)

    def use(self) -> None:
        self.now_ms += self.random.choice(PAUSES_MS)
        user, client_id = self.random.choice(USERS), self.random.choice(CLIENT_IDS)
        value = self.random.choice([0.5, 1, 7, 100, 5000])
        allowances = self.quotas.of(user, client_id)
        verb = "record"
        if self.kind is QuotaKind.MUTATION:
            verb = "strict"
            self.answers.append(self.mutate(allowances.mutation, value))
        else:
            allowance = allowances.request if self.kind is QuotaKind.REQUEST else allowances.produce
            self.answers.append(str(self.quotas.throttle_ms(self.kind, allowance, value, self.now_ms)))
        self.lines.append(f"{verb}\t{user}\t{client_id}\t{value}\t{self.now_ms}")

    def mutate(self, quota: object, value: float) -> str:
        if quota is None:
            return "true 0"
        accepted, throttle_ms = self.quotas.mutate(quota, value, self.now_ms, is_strict=True)  # type: ignore[arg-type]
        return f"{str(accepted).lower()} {throttle_ms}"


def test_throttle_times__random_quotas_and_requests__same_as_apache_kafkas(tmp_path: Path) -> None:
    require_kafka()
    lines: list[str] = []
    ours: list[tuple[str, str]] = []
    for seed in range(HISTORIES):
        history = QuotaHistory(Random(f"throttling {seed}"))
        for _ in range(RECORDS):
            if history.random.random() < 0.05:
                history.change_quota()
            history.use()
        lines += history.lines
        asked = [line for line in history.lines if line.startswith(("record", "strict"))]
        ours += [(f"seed {seed}: {line}", answer) for line, answer in zip(asked, history.answers, strict=True)]
    theirs = throttled_by_kafka(tmp_path, lines)
    assert len(theirs) == len(ours) > 10_000
    throttled = sum(answer not in ("0", "true 0") for _, answer in ours)
    assert 0.1 < throttled / len(ours) < 0.9, "both outcomes are compared"
    differing = [(line, answer, one) for (line, answer), one in zip(ours, theirs, strict=True) if answer != one]
    assert not differing, f"{len(differing)} differ (line, Tenure, Apache Kafka): {differing[:10]}"


def throttled_by_kafka(directory: Path, lines: list[str]) -> list[str]:
    compiled = directory / "classes"
    javac(SOURCE, compiled)
    command = jvm("256M", "Throttling", [], quick_jvm())
    command[command.index("-cp") + 1] += f":{compiled}"
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    return [line for line in done.stdout.splitlines() if line[:1].isdigit() or line.startswith(("true ", "false "))]
