"""Random histories of a consumer group: sequences of actions.

Most actions are "proceed": a client sends the request that follows from its last answer. The others are irregular: a
client does not report its partitions, reports wrong ones, changes its subscription, uses an old epoch or another's id,
restarts, leaves temporarily or permanently, or commits partitions that it lost or never had; or an operator acts.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Final, NamedTuple

from tests.oracle.classic_requests import OWN

CLIENTS: Final = ("A", "B", "C", "D")
STATIC: Final = {"A": "a", "B": "b"}
OPERATOR: Final = "operator"

STRANGER: Final = "stranger"
FIRST: Final = 1
"""Member id of an action: the oldest id that the client has used."""


class Action(NamedTuple):
    """One action. The meaning of `number` depends on the kind; `shift` is added to the client's epoch."""

    kind: str
    client: str = "A"
    client_version: int = 10
    which: str | int = OWN
    instance: str | None = OWN
    shift: int = 0
    number: int = 0


class History(NamedTuple):
    """History of a group.

    `behaviours` has a letter for each client while time passes: g (proceeds), l (sends heartbeats without confirming
    its assignment), s (sends nothing). With `is_held`, new assignments are delayed until after the end of the history.
    With `has_short_rebalance_timeouts`, all members have short rebalance timeouts.
    """

    actions: tuple[Action, ...]
    behaviours: str = ""
    is_held: bool = False
    has_short_rebalance_timeouts: bool = False


REST: Final = Action("rest")
CLIENT_VERSIONS: Final = (10, 9)
PLAIN_FREQUENCY: Final = 7
"""Frequency of each regular action."""
SUBSCRIPTIONS: Final = 7
MISTAKES: Final = 10
OWNED: Final = 6

IDENTITIES: Final = (
    (STRANGER, OWN, 0),
    (FIRST, OWN, 0),
    ("", OWN, 0),
    (OWN, None, 0),
    (OWN, "a", 0),
    (OWN, "b", 0),
    (OWN, "z", 0),
    (FIRST, None, -1),
)
"""(member id, instance id, shift of the epoch) of irregular requests."""


def possible_actions() -> list[Action]:
    plain = [
        Action("proceed", client, client_version, number=n)
        for client_version, n, client in product(CLIENT_VERSIONS, range(4), CLIENTS)
    ]
    reports = [
        Action("report_owned", client, v, shift=s, number=n)
        for v, s, n, client in product(CLIENT_VERSIONS, (0, 0, -1), range(OWNED), CLIENTS)
    ]
    epochs = [
        Action("report_owned", client, 10, shift=s, number=n) for s, n, client in product((-2, 1), (0, 1), CLIENTS)
    ]
    subscriptions = [
        Action("change_subscription", client, v, number=n)
        for v, n, client in product(CLIENT_VERSIONS, range(SUBSCRIPTIONS + 3), CLIENTS)
    ]
    again = [
        Action(kind, client, v) for kind, v, client in product(("restart", "consumer_rejoin"), CLIENT_VERSIONS, CLIENTS)
    ]
    leaves = [
        Action(kind, client, v)
        for kind, v, client in product(("leave_temporarily", "leave", "leave_temporarily"), CLIENT_VERSIONS, CLIENTS)
    ]
    false = [
        Action(kind, client, 10, *identity)
        for kind, identity, client in product(
            ("consumer_heartbeat", "leave_temporarily", "leave", "consumer_commit", "consumer_fetch"),
            IDENTITIES,
            CLIENTS,
        )
    ]
    commits = [
        Action("consumer_commit", client, v, shift=s, number=n)
        for v, s, n, client in product(CLIENT_VERSIONS, (0, -1, -1, -2), range(5), CLIENTS)
    ]
    old_commits = [
        Action("consumer_commit", client, v, shift=s, number=n)
        for v, s, n, client in product((8, 10), (0, 1), (0, 4), CLIENTS)
    ]
    reads = [
        Action("consumer_fetch", client, v, shift=s) for v, s, client in product(CLIENT_VERSIONS, (0, -1), CLIENTS)
    ]
    classic = [Action(kind, client) for kind, client in product(("heartbeat", "sync"), CLIENTS)]
    looks = [
        Action(kind, OPERATOR, v, number=n)
        for kind, v, n in product(("describe", "list", "fetch", "commit_anonymously"), (10, 9, 6), range(4))
    ]
    operators = [Action(kind, OPERATOR, 10, number=n) for kind, n in product(("delete", "delete_offsets"), range(3))]
    purges = [Action("remove_member", OPERATOR)] * 20
    mistakes = [
        Action("mistake", client, v, number=n) for v, n, client in product(CLIENT_VERSIONS, range(MISTAKES), ("A", "C"))
    ]
    return [
        *plain * PLAIN_FREQUENCY, *reports, *epochs, *subscriptions, *again * 3, *leaves * 2, *false, *commits,
        *old_commits, *reads, *classic, *looks, *operators, *purges, *mistakes,
    ]  # fmt: skip


ACTIONS: Final = possible_actions()
GROUP_DELETIONS: Final = ("delete",)
"""Kinds of actions that histories do not contain if the broker itself removes groups without offsets."""


def random_histories(draw: random.Random, histories: int, actions: int) -> list[History]:
    return [History(tuple(draw.choices(ACTIONS, k=actions)), is_held=draw.random() < 0.15) for _ in range(histories)]


def random_histories_with_short_timeouts(draw: random.Random, histories: int, actions: int) -> list[History]:
    without_deletions = [action for action in ACTIONS if action.kind not in GROUP_DELETIONS]
    return [
        History(
            tuple(draw.choices(without_deletions, k=actions)),
            "".join(draw.choices("ggls", k=len(CLIENTS))),
            False,
            draw.random() < 0.7,
        )
        for _ in range(histories)
    ]
