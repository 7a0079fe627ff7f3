"""A scripted day of a cluster: deployments, a crash, a flapping member, static members and a consumer group."""

from __future__ import annotations

from tests.audit.scripted_groups import ClassicScript, ConsumerScript, Script

PARTITIONS = 6
TICK_S = 10.0


def play(script: Script, topic_id: bytes, *, hours: int = 1) -> None:
    """Play the day. Each part ends with work, so that every move has a first commit after it."""
    orders = deployed(script, "orders")
    billing = static(script, "billing")
    search = flapping(script, "search")
    clicks = consumers(script, "clicks", topic_id)
    every = [orders, billing, search, clicks]
    script.tick(every, TICK_S, 6)
    roll(script, orders, every)
    crash(script, orders, every)
    billing.restart_static("b1")
    script.tick(every, TICK_S, 6)
    flap(script, search, every)
    clicks.join("c3")
    script.tick(every, TICK_S, 3)
    clicks.leave("c1")
    script.tick(every, TICK_S, 360 * (hours - 1) + 3)


def play_classic(script: Script, tick_s: float) -> None:
    """Play the classic groups' part in little time: a deployment, a crash, and a static member that comes back."""
    orders, billing = deployed(script, "orders"), static(script, "billing")
    every: list = [orders, billing]  # type: ignore[type-arg]
    script.tick(every, tick_s, 3)
    roll(script, orders, every, tick_s)
    crash(script, orders, every, tick_s)
    billing.restart_static("b1")
    script.tick(every, tick_s, 3)


def deployed(script: Script, name: str) -> ClassicScript:
    group = ClassicScript(script, name)
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


def consumers(script: Script, name: str, topic_id: bytes) -> ConsumerScript:
    group = ConsumerScript(script, name, topic_id)
    group.join("c1")
    group.join("c2")
    return group


def roll(script: Script, group: ClassicScript, every: list, tick_s: float = TICK_S) -> None:  # type: ignore[type-arg]
    """Restart the members of a group one after another. Each one's return moves more than a sticky assignor would."""
    everyone = {"o1": [0, 1], "o2": [3, 4], "o3": [2, 5]}
    for name in everyone:
        group.leave(name)
        others = [other for other in everyone if other != name]
        group.rebalance({others[0]: [0, 1, 2], others[1]: [3, 4, 5]}, "leave")
        script.tick(every, tick_s, 2)
        group.rebalance(everyone, "join")
        script.tick(every, tick_s, 2)


def crash(script: Script, group: ClassicScript, every: list, tick_s: float = TICK_S) -> None:  # type: ignore[type-arg]
    """Let a member fall silent. Its session ends while the others work, and it does not come back."""
    group.crash("o3")
    script.tick(every, tick_s, int(script.session_ms / 1000 / tick_s) + 2)
    group.bury("o3")
    group.rebalance({"o1": [0, 1, 2], "o2": [3, 4, 5]}, "session-timeout")
    script.tick(every, tick_s, 6)


def flap(script: Script, group: ClassicScript, every: list) -> None:  # type: ignore[type-arg]
    """Let a member join and leave four times within ten minutes."""
    for _ in range(4):
        group.rebalance({"s1": [0, 1, 2], "s2": [3, 4, 5]}, "join")
        script.tick(every, TICK_S, 3)
        group.leave("s2")
        group.rebalance({"s1": range(6)}, "leave")
        script.tick(every, TICK_S, 2)
