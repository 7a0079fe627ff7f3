"""Bits of the operations that a client may perform: all that an ACL could allow, because there is no authorization."""

from typing import Final

CLUSTER: Final = 8096
"""CREATE, ALTER, DESCRIBE, CLUSTER_ACTION, DESCRIBE_CONFIGS, ALTER_CONFIGS and IDEMPOTENT_WRITE."""
TOPIC: Final = 3576
"""READ, WRITE, CREATE, DELETE, ALTER, DESCRIBE, DESCRIBE_CONFIGS and ALTER_CONFIGS."""
GROUP: Final = 3400
"""READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS and ALTER_CONFIGS (rule 2.16)."""
NOT_ASKED_FOR: Final = -(2**31)


def if_asked_for(operations: int, is_asked_for: bool) -> int:
    return operations if is_asked_for else NOT_ASKED_FOR
