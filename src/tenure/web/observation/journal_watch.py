"""The newest entries of the rebalance journal, which a Tenure broker keeps."""

import threading
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from tenure.admin.journal import Entry, JournalReader, NoJournal, merged
from tenure.client.errors import ClientError
from tenure.limits.web import CACHE_S, JOURNAL_ENTRIES_MAX


class JournalWatch:
    """Reader of the journal. When a page asks for entries, it reads the entries that were written after the last read.

    Args:
        config: Kafka's configuration keys, with `bootstrap.servers`.
    """

    def __init__(self, config: Mapping[str, str]) -> None:
        self._config: Final = config
        self._reader: JournalReader | None = None
        self._entries: Final[dict[str, deque[Entry]]] = defaultdict(lambda: deque(maxlen=JOURNAL_ENTRIES_MAX))
        self._next_read_s = 0.0
        self._exists = True
        self._lock: Final = threading.Lock()

    def entries(self, group_id: str, *, is_reachable: bool) -> Sequence[Entry] | None:
        """Return the latest entries of a group, newest first; None if the cluster has no journal.

        If `is_reachable` is false, the cluster is unreachable: nothing is read, so that the page does not wait.
        """
        with self._lock:
            if is_reachable and time.monotonic() >= self._next_read_s:
                self._read()
                self._next_read_s = time.monotonic() + CACHE_S
            return list(reversed(merged(list(self._entries.get(group_id, ()))))) if self._exists else None

    def _read(self) -> None:
        try:
            self._reader = self._reader or JournalReader(self._config)
            for group_id, entry in self._reader.read():
                self._entries[group_id].append(entry)
            self._exists = True
        except NoJournal:
            self._exists = False
        except ClientError:
            return  # the page says that the cluster does not answer, and shows what was read
