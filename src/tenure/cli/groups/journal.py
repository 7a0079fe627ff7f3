"""`tenure groups journal`: causes of a group's rebalances, read from the journal topic of a Tenure broker.

A rebalance has one entry for its start and one for its end. If both exist, only the end is shown, which contains all
fields of the start. A start without an end is a rebalance in progress, or one that a coordinator restart interrupted.
"""

import json as json_module
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

import typer

from tenure.admin import Admin
from tenure.admin.journal import CLIENT_ID, Entry, JournalReader, is_start_entry, merged
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Group, Json, cell_text, print_json, print_table, time_text
from tenure.client.errors import RequestRefused
from tenure.limits.pipeline import IDLE_POLL_S

WITHOUT_REBALANCE: Final = {"seat-taken-over": "seat kept", "reserve-changed": "reserve"}
REBALANCING: Final = ("PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling")
COLUMNS: Final = ("time", "generation", "outcome", "preparing", "completing", "moved", "members", "cause")


def journal(
    group: Group,
    last: Annotated[int, typer.Option("--last", min=1, help="Number of entries to show, the newest ones.")] = 20,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Print new entries as they are written, until Ctrl-C.")
    ] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show why a group rebalanced, and which members were replaced without a rebalance."""
    config = cluster_at(bootstrap_servers, command_config)
    reader = JournalReader(config)
    entries = merged(list(_of(group, reader)))
    if not entries and not follow:
        raise ValueError(
            f"The journal has no entries of group '{group}'; `tenure groups list` shows the existing groups."
        )
    shown = entries[-last:]
    _mark_last_as_under_way(shown, config, group)
    if json and not follow:
        print_json(shown)
    elif not json:
        print_table(COLUMNS, [_row(entry) for entry in shown])
    if follow:
        _follow(group, reader, shown if json else [], json)


def _of(group: str, reader: JournalReader) -> Iterator[Entry]:
    return (entry for group_id, entry in reader.read() if group_id == group)


def _mark_last_as_under_way(entries: list[Entry], config: Mapping[str, str], group: str) -> None:
    """Set the outcome of the last entry to "under way", if the entry has no end and the group is rebalancing now."""
    if not entries or not is_start_entry(entries[-1]):
        return
    try:
        with Admin(config, client_id=CLIENT_ID) as admin:
            state = admin.describe_groups([group])[0].state
    except RequestRefused:
        return
    if state in REBALANCING:
        entries[-1]["outcome"] = "under way"


def _follow(group: str, reader: JournalReader, entries: Sequence[Entry], json: bool) -> None:
    """Print entries of the group until Ctrl-C, one per line: first `entries`, then new ones.

    Lines are JSON with `json`, and tab-separated without it. Without `json`, `entries` is empty, because the caller has
    printed the old entries as a table.
    """
    for entry in entries:
        print(json_module.dumps(entry, ensure_ascii=False), flush=True)
    while True:
        for entry in _of(group, reader):
            if is_start_entry(entry):
                entry["outcome"] = "under way"
            line = json_module.dumps(entry, ensure_ascii=False) if json else "\t".join(map(cell_text, _row(entry)))
            print(line, flush=True)
        time.sleep(IDLE_POLL_S)


def _row(entry: Entry) -> list[object]:
    when = time_text(entry["at_ms"])
    if entry["event"] in WITHOUT_REBALANCE:
        outcome = WITHOUT_REBALANCE[entry["event"]]
        return [when, str(entry["generation"]), outcome, None, None, None, None, entry["cause"]]
    if is_start_entry(entry):
        return [when, f"{entry['generation_before']} ->", entry["outcome"], None, None, None, None, entry["cause"]]
    partitions = entry["partitions"]
    return [
        when,
        f"{entry['generation_before']} -> {entry['generation']}",
        entry["outcome"],
        _seconds(entry["preparing_ms"]),
        _seconds(entry["completing_ms"]),
        None if partitions is None else partitions["moved"],
        entry["members"],
        entry["cause"],
    ]


def _seconds(of_ms: int | None) -> str | None:
    return None if of_ms is None else f"{of_ms / 1000:.3f} s"
