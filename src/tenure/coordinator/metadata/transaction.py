"""Transactions in the metadata log (KIP-868). Apache Kafka writes them, for example at its first start."""

from collections.abc import Callable

from tenure.protocol.generated.cluster_metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
)


class MetadataTransaction:
    """Buffer for the records of a transaction. They are applied to the state when it ends, and dropped if it aborts."""

    __slots__ = ("_change", "_held")

    def __init__(self, change: Callable[[object], None]) -> None:
        """Create the buffer; no transaction is open. `change` applies one record to the state."""
        self._change = change
        self._held: list[object] | None = None
        """Records of the open transaction, which are not applied yet; None without an open transaction."""

    def apply(self, record: object) -> None:
        if isinstance(record, BeginTransactionRecord):
            self._held = []
        elif isinstance(record, AbortTransactionRecord):
            self._held = None
        elif isinstance(record, EndTransactionRecord):
            held, self._held = self._held, None
            for each in held or ():
                self._change(each)
        elif self._held is not None:
            self._held.append(record)
        else:
            self._change(record)
