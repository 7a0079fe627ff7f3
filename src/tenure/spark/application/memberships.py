"""Memberships of the members of an application: of a Kafka group, or of another kind that the caller chooses."""

from typing import NamedTuple, Protocol

from tenure.client.group.group_member import GroupMember
from tenure.client.group.memberships.membership_settings import CLASSIC
from tenure.pipeline.values.membership import GroupMembership
from tenure.run_options import RunOptions
from tenure.spark.application.group_protocol import HEARTBEAT_INTERVAL_MS, SESSION_TIMEOUT_MS, with_group_protocol
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.kafka.client_membership import ClientMembership

RANGE = "range"


class PreparedOptions(NamedTuple):
    options: RunOptions
    remark: str
    """Log line about an option that was chosen automatically; "" for none."""


class StartableMembership(GroupMembership, Protocol):
    def start(self) -> None:
        """Start to join, and return at once. `poll` reports the result."""


class Memberships(Protocol):
    """Kind of the memberships of an application."""

    def prepare(self, options: RunOptions) -> PreparedOptions:
        """Return the options with the choices that depend on the cluster."""

    def create(
        self, pipeline: PipelineDeclaration, options: RunOptions, client_id: str, instance_id: str | None
    ) -> StartableMembership:
        """Return the membership of one member, not started yet."""


class KafkaGroup:
    """Memberships of the consumer group that has the pipeline's name, on the cluster that the pipeline reads."""

    def prepare(self, options: RunOptions) -> PreparedOptions:
        """Choose the group protocol."""
        return PreparedOptions(*with_group_protocol(options))

    def create(
        self, pipeline: PipelineDeclaration, options: RunOptions, client_id: str, instance_id: str | None
    ) -> ClientMembership:
        member = GroupMember(
            options.cluster,
            pipeline.name,
            tuple(topic.name for topic in pipeline.topics),
            group_instance_id=instance_id,
            client_id=client_id,
            session_timeout_ms=options.session_timeout_ms or SESSION_TIMEOUT_MS,
            heartbeat_interval_ms=options.heartbeat_interval_ms or HEARTBEAT_INTERVAL_MS,
            rebalance_timeout_ms=options.max_poll_interval_ms,
            max_poll_interval_ms=options.max_poll_interval_ms,
            group_protocol=options.group_protocol or CLASSIC,
            # One member must own partition n of all topics. Members of the classic protocol offer only this assignor.
            server_assignor=RANGE if len(pipeline.topics) > 1 else None,
            on_unreleased=options.on_unreleased,
        )
        return ClientMembership(member, instance_id)
