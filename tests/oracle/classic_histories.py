"""Random histories of a classic group: sequences of actions.

Most actions are "proceed": a client sends the request that follows from its last answer. The others are irregular: a
client restarts, changes its protocols, uses an old id, another's instance or an old generation, leaves, or commits
without a member id; or an operator acts. Actions are ordered from regular to irregular; the first one does nothing, so
that hypothesis shrinks to it.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from tests.oracle.classic_requests import OWN

CLIENTS: Final = ("A", "B", "C", "D", "E")
STATIC: Final = {"A": "a", "B": "b", "C": "c"}
OPERATOR: Final = "operator"

STRANGER: Final = "stranger-1"
FIRST: Final = 1
"""Member id of an action: the oldest id that the client got."""


class Action(NamedTuple):
    """One action. The meaning of `number` depends on the kind; `shift` is added to the client's generation."""

    kind: str
    client: str = "A"
    client_version: int = 9
    which: str | int = OWN
    instance: str | None = OWN
    shift: int = 0
    number: int = 0


class History(NamedTuple):
    """History of a group.

    `short_sessions` names the clients whose sessions expire during the action `rest`; `short_rebalances` gives all
    clients a short rebalance timeout.
    """

    actions: tuple[Action, ...]
    short_sessions: str = ""
    short_rebalances: bool = False


REST: Final = Action("rest")
CLEAR: Final = Action("remove_member", OPERATOR)
"""Action of an operator when all clients wait: remove members whose client no longer runs, or else all of them."""
CLIENT_VERSIONS: Final = (9, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0)
PLAIN_FREQUENCY: Final = 5
"""Frequency of each regular action."""

IDENTITIES: Final = (
    (STRANGER, OWN, 0),
    (FIRST, OWN, 0),
    ("", OWN, 0),
    (OWN, None, 0),
    (OWN, "a", 0),
    (OWN, "z", 0),
    (OWN, OWN, -1),
    (OWN, OWN, 1),
    (FIRST, None, -1),
    ("", None, 0),
)
"""(member id, instance id, shift of the generation) of irregular requests."""


def possible_actions() -> list[Action]:
    plain = [
        Action("proceed", client, client_version, number=n)
        for client_version, n, client in product(CLIENT_VERSIONS, range(3), CLIENTS)
        if client_version >= 5 or client not in STATIC
    ]
    restarts = [
        Action("restart", client, client_version) for client_version, client in product((9, 8, 7, 6, 5), CLIENTS)
    ]
    changes = [Action("join", client, v, number=n) for v, n, client in product((9, 6, 3), range(3), CLIENTS)]
    false = [
        Action(kind, client, client_version, *identity)
        for kind, client_version, identity, client in product(
            ("heartbeat", "sync", "commit", "join"), (9, 5), IDENTITIES, CLIENTS
        )
    ]
    anonymous = [
        Action("commit_anonymously", OPERATOR, client_version, number=n)
        for client_version, n in product(CLIENT_VERSIONS, range(5))
    ]
    reads = [
        Action(kind, OPERATOR, v, number=n)
        for kind, v, n in product(("describe", "fetch", "list"), CLIENT_VERSIONS, range(3))
    ]
    leaves = [Action("leave", client, v) for v, client in product((9, 6, 3, 0), CLIENTS)]
    operators = [
        Action(kind, "A", v, number=n)
        for kind, v, n in product(("remove_static_members", "delete", "delete_offsets"), (9, 5), range(5))
    ]
    return [
        REST,
        *plain * PLAIN_FREQUENCY,
        *restarts * 2,
        *changes * 2,
        *false,
        *anonymous,
        *reads,
        *leaves,
        *operators * 3,
    ]


ACTIONS: Final = possible_actions()

SHORT_TIMEOUTS: Final = (("ABCDE", False), ("ABCDE", True), ("", True), ("BD", False), ("BD", True))
"""(clients with short sessions, whether rebalance timeouts are short) of histories that contain the action `rest`."""
