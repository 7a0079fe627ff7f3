"""Codec of the transaction coordinator's log, `__transaction_state`."""

from typing import Any, cast

from tenure.coordinator.shard import LogRecord, TransactionalRecord
from tenure.protocol.coordinator_logs import transaction_state
from tenure.protocol.message import MalformedMessage


class TransactionsCodec:
    """Codec of `__transaction_state`: keys are transactional ids; values have version 1 or 2 (rule 8.1)."""

    ALIAS_PREFIX: bytes | None = None

    def encode(self, record: LogRecord | TransactionalRecord) -> tuple[bytes | None, bytes | None]:
        value: Any = record.value
        key = transaction_state.encode_key(cast("transaction_state.TransactionLogKey", record.key))
        return key, None if value is None else transaction_state.encode_value(value)

    def decode(self, key: bytes | None, value: bytes | None) -> LogRecord | None:
        if key is None:
            raise MalformedMessage("a record of __transaction_state has no key")
        found = transaction_state.decode_record(key, value)
        return None if found is None else LogRecord(*found)

    def compaction_key(self, key: bytes | None) -> bytes | None:
        return key
