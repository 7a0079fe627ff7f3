"""Which protocol an application's members speak.

The consumer protocol (KIP-848), where the broker has it and nothing speaks against it: the coordinator assigns, what
moves from one member to another moves without the others noticing, and commits of what stays pass throughout. How long
sessions last is the broker's to say there; who says it for himself wants the classic protocol.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tenure.client.group.membership_settings import CLASSIC, CONSUMER
from tenure.client.queries.blocking import has_consumer_protocol
from tenure.limits import STARTUP_PATIENCE_MS
from tenure.pipeline.errors import PipelineConfigError

if TYPE_CHECKING:
    from tenure.spark.runner import Options

SESSION_TIMEOUT_MS: Final = 45_000
HEARTBEAT_INTERVAL_MS: Final = 3_000
"""Kafka's defaults, for members of the classic protocol."""


def check_protocol(options: "Options") -> None:
    if options.group_protocol not in (None, CLASSIC, CONSUMER):
        raise PipelineConfigError(f"Unknown group_protocol {options.group_protocol!r}: use {CLASSIC} or {CONSUMER}.")
    if options.group_protocol == CONSUMER and (session := said_of_sessions(options)):
        raise PipelineConfigError(
            f"The broker sets {session} under the consumer protocol: set the group's"
            f" consumer.{session.removesuffix('_ms').replace('_', '.')}.ms instead (`tenure groups config`), or use"
            ' group_protocol="classic".'
        )


def with_group_protocol(options: "Options") -> "Options":
    """As it was chosen; else what the broker has, with a remark where that is the classic one. Raises
    `BrokerUnreachable`."""
    if options.group_protocol is not None:
        return options
    if session := said_of_sessions(options):
        reason = f"{session} is set, which members choose only under the classic protocol"
    elif has_consumer_protocol(options.cluster, patience_ms=STARTUP_PATIENCE_MS):
        return replace(options, group_protocol=CONSUMER)
    else:
        reason = "the broker does not have the consumer protocol (KIP-848, Apache Kafka 4.0 and later)"
    return replace(options, group_protocol=CLASSIC, remark=f"uses the classic group protocol: {reason}")


def said_of_sessions(options: "Options") -> str:
    """The option that says how long sessions last, or how they are kept; empty where none does."""
    given = {"session_timeout_ms": options.session_timeout_ms, "heartbeat_interval_ms": options.heartbeat_interval_ms}
    return next((name for name, value in given.items() if value is not None), "")
