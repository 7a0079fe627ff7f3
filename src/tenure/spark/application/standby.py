"""Standby: a started application that waits until the members with its instance id have left (`run --standby`).

Any number of standbys may wait, on any host; one of them takes over at a time. The group shows which static members
exist: after a host was lost, its members exist until their session times out, with either group protocol. A standby on
the same host does not wait for the timeout: its connection to the running application ends together with that process.
Then the standby takes over the static members, and no partition moves.

On each host a lock determines the next standby. If standbys of several hosts see that the members have left, each waits
for a random time and checks again. If two still start, the later one fences the earlier one, as with any two processes
that have the same instance id. No output is published twice.
"""

import fcntl
import hashlib
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import Final

from tenure.admin import Admin
from tenure.client.errors import ClientError, RequestRefused
from tenure.client.net.bootstrap import ClusterConfig
from tenure.limits.spark import STANDBY_LOOK_S, STANDBY_SPREAD_S
from tenure.pipeline.errors import PipelineConfigError
from tenure.protocol.errors import ErrorCode
from tenure.run_options import RunOptions
from tenure.spark.application.control_socket import ControlConnection, RunningApplication, running_applications
from tenure.spark.application.run_directory import NoRunDirectory, run_directory

STANDING_BY: Final = "standing by"

APPLICATION_ENDED: Final = "the application on this host has ended"
MEMBERS_LEFT: Final = "its members have left the group"


def check_standby(options: RunOptions) -> None:
    """Raise PipelineConfigError if the application cannot be a standby."""
    if options.group_instance_id is None:
        raise PipelineConfigError(
            "A standby needs the group_instance_id of the application that it replaces: set group_instance_id."
        )
    try:
        run_directory()
    except NoRunDirectory as error:
        raise PipelineConfigError(f"A standby cannot look for other applications on this host: {error}.") from None


class Standby:
    """Application that waits until the static members of another one have left, or until it is stopped itself.

    Args:
        cluster: Kafka's configuration keys for addresses, TLS and SASL.
        group: Group of the pipeline.
        group_instance_id: Instance id of the application that the standby replaces.
        threads: Number of members of that application.
        is_stopped: Function that returns whether the standby was stopped.
    """

    def __init__(
        self,
        cluster: ClusterConfig,
        group: str,
        group_instance_id: str,
        threads: int,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._cluster: Final = cluster
        self._group: Final = group
        self._instance: Final = group_instance_id
        self._member_names: Final = {f"{group_instance_id}-thread-{number + 1}" for number in range(threads)}
        self._is_stopped: Final = is_stopped

    def has_to_wait(self) -> bool:
        """Return whether another application with this instance id runs, or its members are still in the group."""
        with running_applications(self._group) as (found, _):
            return any(map(self._replaces, found)) or self._members_exist()

    def wait(self, mark_running: Callable[[], None]) -> str:
        """Wait until the static members have left the group, or their application on this host has ended.

        Return the reason why this standby may run, for a log line; "" if the standby was stopped.

        Args:
            mark_running: Function that marks this application as running. It is called before the lock of this host is
                released. So the next standby on this host sees a running application, and waits for its end.
        """
        with standby_lock(f"{self._group}\0{self._instance}", self._is_stopped):
            reason = self._wait_for_members_to_go()
            if reason:
                mark_running()
        return reason

    def _wait_for_members_to_go(self) -> str:
        while not self._is_stopped():
            if self._wait_for_end_on_this_host():
                return APPLICATION_ENDED
            if not self._members_exist() and not self._is_stopped():
                sleep(random.uniform(0.0, STANDBY_SPREAD_S))
                if not self._members_exist():
                    return MEMBERS_LEFT
            sleep(STANDBY_LOOK_S)
        return ""

    def _wait_for_end_on_this_host(self) -> bool:
        """Wait until the application with this instance id on this host has ended.

        Return False if there is none, or if this standby was stopped.
        """
        with running_applications(self._group) as (found, _):
            running = [one.connection for one in found if self._replaces(one)]
            return bool(running) and all(self._has_ended(connection) for connection in running)

    def _replaces(self, application: RunningApplication) -> bool:
        description = application.description
        return (
            description.get("group_instance_id") == self._instance
            and description.get("role") == "application"
            and description.get("pid") != os.getpid()
        )

    def _has_ended(self, connection: ControlConnection) -> bool:
        while not self._is_stopped():
            if connection.has_ended(STANDBY_LOOK_S):
                return True
        return False

    def _members_exist(self) -> bool:
        """Return whether the static members are in the group. Return True if the broker does not answer."""
        try:
            with Admin(self._cluster) as admin:
                (group,) = admin.describe_groups([self._group])
        except ClientError as error:  # If the group does not exist, no member exists either.
            code = error.error_code if isinstance(error, RequestRefused) else None
            return code is not ErrorCode.GROUP_ID_NOT_FOUND
        return any(member.group_instance_id in self._member_names for member in group.members)


@contextmanager
def standby_lock(name: str, is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Wait for the lock `name` of this host and user, and hold it while the block runs.

    The order in which waiting processes get the lock is not defined. If `is_stopped` returns True during the wait, the
    block runs without the lock.
    """
    path = run_directory() / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.standby"
    with path.open("wb") as lock:
        while not is_stopped():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                sleep(STANDBY_LOOK_S)
        yield
