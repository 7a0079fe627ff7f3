"""A scripted day of a cluster.

Deployments, a crash, a flapping member, a slow consumer, static members, a consumer group, a group that migrates to the
consumer protocol, and a group that commits in transactions.
"""

from __future__ import annotations

from tests.audit.scripted_groups import LONG_SESSION_MS, ClassicScript, ConsumerScript, Script, ScriptedGroup
from tests.audit.scripted_transactions import TransactionalScript

PARTITIONS = 6
TICK_S = 10.0
SLOW_TICKS = 6
"""Ticks from one commit of the slow consumer to the next."""

Groups = list[ScriptedGroup]


def play(script: Script, topic_id: bytes, *, tick_s: float = TICK_S, session_ms: int = LONG_SESSION_MS) -> None:
    """Run the script. Each part ends with commits, so that every move has a first commit after it.

    Args:
        script: Cluster and record.
        topic_id: Id of the topic.
        tick_s: Time between two commits of a partition.
        session_ms: Session timeout of the group in which a member crashes. Its members begin last, because no member
            sends heartbeats before the first tick.
    """
    billing = static(script, "billing")
    search = flapping(script, "search")
    mail = slow(script, "mail")
    paid = transactional(script, "paid")
    moving = flapping(script, "moving")
    clicks = consumers(script, "clicks", topic_id)
    orders = deployed(script, "orders", session_ms)
    all_groups: Groups = [
        orders,
        billing,
        paid,
        search,
        clicks,
        mail,
        moving,
    ]  # A record follows each marker of `paid`.
    script.tick(all_groups, tick_s, SLOW_TICKS)
    roll(script, orders, all_groups, tick_s)
    crash(script, orders, all_groups, tick_s)
    billing.restart_static("b1")
    script.tick(all_groups, tick_s, 6)
    flap(script, search, all_groups, tick_s)
    lose_slow_member(script, mail, all_groups, tick_s)
    paid.rebalance({"p1": range(3), "p2": range(3, 6)}, "join")
    clicks.join("c3")
    all_groups[-1] = migrated(script, moving, topic_id)
    script.tick(all_groups, tick_s, 3)
    clicks.leave("c1")
    script.tick(all_groups, tick_s, 3)


def deployed(script: Script, name: str, session_ms: int) -> ClassicScript:
    group = ClassicScript(script, name, session_ms=session_ms)
    group.rebalance({"o1": range(6)}, "join")
    group.rebalance({"o1": range(3), "o2": range(3, 6)}, "join")
    group.rebalance({"o1": [0, 1], "o2": [3, 4], "o3": [2, 5]}, "join")
    return group


def static(script: Script, name: str) -> ClassicScript:
    group = ClassicScript(script, name)
    instances = {"b1": "billing-1", "b2": "billing-2"}
    group.rebalance({"b1": range(6)}, "join", instances=instances)
    group.rebalance({"b1": range(3), "b2": range(3, 6)}, "join", instances=instances)
    return group


def flapping(script: Script, name: str) -> ClassicScript:
    group = ClassicScript(script, name)
    group.rebalance({"s1": range(6)}, "join")
    return group


def slow(script: Script, name: str) -> ClassicScript:
    group = ClassicScript(script, name, commits_every=SLOW_TICKS)
    group.rebalance({"m1": range(6)}, "join")
    group.rebalance({"m1": range(3), "m2": range(3, 6)}, "join")
    return group


def transactional(script: Script, name: str) -> TransactionalScript:
    group = TransactionalScript(script, name)
    group.rebalance({"p1": range(6)}, "join")
    return group


def consumers(script: Script, name: str, topic_id: bytes) -> ConsumerScript:
    group = ConsumerScript(script, name, topic_id)
    group.join("c1")
    group.join("c2")
    return group


def roll(script: Script, group: ClassicScript, all_groups: Groups, tick_s: float) -> None:
    """Restart the members of a group one after another.

    Each return moves more partitions than with a sticky assignor.
    """
    everyone = {"o1": [0, 1], "o2": [3, 4], "o3": [2, 5]}
    for name in everyone:
        group.leave(name)
        others = [other for other in everyone if other != name]
        group.rebalance({others[0]: [0, 1, 2], others[1]: [3, 4, 5]}, "leave")
        script.tick(all_groups, tick_s, 2)
        group.rebalance(everyone, "join")
        script.tick(all_groups, tick_s, 2)


def crash(script: Script, group: ClassicScript, all_groups: Groups, tick_s: float) -> None:
    """Let a member stop without leaving. Its session ends while the others work, and it does not return.

    The member has lost partition 2 during the deployment. The commits of the present owner are no commits of this
    member.
    """
    group.crash("o1")
    script.tick(all_groups, tick_s, int(group.session_ms / 1000 / tick_s) + 2)
    group.remove("o1")
    group.rebalance({"o2": [0, 3, 4], "o3": [1, 2, 5]}, "session-timeout")
    script.tick(all_groups, tick_s, 6)


def flap(script: Script, group: ClassicScript, all_groups: Groups, tick_s: float) -> None:
    """Let a member join and leave four times within ten minutes."""
    for _ in range(4):
        group.rebalance({"s1": [0, 1, 2], "s2": [3, 4, 5]}, "join")
        script.tick(all_groups, tick_s, 3)
        group.leave("s2")
        group.rebalance({"s1": range(6)}, "leave")
        script.tick(all_groups, tick_s, 2)


def lose_slow_member(script: Script, group: ClassicScript, all_groups: Groups, tick_s: float) -> None:
    """Let a member of the slow group leave between two commits.

    If its session timeout has passed since its last commit, the records do not show that it left.
    """
    while (group.ticks + 1) % SLOW_TICKS:
        script.tick(all_groups, tick_s)
    is_unclear = (SLOW_TICKS - 1) * tick_s * 1000 >= group.session_ms
    group.leave("m2")
    group.rebalance({"m1": range(6)}, "leave-or-timeout" if is_unclear else "leave")
    script.tick(all_groups, tick_s)


def migrated(script: Script, group: ClassicScript, topic_id: bytes) -> ConsumerScript:
    """Stop the members of a classic group, and start them with the consumer protocol."""
    group.leave(*list(group.members))
    successor = ConsumerScript(script, group.group, topic_id)
    successor.offsets, successor.last_commit = group.offsets, group.last_commit
    successor.join("v1")
    successor.join("v2")
    return successor
