"""Flapping members and deployments: members that leave and join again."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tenure.audit.findings.log_tables import LogTables, Rows
from tenure.limits.audit import FLAPPING_RETURNS_MIN, RETURN_WINDOW_MS


def name_of(event: dict[str, Any]) -> str:
    """Return a name that a member keeps when it restarts: its instance id, or its client id with its host."""
    return str(event["instance_id"] or f"{event['client_id']} at {event['client_host'].lstrip('/')}")


def flapping_members(log: LogTables, group: str) -> Rows:
    """Return the members that left and joined again often.

    A member counts if it returned at least FLAPPING_RETURNS_MIN times within RETURN_WINDOW_MS. If N members have the
    same name at the same time, N times as many returns are required.
    """
    present: Counter[str] = Counter()
    most: Counter[str] = Counter()
    absent: Counter[str] = Counter()
    returns: dict[str, list[int]] = defaultdict(list)
    for event in log.members.get(group, ()):
        name = name_of(event)
        if event["event"] == "replaced" or (event["event"] == "joined" and absent[name]):
            returns[name].append(event["time"])
            absent[name] = max(absent[name] - 1, 0)
        if event["event"] == "joined":
            present[name] += 1
            most[name] = max(most[name], present[name])
        elif event["event"] == "left":
            present[name] -= 1
            absent[name] += 1
    found = []
    for name, times in sorted(returns.items()):
        first_ms, count = busiest_window(times)
        if count >= FLAPPING_RETURNS_MIN * max(most[name], 1):
            found.append(
                {
                    "log_partition": log.log_partition,
                    "group": group,
                    "member": name,
                    "returns": count,
                    "first_time": first_ms,
                    "total_returns": len(times),
                }
            )
    return found


def busiest_window(times_ms: Sequence[int]) -> tuple[int, int]:
    """Return the start of the window of RETURN_WINDOW_MS with the most timestamps, and their number."""
    times = sorted(times_ms)
    first, best = 0, (times[0], 0)
    for last, time_ms in enumerate(times):
        while time_ms - times[first] > RETURN_WINDOW_MS:
            first += 1
        best = max(best, (times[first], last - first + 1), key=lambda window: window[1])
    return best


def deployments(log: LogTables, group: str) -> list[tuple[int, int]]:
    """Return the first and last time of each deployment, in which more than half of the members leave and return.

    A deployment ends when the last of these members is replaced: departures after that do not belong to it.
    """
    present: Counter[str] = Counter()
    found: list[tuple[int, int]] = []
    for events in _bursts(log.members.get(group, [])):
        size = sum(present.values())
        replaced = _replacements(events, present)
        if len(replaced) * 2 > size:
            found.append((events[0]["time"], replaced[-1]))
        for event in events:
            present[name_of(event)] += (event["event"] == "joined") - (event["event"] == "left")
    return found


def _replacements(events: Rows, present: Mapping[str, int]) -> list[int]:
    """Return the times at which a member of `present` has left and another one of the same name has joined."""
    left: Counter[str] = Counter()
    came: Counter[str] = Counter()
    times: list[int] = []
    for event in events:
        name = name_of(event)
        before = min(present[name], left[name], came[name])
        left[name] += event["event"] in ("left", "replaced")
        came[name] += event["event"] in ("joined", "replaced")
        if min(present[name], left[name], came[name]) > before:
            times.append(event["time"])
    return times


def _bursts(events: Rows) -> list[Rows]:
    """Divide the events of a group's members into runs.

    A run ends at a pause of more than RETURN_WINDOW_MS. The first run, in which the first members join, also ends
    before the first departure.
    """
    bursts: list[Rows] = []
    has_departures = False
    for event in events:
        is_departure = event["event"] in ("left", "replaced")
        is_new = not bursts or event["time"] - bursts[-1][-1]["time"] > RETURN_WINDOW_MS
        if is_new or (is_departure and not has_departures and len(bursts) == 1):
            bursts.append([])
        has_departures = has_departures or is_departure
        bursts[-1].append(event)
    return bursts
