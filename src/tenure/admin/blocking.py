"""Blocking interface `Admin` to the operations of this package."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

from tenure.admin import (
    acls,
    group_configs,
    group_members,
    group_offsets,
    groups,
    open_transactions,
    quotas,
    topics,
    transactions,
    users,
)
from tenure.admin.group_configs import Expectation, GroupConfig
from tenure.admin.group_description import GroupDescription
from tenure.admin.group_members import MemberToRemove, RemovedMember
from tenure.admin.group_offsets import OffsetDeletion, ResetPlan, TopicScope
from tenure.admin.groups import DeletedGroup, GroupListing, GroupPosition
from tenure.admin.offset_reset import Target
from tenure.admin.open_transactions import PartitionProducer, PartitionTransaction
from tenure.admin.quotas import ClientQuota, QuotaEntity
from tenure.admin.topics import BROKER_DEFAULT, CreatedTopic
from tenure.admin.transactions import ANY_DURATION, TransactionDescription, TransactionListing
from tenure.admin.users import ScramUser
from tenure.client.net.bootstrap import ClusterConfig, bootstrap
from tenure.client.net.cluster import Cluster, check
from tenure.client.net.event_loop import run
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import OffsetAndMetadata, TopicDescription, TopicPartition
from tenure.limits.cli import ADMIN_PATIENCE_MS
from tenure.limits.client import REQUEST_TIMEOUT_MS
from tenure.protocol.acls import Acl, AclFilter
from tenure.protocol.messages import DescribeClusterRequest, DescribeClusterResponse

ALL_ACLS: Final = AclFilter()


class BrokerDescription(NamedTuple):
    """Id, address and rack of a broker."""

    broker_id: int
    host: str
    port: int
    rack: str | None


class ClusterDescription(NamedTuple):
    """Id, controller and brokers of the cluster."""

    cluster_id: str
    controller_id: int
    brokers: tuple[BrokerDescription, ...]


class Admin:
    """Administrative operations on a cluster.

    All methods may raise `BrokerUnreachable` and `RequestRefused` of `tenure.client.errors`.

    Args:
        config: Broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
        client_id: Kafka's `client.id`.
        patience_ms: Time for which retriable errors are retried.
    """

    def __init__(
        self,
        config: ClusterConfig,
        *,
        client_id: str = "tenure-admin",
        patience_ms: int = ADMIN_PATIENCE_MS,
    ) -> None:
        address = bootstrap(config)
        self._cluster: Final = Cluster(
            address.servers,
            client_id=client_id,
            request_timeout_ms=REQUEST_TIMEOUT_MS,
            patience_ms=patience_ms,
            security=address.security,
        )

    def create_topics(
        self,
        names: Sequence[str],
        *,
        partitions: int = BROKER_DEFAULT,
        replication_factor: int = BROKER_DEFAULT,
        configs: Mapping[str, str] | None = None,
    ) -> list[CreatedTopic]:
        """Create topics, wait until a broker lists them, and return them.

        Raises `RequestRefused` with the names of the topics that were not created.
        """
        return run(
            topics.create_topics(
                self._cluster, names, partitions=partitions, replication_factor=replication_factor, configs=configs
            )
        )

    def delete_topics(self, names: Sequence[str]) -> None:
        """Delete topics. Raises `RequestRefused` with the names of the topics that were not deleted."""
        run(topics.delete_topics(self._cluster, names))

    def create_partitions(self, name: str, count: int) -> None:
        """Increase the number of partitions of a topic to `count`."""
        run(topics.create_partitions(self._cluster, name, count))

    def list_topics(self) -> list[TopicDescription]:
        """Describe all topics."""
        return run(topics.describe_topics(self._cluster, None))

    def describe_topics(self, names: Sequence[str]) -> list[TopicDescription]:
        """Describe topics. Raises `UnknownTopic` if one does not exist."""
        return run(topics.describe_topics(self._cluster, names))

    def list_groups(self, *, states: Collection[str] = (), types: Collection[str] = ()) -> list[GroupListing]:
        """List the groups of all brokers, filtered by state and type; an empty filter matches all."""
        return run(groups.list_groups(self._cluster, states=states, types=types))

    def describe_groups(self, group_ids: Iterable[str]) -> list[GroupDescription]:
        """Describe groups. Raises `RequestRefused` (GROUP_ID_NOT_FOUND) if one does not exist."""
        return [run(groups.describe(self._cluster, group_id)) for group_id in group_ids]

    def group_positions(self, group: GroupDescription) -> list[GroupPosition]:
        """Return committed offset, end and lag of each partition of a group."""
        return run(groups.positions(self._cluster, group))

    def committed_offsets(self, group_id: str) -> dict[TopicPartition, OffsetAndMetadata]:
        """Return all committed offsets of a group; an empty dictionary if the group does not exist."""
        return run(committed_offsets(self._cluster, group_id, None))

    def find_group(self, group_id: str) -> GroupListing:
        """Return type and state of a group.

        Raises `RequestRefused` (GROUP_ID_NOT_FOUND) if the group does not exist.
        """
        return run(groups.must_find(self._cluster, group_id))

    def delete_groups(self, group_ids: Sequence[str]) -> list[DeletedGroup]:
        """Delete groups and their committed offsets, and return one result per group."""
        return run(groups.delete_groups(self._cluster, group_ids))

    def remove_members(
        self, group_id: str, members: Sequence[MemberToRemove] | None, reason: str = ""
    ) -> list[RemovedMember]:
        """Remove the given members from a group, or all members for None; return one result per member."""
        return run(group_members.remove_members(self._cluster, group_id, members, reason))

    def plan_reset(self, group_id: str, target: Target, scopes: Sequence[TopicScope] | None = None) -> ResetPlan:
        """Plan new committed offsets of a group, without writing them.

        Args:
            group_id: Group.
            target: New position, for example `ToEarliest()` or `ShiftBy(-100)`.
            scopes: Partitions. None selects all partitions with a committed offset or, for `ToListed`, all listed ones.
        """
        return run(group_offsets.plan_reset(self._cluster, group_id, target, scopes))

    def write_plan(self, plan: ResetPlan) -> None:
        """Commit the offsets of a reset plan. Raises `RequestRefused` if the group has members."""
        run(group_offsets.write_plan(self._cluster, plan))

    def delete_offsets(self, group_id: str, scopes: Sequence[TopicScope]) -> list[OffsetDeletion]:
        """Delete committed offsets of a group, and return one result per partition."""
        return run(group_offsets.delete_offsets(self._cluster, group_id, scopes))

    def group_configs(self, group_id: str) -> list[GroupConfig]:
        """Return all configurations of a group, even if the group does not exist."""
        return run(group_configs.group_configs(self._cluster, group_id))

    def alter_group_configs(self, group_id: str, values: Mapping[str, str | None]) -> None:
        """Change configurations of a group.

        The value None removes a configuration, so that the broker's default applies.
        """
        run(group_configs.alter_group_configs(self._cluster, group_id, values))

    def rebalance(self, group_id: str) -> None:
        """Start a rebalance of a group (Tenure's coordinator only)."""
        run(group_configs.rebalance(self._cluster, group_id))

    def expectation(self, group_id: str) -> Expectation:
        """Return the static members that the group's first assignment waits for (Tenure's coordinator only)."""
        return run(group_configs.expectation(self._cluster, group_id))

    def expect(self, group_id: str, instance_ids: Sequence[str], timeout_ms: int | None = None) -> None:
        """Make the group's first assignment wait for these static members; an empty list removes the setting.

        The assignment waits for at most `timeout_ms`; None keeps the present timeout.
        """
        run(group_configs.expect(self._cluster, group_id, instance_ids, timeout_ms))

    def list_quotas(self) -> list[ClientQuota]:
        """List all client quotas."""
        return run(quotas.list_quotas(self._cluster))

    def alter_quotas(self, entity: QuotaEntity, changes: Mapping[str, float | None]) -> None:
        """Set quotas of an entity. The value None removes a quota.

        Raises `RequestRefused` if the broker refuses the change.
        """
        run(quotas.alter_quotas(self._cluster, entity, changes))

    def list_users(self) -> list[ScramUser]:
        """List the SCRAM credentials of all users."""
        return run(users.list_users(self._cluster))

    def add_user(self, name: str, password: str, mechanisms: Sequence[str], iterations: int = users.ITERATIONS) -> None:
        """Create or replace SCRAM credentials of a user. The password itself is not sent."""
        for mechanism in mechanisms:
            run(users.add_user(self._cluster, name, password, mechanism, iterations))

    def remove_user(self, name: str, mechanisms: Sequence[str]) -> None:
        """Delete SCRAM credentials of a user. Raises `RequestRefused` if the user lacks one of the mechanisms."""
        run(users.remove_user(self._cluster, name, mechanisms))

    def list_transactions(
        self,
        *,
        states: Collection[str] = (),
        producer_ids: Collection[int] = (),
        longer_than_ms: int = ANY_DURATION,
        pattern: str = "",
    ) -> list[TransactionListing]:
        """List the transactional ids that match all filters, from all brokers. An empty filter matches every id."""
        return run(
            transactions.list_transactions(
                self._cluster, states=states, producer_ids=producer_ids, longer_than_ms=longer_than_ms, pattern=pattern
            )
        )

    def describe_transactions(self, transactional_ids: Iterable[str]) -> list[TransactionDescription]:
        """Describe transactional ids. Raises `RequestRefused` (TRANSACTIONAL_ID_NOT_FOUND) if one does not exist."""
        return [run(transactions.describe_transaction(self._cluster, each)) for each in transactional_ids]

    def force_terminate(self, transactional_id: str) -> None:
        """Abort the open transaction of a transactional id, and fence its producer."""
        run(transactions.force_terminate(self._cluster, transactional_id))

    def describe_producers(self, partitions: Collection[TopicPartition]) -> list[PartitionProducer]:
        """Describe the active producers of partitions. Raises `UnknownTopic` if a partition does not exist."""
        return run(open_transactions.describe_producers(self._cluster, partitions))

    def find_hanging_transactions(
        self, topics: Sequence[str] | None, *, silent_since_ms: int
    ) -> list[PartitionProducer]:
        """Find transactions that are open in a partition and unknown to their coordinator.

        Args:
            topics: Topics; None searches all.
            silent_since_ms: Unix time in ms; only transactions without writes since then are returned.
        """
        return run(open_transactions.find_hanging(self._cluster, topics, silent_since_ms=silent_since_ms))

    def open_transaction(self, partition: TopicPartition, start_offset: int) -> PartitionTransaction:
        """Return the open transaction whose first record is at `start_offset`.

        Raises `RequestRefused` (INVALID_TXN_STATE) if no open transaction begins there.
        """
        return run(open_transactions.open_at(self._cluster, partition, start_offset))

    def abort_transaction(self, producer: PartitionProducer) -> None:
        """Abort a producer's open transaction in one partition. Other partitions of the transaction are not changed."""
        run(open_transactions.abort_open(self._cluster, producer))

    def list_acls(self, wanted: AclFilter = ALL_ACLS) -> list[Acl]:
        """Return the ACLs that match a filter, sorted; without a filter all ACLs."""
        return run(acls.list_acls(self._cluster, wanted))

    def create_acls(self, created: Sequence[Acl]) -> None:
        """Create ACLs. An ACL that exists already is left unchanged."""
        run(acls.create_acls(self._cluster, created))

    def delete_acls(self, wanted: AclFilter) -> list[Acl]:
        """Delete the ACLs that match a filter, and return the deleted ones."""
        return run(acls.delete_acls(self._cluster, wanted))

    def describe_cluster(self) -> ClusterDescription:
        """Return the id, the controller and the brokers of the cluster."""
        return run(self._cluster.retry(self._describe_cluster_once))

    def close(self) -> None:
        """Close all connections to the cluster."""
        run(self._close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _describe_cluster_once(self) -> ClusterDescription:
        answer = await self._cluster.request_any(DescribeClusterRequest(), DescribeClusterResponse)
        check(answer.error_code, "Cluster could not be described")
        brokers = (BrokerDescription(found.broker_id, found.host, found.port, found.rack) for found in answer.brokers)
        return ClusterDescription(answer.cluster_id, answer.controller_id, tuple(sorted(brokers)))

    async def _close(self) -> None:
        self._cluster.close()
