"""Random histories of a streams group: sequences of actions, most of which are those of a consumer group.

Members have tasks in three roles, processes, and a topology. The irregular actions differ accordingly: a member reports
tasks that it does not have, changes its description, or brings another topology.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Final, NamedTuple

from tests.oracle.consumer_histories import CLIENTS, IDENTITIES, OPERATOR, Action

TOPOLOGIES: Final = 7
PROCESSES: Final = ("ABCD", "ABCD", "ABCD", "AABB", "AAAA")
"""Process of each client."""
VERSIONS: Final = (10, 10, 9)
"""Client versions; 9 sends v0 of StreamsGroupHeartbeat."""
PLAIN_FREQUENCY: Final = 12
"""Frequency of each regular action."""
OWNED: Final = 7
DESCRIPTIONS: Final = 12
JOINS: Final = 4
MISTAKES: Final = 12
COMMITTED: Final = 6


class StreamsHistory(NamedTuple):
    """History of a group. The first four fields are those of a consumer group's history."""

    actions: tuple[Action, ...]
    behaviours: str = ""
    is_held: bool = False
    has_short_rebalance_timeouts: bool = False
    topology: int = 0
    processes: str = PROCESSES[0]
    standbys: int = 0


def possible_actions() -> list[Action]:
    plain = [Action("proceed", client, v, number=n) for v, n, client in product(VERSIONS, range(4), CLIENTS)]
    reports = [
        Action("report_owned", client, v, shift=s, number=n)
        for v, s, n, client in product((10, 9), (0, 0, -1), range(OWNED), CLIENTS)
    ]
    epochs = [
        Action("report_owned", client, 10, shift=s, number=n) for s, n, client in product((-2, 1), (0, 1), CLIENTS)
    ]
    descriptions = [
        Action("describe_itself", client, v, number=n)
        for v, n, client in product((10, 9), range(DESCRIPTIONS), CLIENTS)
    ]
    shutdowns = [Action("shut_down", client) for client in CLIENTS[:2]]
    again = [Action(kind, client) for kind, client in product(("restart", "rejoin") * 5, CLIENTS)]
    odd_joins = [Action("join_oddly", client, number=n) for n, client in product(range(JOINS), CLIENTS)]
    leaves = [
        Action(kind, client, v)
        for kind, v, client in product(("leave_temporarily", "leave", "leave_temporarily") * 2, VERSIONS, CLIENTS)
    ]
    false = [
        Action(kind, client, 10, *identity)
        for kind, identity, client in product(
            ("report_as", "leave_temporarily", "leave", "commit_tasks", "consumer_fetch"), IDENTITIES, CLIENTS
        )
    ]
    commits = [
        Action("commit_tasks", client, v, shift=s, number=n)
        for v, s, n, client in product((10, 9), (0, -1, -1, -2), range(COMMITTED), CLIENTS)
    ]
    old_commits = [
        Action("commit_tasks", client, 8, shift=s, number=n) for s, n, client in product((0, 1), (0, 4), CLIENTS)
    ]
    reads = [Action("consumer_fetch", client, 10, shift=s) for s, client in product((0, -1), CLIENTS)]
    others = [Action(kind, client) for kind, client in product(("heartbeat", "sync", "consumer_heartbeat"), CLIENTS)]
    looks = [
        Action(kind, OPERATOR, v, number=n)
        for kind, v, n in product(("describe", "list", "fetch", "commit_anonymously"), (10, 9, 6), range(4))
    ]
    operators = [Action(kind, OPERATOR, 10, number=n) for kind, n in product(("delete", "delete_offsets"), range(3))]
    purges = [Action("remove_member", OPERATOR)] * 30
    mistakes = [Action("mistake", client, number=n) for n, client in product(range(MISTAKES), ("A", "C"))]
    return [
        *plain * PLAIN_FREQUENCY, *reports, *epochs, *descriptions, *shutdowns, *again, *odd_joins, *leaves, *false,
        *commits, *old_commits, *reads, *others, *looks, *operators, *purges, *mistakes,
    ]  # fmt: skip


ACTIONS: Final = possible_actions()
GROUP_DELETIONS: Final = ("delete",)
"""Kinds of actions that histories leave out if the broker removes groups without offsets by itself."""


def random_histories(draw: random.Random, histories: int, actions: int) -> list[StreamsHistory]:
    return [
        StreamsHistory(
            tuple(draw.choices(ACTIONS, k=actions)),
            is_held=draw.random() < 0.1,
            topology=draw.randrange(TOPOLOGIES),
            processes=draw.choice(PROCESSES),
            standbys=int(draw.random() < 0.5),
        )
        for _ in range(histories)
    ]


def with_short_timeouts(draw: random.Random, histories: int, actions: int) -> list[StreamsHistory]:
    without_deletions = [action for action in ACTIONS if action.kind not in GROUP_DELETIONS]
    return [
        StreamsHistory(
            tuple(draw.choices(without_deletions, k=actions)),
            "".join(draw.choices("ggls", k=len(CLIENTS))),
            has_short_rebalance_timeouts=draw.random() < 0.7,
            topology=draw.randrange(3),
            processes=draw.choice(PROCESSES),
            standbys=int(draw.random() < 0.5),
        )
        for _ in range(histories)
    ]
