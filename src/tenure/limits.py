"""Every bound of the system, with its reason.

A number never stands alone: it has a name, a unit (last in the name), and a reason. One section per room.
"""

from typing import Final

# --- protocol ---------------------------------------------------------------------------------------------------------

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's `socket.request.max.bytes`: a larger frame closes its connection (rule 1.1.1)."""
