"""Every bound of the system, with its reason.

A number never stands alone: it has a name, a unit (last in the name), and a reason. One section per room.
"""

from typing import Final

# --- protocol ---------------------------------------------------------------------------------------------------------

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's `socket.request.max.bytes`: a larger frame closes its connection (rule 1.1.1)."""

# --- client -----------------------------------------------------------------------------------------------------------

FETCH_BYTES: Final = 16_777_216
"""Asked of a broker in one Fetch: large enough that the fixed cost of a columnar decode vanishes."""

PRODUCER_BATCH_BYTES: Final = 131_072
"""A record batch is sent when it has grown to this; several times Java's 16 kB, because batches cost more here."""
