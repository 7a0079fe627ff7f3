"""A move in a process of its own that ends itself with `kill -9`: `SOURCE TARGET TOPIC KILL_AT`.

It counts the requests that change something at the target. Right after it has passed request number KILL_AT to the
operating system, it kills itself: the broker may still process this request. With KILL_AT 0 it runs to its end. Batches
are small, and progress is committed after each fetch, so there are many such requests.
"""

from __future__ import annotations

import os
import sys
from signal import SIGKILL
from typing import Any

from tenure.client.net.connection import BrokerConnection
from tenure.move import copier
from tenure.protocol.apis import ApiKey
from tenure.protocol.message import Message
from tests.move.moving import move

CHANGES = frozenset(
    {
        ApiKey.INIT_PRODUCER_ID,
        ApiKey.CREATE_TOPICS,
        ApiKey.PRODUCE,
        ApiKey.TXN_OFFSET_COMMIT,
        ApiKey.END_TXN,
        ApiKey.OFFSET_COMMIT,
    }
)
FETCH_BYTES = 4_000


def main(source: str, target: str, topic: str, kill_at: int) -> None:
    vars(copier)["FETCH_BYTES"] = FETCH_BYTES
    vars(copier)["CHECKPOINT_INTERVAL_S"] = 0.0
    write, changes = BrokerConnection._write, 0

    def counted(self: BrokerConnection, request: Message, *rest: Any) -> None:
        nonlocal changes
        write(self, request, *rest)
        changes += request.KEY in CHANGES
        if changes == kill_at:
            os.kill(os.getpid(), SIGKILL)

    BrokerConnection._write = counted  # type: ignore[method-assign]
    move(source, target, topic)
    print(changes)


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]))
