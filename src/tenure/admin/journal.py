"""Reader of the rebalance journal, a topic in which a Tenure broker records why groups rebalanced.

Each rebalance has an entry for its start and one for its end. A start without an end is a rebalance that is in
progress, or that a restart of the coordinator has interrupted.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tenure.admin.blocking import Admin
from tenure.client.consumer.fetch import fetch, unreadable
from tenure.client.errors import UnknownTopic
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.queries.blocking import beginning_offsets, end_offsets
from tenure.client.values import TopicPartition
from tenure.limits.cli import CONSUME_FETCH_BYTES
from tenure.limits.client import FETCH_WAIT_MS
from tenure.protocol.batches import decode_records, read_batches, verify_crc
from tenure.protocol.message import Data

CLIENT_ID: Final = "tenure-journal"
JOURNAL: Final = TopicPartition("__tenure_journal", 0)

Entry: TypeAlias = dict[str, Any]
"""Fields of one entry, as docs/journal.md defines them."""


class NoJournal(ValueError):
    """The cluster has no rebalance journal."""


class JournalReader:
    """Reader of the journal from its beginning; each call of `read` continues where the previous one ended.

    Args:
        config: Kafka's configuration keys, with `bootstrap.servers`.

    Raises:
        NoJournal: The cluster has no journal.
    """

    def __init__(self, config: Mapping[str, str]) -> None:
        self._config: Final = config
        self._next = self._beginning()

    def read(self) -> Iterator[tuple[str, Entry]]:
        """Yield (group id, entry) for all entries that were written before the call and not read yet."""
        cluster = shared_cluster(self._config, CLIENT_ID)
        end = end_offsets(self._config, [JOURNAL], client_id=CLIENT_ID)[JOURNAL]
        while self._next < end:
            requested = {JOURNAL: self._next}
            (fetched,) = run(
                fetch(cluster, requested, max_bytes=CONSUME_FETCH_BYTES, max_wait_ms=FETCH_WAIT_MS)
            ).values()
            yield from self._entries(fetched.records)
            self._next = fetched.next_offset

    def _beginning(self) -> int:
        try:
            with Admin(self._config, client_id=CLIENT_ID) as admin:
                admin.describe_topics([JOURNAL.topic])
        except UnknownTopic:
            raise NoJournal(
                f"Cluster at {self._config[BOOTSTRAP_SERVERS]} has no rebalance journal: Apache Kafka writes none, "
                "and Tenure writes one from the first rebalance on, unless tenure.journal.enable=false."
            ) from None
        return beginning_offsets(self._config, [JOURNAL], client_id=CLIENT_ID)[JOURNAL]

    def _entries(self, data: Data) -> Iterator[tuple[str, Entry]]:
        try:
            for batch in read_batches(data):
                verify_crc(batch)
                for record in decode_records(batch):
                    if record.offset >= self._next:
                        yield (record.key or b"").decode(errors="replace"), json.loads(record.value or b"{}")
        except ValueError as error:
            raise unreadable(JOURNAL, self._next, error) from error


def merged(entries: Sequence[Entry]) -> list[Entry]:
    """Drop the start entry of each rebalance that has an end entry. Other start entries get the outcome "cut short"."""
    ended = {(entry["coordinator_since_ms"], entry["began_ms"]) for entry in entries if "began_ms" in entry}
    merged = [
        entry
        for entry in entries
        if entry["event"] != "rebalance-began" or (entry["coordinator_since_ms"], entry["at_ms"]) not in ended
    ]
    return [{**entry, "outcome": "cut short"} if is_start_entry(entry) else entry for entry in merged]


def is_start_entry(entry: Entry) -> bool:
    """Return whether an entry records the start of a rebalance."""
    return bool(entry["event"] == "rebalance-began")
