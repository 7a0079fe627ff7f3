"""A producer for bulk loads: batches per partition, idempotent sequences, Java's partitioning."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tenure.limits import PRODUCER_BATCH_BYTES
from tenure.protocol.compression import Codec


class Producer:
    """Thread-safe. Errors of delivery are raised by the next `flush` or `close`."""

    def __init__(
        self,
        bootstrap_servers: str | Sequence[str],
        *,
        compression: Codec = Codec.NONE,
        linger_ms: int = 5,
        acks: str = "all",
        enable_idempotence: bool = True,
        batch_bytes: int = PRODUCER_BATCH_BYTES,
        delivery_timeout_ms: int = 120_000,
        client_id: str = "tenure",
    ) -> None: ...

    def send(
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[tuple[str, bytes | None]] = (),
    ) -> None:
        """Queue one record; blocks while the buffer is full. Raises `UnknownTopic`, `BrokerUnreachable`."""

    def flush(self) -> None:
        """Wait until everything queued is written. Raises `DeliveryFailed` if something was not."""

    def close(self) -> None:
        """Flush, then stop."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
