"""The register of scenarios: each is a function of a session, played on both brokers with the same words.

A scenario's group has the scenario's name, unless it takes more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tests.oracle.actors import Group
from tests.oracle.side import Session

Scenario = Callable[[Group], None]

SCENARIOS: Final[dict[str, Scenario]] = {}
INSTANCES: Final[dict[str, Mapping[str, str]]] = {}


def scenario(**instances: str) -> Callable[[Scenario], Scenario]:
    """Registers; `A="a"` makes actor A static with group.instance.id "a"."""

    def register(play: Scenario) -> Scenario:
        SCENARIOS[play.__name__] = play
        INSTANCES[play.__name__] = instances
        return play

    return register


def play(name: str, session: Session) -> list[str]:
    """The scenario's trace, closed by what its group's log says."""
    group = Group(session, name, INSTANCES[name])
    SCENARIOS[name](group)
    return session.trace + session.log(group.id)
