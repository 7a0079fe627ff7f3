"""Membership of a crashing application in each group protocol, and the standby lanes of a streams group.

An application in a streams group is a host of its own: its process id and its cache of state files are its own.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.client.group.group_member import GroupMember
from tenure.client.streams.streams_member import StreamsMember
from tenure.client.tasks import InternalTopic, Subtopology, Topology
from tenure.limits.pipeline import STANDBY_COPY_S
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.standby_copies import StandbyCopies
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.task.job import Job
from tenure.protocol.special_values import STREAMS
from tenure.protocol.types import TopicName
from tenure.spark.application.periodic_work import PeriodicWork
from tenure.spark.application.standby_lanes import StandbyLanes
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.streams_memberships import SharedStreamsMember, SubtopologyMembership

if TYPE_CHECKING:
    from tests.pipeline.crashes.application import Orders

SESSION_MS = 1_500
HEARTBEAT_MS = 300
REBALANCE_MS = 10_000
MAX_POLL_INTERVAL_S = 300.0
SUBTOPOLOGY = "0"


def new_membership(orders: Orders) -> ClientMembership:
    """Return the membership of an application, not started yet."""
    if orders.group_protocol == STREAMS:
        changelog = InternalTopic(f"{orders.group}-state-changelog")
        topology = Topology((Subtopology(SUBTOPOLOGY, (orders.group,), changelogs=(changelog,)),))
        member = StreamsMember(
            orders.address,
            orders.group,
            topology,
            group_instance_id=orders.instance_id,
            process_id=orders.instance_id,
            rebalance_timeout_ms=REBALANCE_MS,
        )
        shared = SharedStreamsMember(member, orders.group, MAX_POLL_INTERVAL_S)
        return shared.membership(SUBTOPOLOGY, orders.instance_id)
    return ClientMembership(
        GroupMember(
            orders.address,
            orders.group,
            [orders.group],
            group_instance_id=orders.instance_id,
            session_timeout_ms=SESSION_MS,
            heartbeat_interval_ms=HEARTBEAT_MS,
            rebalance_timeout_ms=REBALANCE_MS,
            group_protocol=orders.group_protocol,
        ),
        orders.instance_id,
    )


def cache_of(root: str, group_protocol: str, instance_id: str) -> StateCache:
    return StateCache(f"{root}/cache-{instance_id}" if group_protocol == STREAMS else f"{root}/cache")


def copies_in(cache: StateCache) -> set[str]:
    """Return the digests of the state files that a cache has copies of."""
    found: set[str] = set()
    with suppress(FileNotFoundError):  # A draft that is renamed meanwhile.
        found |= {path.stem for path in Path(cache.directory).rglob("*.arrow")}
    return found


def standby_lanes_of(membership: ClientMembership, job: Job, files: Files, topic: str) -> PeriodicWork | None:
    """Return the refresh of the standby lanes of a member of a streams group; None in other groups."""
    if not isinstance(membership, SubtopologyMembership):
        return None
    copies = StandbyCopies(files, job.layout, partial(job.lane_state, files), membership.committed)
    lanes = StandbyLanes(membership, (TopicName(topic),), copies)
    return PeriodicWork("standby", STANDBY_COPY_S, lanes.refresh, "copy the state of standby lanes")
