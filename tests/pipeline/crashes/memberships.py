"""Membership of a crashing application in each group protocol, and the standby lanes of a streams group.

In a streams group, each application has its own process id and its own cache of state files, as on a host of its own.
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
    from tests.pipeline.crashes.application import ApplicationSettings

SESSION_MS = 1_500
HEARTBEAT_MS = 300
REBALANCE_MS = 10_000
MAX_POLL_INTERVAL_S = 300.0
SUBTOPOLOGY = "0"


def new_membership(settings: ApplicationSettings) -> ClientMembership:
    """Return the membership of an application, not started yet."""
    if settings.group_protocol == STREAMS:
        changelog = InternalTopic(f"{settings.group}-state-changelog")
        topology = Topology((Subtopology(SUBTOPOLOGY, (settings.group,), changelogs=(changelog,)),))
        member = StreamsMember(
            settings.address,
            settings.group,
            topology,
            group_instance_id=settings.instance_id,
            process_id=settings.instance_id,
            rebalance_timeout_ms=REBALANCE_MS,
        )
        shared = SharedStreamsMember(member, settings.group, MAX_POLL_INTERVAL_S)
        return shared.membership(SUBTOPOLOGY, settings.instance_id)
    return ClientMembership(
        GroupMember(
            settings.address,
            settings.group,
            [settings.group],
            group_instance_id=settings.instance_id,
            session_timeout_ms=SESSION_MS,
            heartbeat_interval_ms=HEARTBEAT_MS,
            rebalance_timeout_ms=REBALANCE_MS,
            group_protocol=settings.group_protocol,
        ),
        settings.instance_id,
    )


def cache_of(root: str, group_protocol: str, instance_id: str) -> StateCache:
    return StateCache(f"{root}/cache-{instance_id}" if group_protocol == STREAMS else f"{root}/cache")


def copies_in(cache: StateCache) -> set[str]:
    """Return the digests of the state files that a cache has copies of."""
    found: set[str] = set()
    with suppress(FileNotFoundError):  # An unfinished copy was renamed in the meantime.
        found |= {path.stem for path in Path(cache.directory).rglob("*.arrow")}
    return found


def standby_lanes_of(membership: ClientMembership, job: Job, files: Files, topic: str) -> PeriodicWork | None:
    """Return the refresh of the standby lanes of a member of a streams group; None in other groups."""
    if not isinstance(membership, SubtopologyMembership):
        return None
    copies = StandbyCopies(files, job.layout, partial(job.lane_state, files), membership.committed)
    lanes = StandbyLanes(membership, (TopicName(topic),), copies)
    return PeriodicWork("standby", STANDBY_COPY_S, lanes.refresh, "copy the state of standby lanes")
