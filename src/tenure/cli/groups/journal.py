"""`tenure groups journal`: causes of a group's rebalances, read from the journal topic of a Tenure broker.

A rebalance has an entry for its beginning and one for its end. If both exist, only the end is shown, which contains the
beginning. A beginning without an end is a rebalance in progress, or one that a restart of the coordinator interrupted.
"""

import json as json_module
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

import typer

from tenure.admin import Admin
from tenure.cli.connect import BootstrapServers, CommandConfig, address_of, cluster_at
from tenure.cli.output import Group, Json, cell_text, print_json, print_table, time_text
from tenure.client.consumer.fetch import fetch, unreadable
from tenure.client.errors import RequestRefused, UnknownTopic
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.queries.blocking import beginning_offsets, end_offsets
from tenure.client.values import TopicPartition
from tenure.limits.cli import CONSUME_FETCH_BYTES
from tenure.limits.client import FETCH_WAIT_MS
from tenure.limits.pipeline import IDLE_POLL_S
from tenure.protocol.batches import decode_records, read_batches, verify_crc
from tenure.protocol.message import Data

CLIENT_ID: Final = "tenure-journal"
JOURNAL: Final = TopicPartition("__tenure_journal", 0)
WITHOUT_REBALANCE: Final = {"seat-taken-over": "seat kept", "reserve-changed": "reserve"}
REBALANCING: Final = ("PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling")
COLUMNS: Final = ("time", "generation", "outcome", "preparing", "completing", "moved", "members", "cause")

Entry: TypeAlias = dict[str, Any]


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
    reader = _Reader(config, group)
    entries = _merged(list(reader.read()))
    if not entries and not follow:
        raise ValueError(
            f"The journal has no entries of group '{group}'; `tenure groups list` shows the existing groups."
        )
    shown = entries[-last:]
    _say_how_the_last_one_ended(shown, config, group)
    if json and not follow:
        print_json(shown)
    elif not json:
        print_table(COLUMNS, [_row(entry) for entry in shown])
    if follow:
        _follow(reader, shown if json else [], json)


class _Reader:
    """Reader of the journal from its beginning; each read continues at the end of the last one."""

    def __init__(self, config: Mapping[str, str], group: str) -> None:
        self._config: Final = config
        self._group: Final = group.encode()
        self._next = self._beginning()

    def _beginning(self) -> int:
        try:
            with Admin(self._config, client_id=CLIENT_ID) as admin:
                admin.describe_topics([JOURNAL.topic])
        except UnknownTopic:
            raise ValueError(
                f"{address_of(self._config)} has no rebalance journal: Apache Kafka keeps none, and Tenure's "
                "begins with the first rebalance, unless tenure.journal.enable=false."
            ) from None
        return beginning_offsets(self._config, [JOURNAL], client_id=CLIENT_ID)[JOURNAL]

    def read(self) -> Iterator[Entry]:
        """Yield the group's entries up to the present end."""
        cluster = shared_cluster(self._config, CLIENT_ID)
        end = end_offsets(self._config, [JOURNAL], client_id=CLIENT_ID)[JOURNAL]
        while self._next < end:
            asked = {JOURNAL: self._next}
            (fetched,) = run(fetch(cluster, asked, max_bytes=CONSUME_FETCH_BYTES, max_wait_ms=FETCH_WAIT_MS)).values()
            yield from self._entries(fetched.records)
            self._next = fetched.next_offset

    def _entries(self, data: Data) -> Iterator[Entry]:
        try:
            for batch in read_batches(data):
                verify_crc(batch)
                for record in decode_records(batch):
                    if record.offset >= self._next and record.key == self._group:
                        yield json_module.loads(record.value or b"{}")
        except ValueError as error:
            raise unreadable(JOURNAL, self._next, error) from error


def _merged(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries except beginnings whose end is among them; mark other beginnings as cut short."""
    ended = {(entry["coordinator_since_ms"], entry["began_ms"]) for entry in entries if "began_ms" in entry}
    merged = [
        entry
        for entry in entries
        if entry["event"] != "rebalance-began" or (entry["coordinator_since_ms"], entry["at_ms"]) not in ended
    ]
    return [{**entry, "outcome": "cut short"} if _only_began(entry) else entry for entry in merged]


def _only_began(entry: Entry) -> bool:
    return bool(entry["event"] == "rebalance-began")


def _say_how_the_last_one_ended(entries: list[Entry], config: Mapping[str, str], group: str) -> None:
    """Complete the last entry with the state of the group, which alone shows whether that rebalance has ended."""
    if not entries or not _only_began(entries[-1]):
        return
    try:
        with Admin(config, client_id=CLIENT_ID) as admin:
            state = admin.describe_groups([group])[0].state
    except RequestRefused:
        return
    if state in REBALANCING:
        entries[-1]["outcome"] = "under way"


def _follow(reader: _Reader, already: Sequence[Entry], json: bool) -> None:
    """Print one line per entry as it is written."""
    for entry in already:
        print(json_module.dumps(entry, ensure_ascii=False), flush=True)
    while True:
        for entry in reader.read():
            if _only_began(entry):
                entry["outcome"] = "under way"
            line = json_module.dumps(entry, ensure_ascii=False) if json else "\t".join(map(cell_text, _row(entry)))
            print(line, flush=True)
        time.sleep(IDLE_POLL_S)


def _row(entry: Entry) -> list[object]:
    when = time_text(entry["at_ms"])
    if entry["event"] in WITHOUT_REBALANCE:
        outcome = WITHOUT_REBALANCE[entry["event"]]
        return [when, str(entry["generation"]), outcome, None, None, None, None, entry["cause"]]
    if _only_began(entry):
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
