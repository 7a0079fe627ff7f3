"""The register of scenarios: each is a function of a group, played on both brokers with the same words.

A scenario bears the number that it has in `docs/rules.md` (1 to 157 of 9.1 to 9.7, or the rule it is about) and is
played once per vintage of clients. Its group has the case's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from tests.oracle.side import Session
from tests.oracle.streams import Streams
from tests.oracle.vintages import NEWEST

Scenario = Callable[[Any], None]


class Case(NamedTuple):
    """`strict`: for the brokers with an initial delay, a size limit and a short memory."""

    name: str
    play: Scenario
    vintage: int
    instances: Mapping[str, str]
    strict: bool
    long: bool


CASES: Final[dict[str, Case]] = {}


def scenario(
    rule: str, vintages: Iterable[int] = NEWEST, *, strict: bool = False, long: bool = False, **instances: str
) -> Callable[[Scenario], Scenario]:
    """Registers; `A="a"` makes actor A static with group.instance.id "a". Long ones are begun first."""

    def register(play: Scenario) -> Scenario:
        for vintage in vintages:
            name = f"{rule}-{play.__name__.replace('_', '-')}-v{vintage}"
            assert name not in CASES, name
            CASES[name] = Case(name, play, vintage, instances, strict, long)
        return play

    return register


def group_of(case: Case, session: Session) -> Streams:
    return Streams(session, case.name, case.instances, case.vintage)
