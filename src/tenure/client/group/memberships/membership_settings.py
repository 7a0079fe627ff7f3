"""Settings of a member of a group."""

import os
import socket
from typing import Final, NamedTuple

from tenure.protocol.special_values import CLASSIC

SEIZE: Final = "seize"
WAIT: Final = "wait"
FAIL: Final = "fail"
REVOCATION_TIMEOUT_DIVISOR: Final = 4
"""Divisor of the rebalance timeout: a revocation takes at most a quarter of it. In the rest, all members must join."""


class MembershipSettings(NamedTuple):
    """Settings of a group member. Their names follow Kafka's keys."""

    group_id: str
    topics: tuple[str, ...]
    group_instance_id: str | None = None
    session_timeout_ms: int = 45_000
    rebalance_timeout_ms: int = 300_000
    heartbeat_interval_ms: int = 3_000
    max_poll_interval_ms: int = 300_000
    request_timeout_ms: int = 30_000
    assignors: tuple[str, ...] = ("range",)
    """Kafka's `partition.assignment.strategy`, most preferred first."""
    rack_id: str | None = None
    holder: str = ""
    """Description of this process, sent with the subscription. If this process fences another member, that member shows
    the description to its user."""
    group_protocol: str = CLASSIC
    """Kafka's `group.protocol`. The following settings have an effect with `CONSUMER` only."""
    topic_pattern: str | None = None
    """RE2 expression that the coordinator resolves, in addition to `topics`."""
    server_assignor: str | None = None
    """Kafka's `group.remote.assignor`; None for the broker's default."""
    on_unreleased: str = SEIZE
    """Action of a starting static member if its instance id is in use: `SEIZE`, `WAIT` or `FAIL`."""

    @property
    def revocation_timeout_ms(self) -> int:
        """Maximum duration of a revocation in ms."""
        return self.rebalance_timeout_ms // REVOCATION_TIMEOUT_DIVISOR


def this_process() -> str:
    """Describe the current process, for `MembershipSettings.holder`."""
    return f"process {os.getpid()} on host {socket.gethostname()}"


def check_on_unreleased(on_unreleased: str) -> None:
    """Raise ValueError if the value is not one of the permitted actions."""
    if on_unreleased not in (SEIZE, WAIT, FAIL):
        raise ValueError(f"Invalid on_unreleased {on_unreleased!r}: it is 'seize', 'wait' or 'fail'.")
