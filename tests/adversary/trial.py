"""One attack on one broker, with the probe's measurements during the attack."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from tests.adversary.probe import SETTINGS, Measurement, Probe, probing
from tests.serving import Serving, serving

MB: Final = 1 << 20
MEMORY_MAX: Final = 256 * MB
"""Maximum resident memory above that of the idle broker."""
LOG_BYTES_MAX: Final = 10 * MB
P99_MS_MAX: Final = 100.0
MAX_MS_MAX: Final = 1_000.0
SETTLE_S: Final = 1.0

Stages: TypeAlias = "Generator[None, None, str]"
"""Generator of an attack: it prepares the attack, yields once, attacks, and returns the outcome as text.

Raises AssertionError if the broker neither answers the attack nor closes its connections.
"""


@dataclass(frozen=True)
class Attack:
    name: str
    finding: str
    run: Callable[[Serving], Stages]
    settings: tuple[str, ...] = ()
    """Settings of the broker that the attack needs."""
    is_large: bool = False
    """True if the attack takes longer than CI allows, or loads the machine for long."""
    settle_s: float = SETTLE_S
    """Time for which the measurement continues after the attack, because the broker may still work on it."""
    shares_broker: bool = False
    """True if the attack runs on the broker of the attack before."""

    @property
    def description(self) -> str:
        return (self.run.__doc__ or "").partition("\n")[0]


@dataclass(frozen=True)
class Outcome:
    ending: str
    seconds: float
    memory_bytes: int
    """Peak memory during the attack, above that of the idle broker."""
    log_bytes: int
    bugs: int
    """Number of tracebacks in the log."""
    probe: Measurement

    @property
    def failures(self) -> list[str]:
        """Violations of bounds that hold on a busy machine, too."""
        found = [f"member lost: {member}" for member in self.probe.lost]
        if self.ending.startswith("!"):
            found.append(self.ending)
        if self.memory_bytes > MEMORY_MAX:
            found.append(f"{self.memory_bytes // MB} MB of memory, {MEMORY_MAX // MB} are allowed")
        if self.log_bytes > LOG_BYTES_MAX:
            found.append(f"{self.log_bytes // MB} MB of log, {LOG_BYTES_MAX // MB} are allowed")
        if self.bugs:
            found.append(f"{self.bugs} tracebacks in the log")
        return found

    @property
    def is_slow(self) -> bool:
        """True if heartbeats waited longer than they may on a machine that does nothing else."""
        return self.probe.p99_ms > P99_MS_MAX or self.probe.max_ms > MAX_MS_MAX


class Arena:
    """Broker with the probe beside it."""

    def __init__(self, broker: Serving, probe: Probe) -> None:
        self.broker = broker
        self.probe = probe
        self.idle_bytes = memory_bytes(broker, "VmRSS")

    def stage(self, attack: Attack) -> Outcome:
        """Run one attack and return its outcome."""
        under_way = attack.run(self.broker)
        next(under_way)
        before_bytes = self.idle_bytes if attack.shares_broker else memory_bytes(self.broker, "VmRSS")
        log_from = len(self.broker.log)
        self.probe.begin()
        Path(f"/proc/{self.broker.pid}/clear_refs").write_text("5")  # resets VmHWM
        began_at = time.monotonic()
        ending = ending_of(under_way)
        seconds = time.monotonic() - began_at
        time.sleep(attack.settle_s)
        measured = self.probe.end()
        log = self.broker.log[log_from:]
        peak_bytes = memory_bytes(self.broker, "VmHWM") - before_bytes
        return Outcome(ending, seconds, peak_bytes, len(log), log.count("Traceback"), measured)


def ending_of(under_way: Stages) -> str:
    try:
        next(under_way)
    except StopIteration as end:
        return str(end.value)
    except AssertionError as failure:
        return f"! {failure}"
    raise AssertionError("an attack yields once")


def memory_bytes(broker: Serving, kind: str) -> int:
    """Return the value of `kind`: VmRSS, the resident memory, or VmHWM, its peak since `clear_refs` was written."""
    for line in Path(f"/proc/{broker.pid}/status").read_text().splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"the broker has ended:\n{broker.log}")


@contextmanager
def arena(directory: Path, *settings: str) -> Iterator[Arena]:
    directory.mkdir(exist_ok=True)
    with serving(directory, *SETTINGS, *settings) as broker, probing(broker) as probe:
        yield Arena(broker, probe)
