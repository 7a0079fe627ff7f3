"""Choice of the group protocol for the members of an application.

The default is the consumer protocol (KIP-848) if the broker supports it: the coordinator assigns partitions, and a
rebalance does not interrupt partitions that stay with their member. With this protocol the broker sets the session
timeout, so an application that sets a session timeout uses the classic protocol.
"""

from dataclasses import replace
from typing import Final

from tenure.client.queries.blocking import has_consumer_protocol
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.run_options import RunOptions

SESSION_TIMEOUT_MS: Final = 45_000
HEARTBEAT_INTERVAL_MS: Final = 3_000
"""Default heartbeat interval of the classic protocol in ms, as in Kafka's consumer."""


def with_group_protocol(options: RunOptions) -> tuple[RunOptions, str]:
    """Return the options with a group protocol, and a log line if the classic one was chosen automatically (else "").

    Raises:
        BrokerUnreachable: The broker does not answer.
    """
    if options.group_protocol is not None:
        return options, ""
    if session := options.session_option:
        reason = f"{session} is set, which only the classic protocol lets members choose"
    elif has_consumer_protocol(options.cluster, patience_ms=STARTUP_PATIENCE_MS):
        return replace(options, group_protocol="consumer"), ""
    else:
        reason = "the broker does not support the consumer protocol (KIP-848, Apache Kafka 4.0 and later)"
    return replace(options, group_protocol="classic"), f"uses the classic group protocol: {reason}"
