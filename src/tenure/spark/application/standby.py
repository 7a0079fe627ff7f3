"""`run --standby`: an application that has everything ready, and takes the seats of its name once nobody has them.

As many as you like may stand by, on this host and on others; one at a time gets the seats. Which seats are free the
group says: an application that was lost with its host has them until its session ends, whatever the protocol. On the
same host nobody has to wait for that: a standby holds a line to the application that is at work, and the kernel says at
once when that has ended; then its seats are taken over as they are, and no partition moves.

Of the standbys of one host one is next in line, which a lock decides. Those of several hosts that see the same free
seats go for them at different moments, and look once more before. Should two still meet, the later one has the seats,
and the earlier one is fenced, as ever: nothing is worked on twice.
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
from tenure.limits import STANDBY_LOOK_S, STANDBY_SPREAD_S
from tenure.pipeline.errors import PipelineConfigError
from tenure.protocol.errors import ErrorCode
from tenure.spark.application.control_socket import ControlConnection, RunningApplication, running_applications
from tenure.spark.application.run_directory import NoRunDirectory, run_directory
from tenure.spark.application.run_options import RunOptions

STANDING_BY: Final = "standing by"

WHY_GONE: Final = "the application on this host has ended"
WHY_FREE: Final = "its members have left the group"


def check_standby(options: RunOptions) -> None:
    """Before anything begins."""
    if options.group_instance_id is None:
        raise PipelineConfigError(
            "A standby needs the group_instance_id of the application that it stands by for: set group_instance_id."
        )
    try:
        run_directory()
    except NoRunDirectory as error:
        raise PipelineConfigError(f"A standby cannot look for other applications on this host: {error}.") from None


class Standby:
    """Waits until the seats of `group_instance_id` are free, or until it is no longer wanted."""

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
        self._seats: Final = {f"{group_instance_id}-thread-{number + 1}" for number in range(threads)}
        self._is_stopped: Final = is_stopped

    def has_to_wait(self) -> bool:
        """As far as can be seen before others have had their turn."""
        with running_applications(self._group) as (found, _):
            return any(map(self._is_at_work, found)) or self._seats_are_held()

    def wait(self, then: Callable[[], None]) -> str:
        """Why the seats are free now; empty if it was stopped. `then` is called before the next in line may look: it
        has to find somebody at work."""
        with standby_lock(f"{self._group}\0{self._instance}", self._is_stopped):
            reason = self._reason_to_go()
            if reason:
                then()
        return reason

    def _reason_to_go(self) -> str:
        while not self._is_stopped():
            if self._watched_until_its_end():
                return WHY_GONE
            if not self._seats_are_held() and not self._is_stopped():
                sleep(random.uniform(0.0, STANDBY_SPREAD_S))
                if not self._seats_are_held():
                    return WHY_FREE
            sleep(STANDBY_LOOK_S)
        return ""

    def _watched_until_its_end(self) -> bool:
        """False: nobody of this host is at work under this name, or this one was stopped meanwhile."""
        with running_applications(self._group) as (found, _):
            at_work = [one.line for one in found if self._is_at_work(one)]
            return bool(at_work) and all(self._has_ended(line) for line in at_work)

    def _is_at_work(self, one: RunningApplication) -> bool:
        who = one.who
        return (
            who.get("group_instance_id") == self._instance
            and who.get("role") == "application"
            and who.get("pid") != os.getpid()
        )

    def _has_ended(self, line: ControlConnection) -> bool:
        while not self._is_stopped():
            if line.has_ended(STANDBY_LOOK_S):
                return True
        return False

    def _seats_are_held(self) -> bool:
        """True also while nobody can say."""
        try:
            with Admin(self._cluster) as admin:
                (group,) = admin.describe_groups([self._group])
        except ClientError as error:  # Where there is no such group, it is the first.
            code = error.error_code if isinstance(error, RequestRefused) else None
            return code is not ErrorCode.GROUP_ID_NOT_FOUND
        return any(member.group_instance_id in self._seats for member in group.members)


@contextmanager
def standby_lock(name: str, is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Entered by one process of this host and user at a time, in no particular order."""
    path = run_directory() / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.standby"
    with path.open("wb") as lock:
        while not is_stopped():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                sleep(STANDBY_LOOK_S)
        yield
