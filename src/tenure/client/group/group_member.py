"""Blocking member of a classic or consumer group, without fetching: for Spark drivers and scripts."""

from collections.abc import Sequence
from functools import partial

from tenure.client.group.blocking_member import BlockingMember, check_instance_id
from tenure.client.group.memberships.membership_settings import (
    SEIZE,
    MembershipSettings,
    check_on_unreleased,
    this_process,
)
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.values import Event, SubscriptionPattern
from tenure.protocol.special_values import CLASSIC, CONSUMER


class GroupMember(BlockingMember[Event]):
    """One membership in a group: static with a `group_instance_id`, else dynamic. Thread-safe.

    Args:
        config: Broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
        group_id: Kafka's `group.id`.
        topics: Topics, or a pattern that the coordinator resolves (`group_protocol="consumer"`).
        group_instance_id: Kafka's `group.instance.id` of a static member.
        client_id: Kafka's `client.id`.
        session_timeout_ms: Kafka's `session.timeout.ms`. Classic protocol only.
        rebalance_timeout_ms: Time that the group waits for this member in a rebalance.
        heartbeat_interval_ms: Kafka's `heartbeat.interval.ms`. Classic protocol only.
        max_poll_interval_ms: Kafka's `max.poll.interval.ms`.
        request_timeout_ms: Kafka's `request.timeout.ms`.
        group_protocol: "classic", where a member assigns, or "consumer" (KIP-848), where the coordinator assigns and
            sets session timeout and heartbeat interval.
        assignors: Kafka's `partition.assignment.strategy`, most preferred first. Classic protocol only.
        rack_id: Kafka's `client.rack`.
        server_assignor: Kafka's `group.remote.assignor`. Consumer protocol only.
        on_unreleased: Action of a starting static member if its instance id is in use: "seize" takes over the id once,
            "wait" waits until the id is free, "fail" raises an error. Consumer protocol only.

    Raises:
        ValueError: A setting is invalid.
    """

    def __init__(
        self,
        config: ClusterConfig,
        group_id: str,
        topics: Sequence[str] | SubscriptionPattern,
        *,
        group_instance_id: str | None = None,
        client_id: str = "tenure",
        session_timeout_ms: int = 45_000,
        rebalance_timeout_ms: int = 300_000,
        heartbeat_interval_ms: int = 3_000,
        max_poll_interval_ms: int = 300_000,
        request_timeout_ms: int = 30_000,
        group_protocol: str = CLASSIC,
        assignors: Sequence[str] = ("range",),
        rack_id: str | None = None,
        server_assignor: str | None = None,
        on_unreleased: str = SEIZE,
    ) -> None:
        names, pattern = ((), topics.pattern) if isinstance(topics, SubscriptionPattern) else (topics, None)
        settings = MembershipSettings(
            group_id,
            tuple(sorted(set(names))),
            group_instance_id,
            session_timeout_ms,
            rebalance_timeout_ms,
            heartbeat_interval_ms,
            max_poll_interval_ms,
            request_timeout_ms,
            tuple(assignors),
            rack_id,
            holder=this_process(),
            group_protocol=group_protocol,
            topic_pattern=pattern,
            server_assignor=server_assignor,
            on_unreleased=on_unreleased,
        )
        check(settings)
        super().__init__(config, client_id, settings)

    def resubscribe(self, topics: Sequence[str]) -> None:
        """Replace the subscribed topics."""
        self._apply(partial(self._started_runner().resubscribe, tuple(sorted(set(topics)))))


def check(settings: MembershipSettings) -> None:
    """Raise ValueError if the settings are invalid."""
    has_pattern = settings.topic_pattern is not None
    check_instance_id(settings.group_instance_id)
    if not settings.group_id or not (settings.topics or has_pattern):
        raise ValueError("Missing group id or topics: a group member needs a group id and at least one topic.")
    if settings.group_protocol not in (CLASSIC, CONSUMER):
        raise ValueError(f"Invalid group_protocol {settings.group_protocol!r}: it is 'classic' or 'consumer'.")
    check_on_unreleased(settings.on_unreleased)
    if has_pattern and settings.group_protocol != CONSUMER:
        raise ValueError("SubscriptionPattern needs group_protocol 'consumer': the coordinator resolves the pattern.")
