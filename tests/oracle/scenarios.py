"""Register of scenarios. Each is a function of a group that runs on both brokers.

A scenario has the number from `docs/rules.md` (1 to 157 of 9.1 to 9.7, or the rule that it tests), and runs once for
each of its client versions. Its group has the name of the case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from tests.oracle.client_versions import NEWEST
from tests.oracle.side import Session
from tests.oracle.streams_requests import Streams

Scenario = Callable[[Any], None]


class Case(NamedTuple):
    """Scenario with one client version. `strict` cases run on the brokers with small limits (`conftest.py`)."""

    name: str
    play: Scenario
    client_version: int
    instances: Mapping[str, str]
    strict: bool
    long: bool


CASES: Final[dict[str, Case]] = {}


def scenario(
    rule: str, client_versions: Iterable[int] = NEWEST, *, strict: bool = False, long: bool = False, **instances: str
) -> Callable[[Scenario], Scenario]:
    """Register a scenario. `A="a"` gives client A the group.instance.id "a". Cases that are `long` start first."""

    def register(play: Scenario) -> Scenario:
        for client_version in client_versions:
            name = f"{rule}-{play.__name__.replace('_', '-')}-v{client_version}"
            assert name not in CASES, name
            CASES[name] = Case(name, play, client_version, instances, strict, long)
        return play

    return register


def group_of(case: Case, session: Session) -> Streams:
    return Streams(session, case.name, case.instances, case.client_version)
