"""Crash points of plan, stage, commit, publish and sweep: the places at which a test kills the process.

There is no list of crash points. A process with wrapped interfaces records each crash point that it passes, so a run
without failures records all of them in order. In another run, the process sends itself a signal at one of them.
"""

import os
import signal
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from tenure.client.group.blocking_member import BlockingMember
from tenure.client.producer.transaction_lender import TransactionLender
from tenure.client.queries.group_changes import commit_request
from tenure.client.values import GroupMetadata
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.lane_transactions import LaneTransactions
from tenure.values import Event, OffsetAndMetadata, TopicPartition
from tests.pipeline.crashes.forgetful_directory import ForgetfulDirectory
from tests.wire import Wire

STEPS = {
    ProgressStep.PLANNED: "planned",
    ProgressStep.STAGED: "staged",
    ProgressStep.PUBLISHED: "published",
    ProgressStep.SWEPT: "swept",
}

KINDS = {
    "manifest": ".json",
    "state base": ".base.arrow",
    "state delta": ".delta.arrow",
    "output": ".parquet",
    "HEAD": "HEAD-",
}

COMMIT_VERSION = 9
"""Version of OffsetCommit that names topics and has a member epoch."""


class CrashPoints:
    """Recorder of crash points; at the point `named` it sends the signal."""

    def __init__(self, tell: Callable[[Mapping[str, Any]], None], named: str | None, number: int | None) -> None:
        self.tell = tell
        self.named = named
        self.number = number
        self.passed: Counter[str] = Counter()
        self.lock = Lock()

    def pass_(self, name: str) -> None:
        """Record a crash point, and send the signal if it is the chosen one. Points with the same name are numbered."""
        if self.is_chosen(name):
            assert self.number is not None
            os.kill(os.getpid(), signal.Signals(self.number))

    def is_chosen(self, name: str) -> bool:
        """Record a crash point; return whether it is the one at which the process is to get the signal."""
        with self.lock:
            self.passed[name] += 1
            crash_point = f"{name} ({self.passed[name]})"
            self.tell({"crash_point": crash_point})
            return crash_point == self.named

    def observe(self, progress: Progress) -> None:
        if progress.step in STEPS:
            self.pass_(STEPS[progress.step])


class CrashingFiles(ForgetfulDirectory):
    """Files whose operations are crash points: write, sync, rename and removal.

    A write has two, because it may be cut.
    """

    def __init__(self, root: Path, crash_points: CrashPoints, before_removal: Callable[[str], None]) -> None:
        super().__init__(root)
        self.crash_points = crash_points
        self.before_removal = before_removal

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        """Write a whole file."""
        with super().create(path) as file:
            yield file
            self.crash_points.pass_(f"unfinished: {describe_path(path)}")
        self.crash_points.pass_(f"written: {describe_path(path)}")

    def sync_directory(self, directory: str) -> None:
        super().sync_directory(directory)
        self.crash_points.pass_(f"synced: {describe_path(directory)}")

    def rename(self, source: str, target: str) -> bool:
        renamed = super().rename(source, target)
        self.crash_points.pass_(f"renamed: {describe_path(source)}")
        return renamed

    def remove(self, path: str) -> bool:
        self.before_removal(path)
        removed = super().remove(path)
        self.crash_points.pass_(f"removed: {describe_path(path)}")
        return removed


class CrashingMembership:
    """Member whose commit has two crash points: sent, and applied. The process dies without an answer at either."""

    def __init__(self, membership: ClientMembership, address: str, group: str, crash_points: CrashPoints) -> None:
        self.membership = membership
        self.address = address
        self.group = group
        self.crash_points = crash_points

    @property
    def name(self) -> str:
        return self.membership.name

    def poll(self, timeout_s: float) -> list[Event]:
        return self.membership.poll(timeout_s)

    def acknowledge_revocation(self) -> None:
        self.membership.acknowledge_revocation()

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        if self.crash_points.is_chosen("commit sent"):
            send_commit(self.address, self.group, offsets, writer)
            os.kill(os.getpid(), signal.Signals(self.crash_points.number or 0))
        answer = self.membership.commit(offsets, writer)
        if answer.outcome is CommitOutcome.ACCEPTED:
            self.crash_points.pass_("commit applied")
        return answer

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        return self.membership.committed(partitions)

    def rejoin_as_new_member(self) -> None:
        self.membership.rejoin_as_new_member()

    def close(self, *, leave: bool | None = None) -> None:
        self.membership.close(leave=leave)


class CrashingTransactions(LaneTransactions):
    """Transactions whose end has two crash points: the offset is added, and the transaction is committed."""

    def __init__(self, address: str, member: BlockingMember[Any], group: str, crash_points: CrashPoints) -> None:
        super().__init__(address, member, group)
        self.crash_points = crash_points

    def end(
        self,
        lender: TransactionLender,
        positions: Mapping[TopicPartition, OffsetAndMetadata],
        group: GroupMetadata,
    ) -> None:
        lender.send_offsets(positions, group)
        self.crash_points.pass_("offset added to the transaction")
        lender.commit()
        self.crash_points.pass_("transaction committed")


def send_commit(address: str, group: str, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> None:
    """Send a commit on a connection of its own; return when the kernel has it, without an answer."""
    host, _, port = address.rpartition(":")
    Wire(host, int(port)).send(commit_request(group, offsets, writer.identity), COMMIT_VERSION)


def describe_path(path: str) -> str:
    """Return lane and kind of a file or directory, without the ids in its path."""
    parent, _, name = path.rpartition("/")
    for kind, end in KINDS.items():
        if name.endswith(end) or (kind == "HEAD" and name.startswith(end)):
            return f"{kind} of {lane(parent)}"
    if ".unfinished-" in name:
        return f"what was half written of {lane(parent)}"
    directory = "staged files" if "/_staged/" in path else "state" if "/_tenure/" in path else "sink"
    return f"directory of {directory}{'' if directory == 'sink' else f' of {lane(path)}'}"


def lane(directory: str) -> str:
    """Return the name of a lane without those of group and topic, which differ in every case."""
    return f"lane {directory.rpartition('-')[2]}"
