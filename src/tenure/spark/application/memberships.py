"""Memberships of the members of an application: in a consumer group, or in a streams group.

Another implementation of `Memberships` needs no group: `tenure.audit.local_membership`.
"""

from dataclasses import replace
from typing import Final, NamedTuple, Protocol

from tenure.client.group.group_member import GroupMember
from tenure.client.queries.blocking import has_consumer_protocol
from tenure.client.streams.streams_member import StreamsMember
from tenure.client.tasks import check_topology
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.values.membership import GroupMembership
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS
from tenure.run_options import RunOptions
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.application.topology import internal_topics, topology_of
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.streams_memberships import SharedStreamsMember, SubtopologyMembership

SESSION_TIMEOUT_MS: Final = 45_000
HEARTBEAT_INTERVAL_MS: Final = 3_000
"""Default heartbeat interval of the classic protocol in ms, as in Kafka's consumer."""

RANGE = "range"


class PreparedOptions(NamedTuple):
    """Options of a run that `Memberships.prepare` has completed."""

    options: RunOptions
    remark: str
    """Log line about an option that was chosen automatically; "" for none."""


class StartableMembership(GroupMembership, Protocol):
    def start(self) -> None:
        """Start to join, without waiting. `poll` reports the result."""


class Memberships(Protocol):
    """Factory of group memberships, one for each member of an application."""

    @property
    def internal_topics(self) -> frozenset[str]:
        """Topics between two steps of the pipeline. The broker creates them, so they may be missing at the start."""

    def group_of(self, pipeline: PipelineDeclaration) -> str:
        """Return the group in which the offsets of a pipeline, or of one of its steps, are committed."""

    def prepare(self, options: RunOptions) -> PreparedOptions:
        """Complete the options that the user has left open, such as the group protocol. May ask the cluster."""

    def create(
        self, pipeline: PipelineDeclaration, options: RunOptions, client_id: str, instance_id: str | None
    ) -> StartableMembership:
        """Return the membership of one member, not started yet."""


class GroupMemberships:
    """Factory of memberships in the group with the pipeline's name, under the consumer or the classic protocol."""

    internal_topics: Final[frozenset[str]] = frozenset()

    def group_of(self, pipeline: PipelineDeclaration) -> str:
        return pipeline.name

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
            # Only the range assignor gives partition n of all topics to the same member. Members of the classic
            # protocol offer no other assignor.
            server_assignor=RANGE if len(pipeline.topics) > 1 else None,
            on_unreleased=options.on_unreleased,
        )
        return ClientMembership(member, instance_id)


def with_group_protocol(options: RunOptions) -> tuple[RunOptions, str]:
    """Return the options with a group protocol, and a log line if the classic one was chosen automatically (else "").

    The default is the consumer protocol (KIP-848) if the broker supports it: the coordinator assigns partitions, and a
    rebalance does not interrupt partitions that stay with their member. With this protocol the broker sets the session
    timeout, so an application that sets a session timeout uses the classic protocol.

    Raises:
        BrokerUnreachable: The broker does not answer.
    """
    if options.group_protocol is not None:
        return options, ""
    if session := options.session_option:
        reason = f"{session} is set, which only the classic protocol lets members choose"
    elif has_consumer_protocol(options.cluster, patience_ms=STARTUP_PATIENCE_MS):
        return replace(options, group_protocol=CONSUMER), ""
    else:
        reason = "the broker does not support the consumer protocol (KIP-848, Apache Kafka 4.0 and later)"
    return replace(options, group_protocol=CLASSIC), f"uses the classic group protocol: {reason}"


class StreamsMemberships:
    """Memberships in the streams group with the pipeline's name: one group for all steps of the pipeline (KIP-1071).

    Each step has one engine for each thread of the application. Engine n of every step uses member n of the group.
    """

    def __init__(self, pipeline: PipelineDeclaration) -> None:
        steps = [*repartition_pipelines(pipeline), pipeline]
        self.group_id: Final = pipeline.name
        self.internal_topics: Final = frozenset(internal_topics(steps))
        self._topology: Final = topology_of(pipeline)
        self._subtopology_ids: Final = {step.name: str(number) for number, step in enumerate(steps)}
        self._members: Final[dict[str, SharedStreamsMember]] = {}
        """Members by client id."""
        try:
            check_topology(self._topology)
        except ValueError as error:
            raise PipelineConfigError(
                f"Pipeline {pipeline.name} cannot run in a streams group: {error} Use another group_protocol."
            ) from None

    def prepare(self, options: RunOptions) -> PreparedOptions:
        return PreparedOptions(options, "")

    def group_of(self, pipeline: PipelineDeclaration) -> str:
        del pipeline
        return self.group_id

    def create(
        self, pipeline: PipelineDeclaration, options: RunOptions, client_id: str, instance_id: str | None
    ) -> SubtopologyMembership:
        if client_id not in self._members:
            member = StreamsMember(
                options.cluster,
                self.group_id,
                self._topology,
                group_instance_id=instance_id,
                client_id=client_id,
                rebalance_timeout_ms=options.max_poll_interval_ms,
                max_poll_interval_ms=options.max_poll_interval_ms,
                on_unreleased=options.on_unreleased,
            )
            self._members[client_id] = SharedStreamsMember(member, self.group_id, options.max_poll_interval_ms / 1000)
        return self._members[client_id].membership(self._subtopology_ids[pipeline.name], instance_id)


def memberships_of(pipeline: PipelineDeclaration, options: RunOptions) -> Memberships:
    """Return the factory of memberships for the group protocol of the options. Raises PipelineConfigError."""
    return StreamsMemberships(pipeline) if options.group_protocol == STREAMS else GroupMemberships()
