"""Work of a client process on its partitions: it processes records and commits.

The work is either that of a pipeline: it is planned under the present identity, takes some time, and is committed under
the same identity, even if the process was removed or replaced in between. Or it is that of a plain consumer, which
commits under the identity at the end. Every commit has a unique name, which identifies its sender.
"""

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tenure.client.queries.group_changes import commit_request
from tenure.client.values import (
    NO_IDENTITY,
    Assigned,
    Event,
    Identity,
    Lost,
    OffsetAndMetadata,
    Revoked,
    TopicPartition,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    OffsetCommitResponse,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)
from tenure.protocol.special_values import CONSUMER
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId, TopicName
from tests.simulation.network import Network

if TYPE_CHECKING:
    from tests.simulation.process import Process

CHECKS_OWNERSHIP: Final = 0.8
"""Probability that a plain consumer leaves lost partitions out of a commit; otherwise the fence has to refuse them."""
COMMITS_BEFORE_RELEASE: Final = 0.5
LATE_COMMIT_SHARE: Final = 0.1
"""Probability that a hanging task ends after all and commits under its planned identity."""
TASKS_THAT_HANG: Final = 20
REJOINS_TO_LEARN: Final = 0.3
"""Probability that a process without an answer to a commit joins again under a new id, to learn the outcome."""


class Work:
    def __init__(self, process: "Process", network: Network) -> None:
        self.topic_ids: dict[TopicPartition, TopicId] = {}
        """Topic ids of the assigned partitions: a topic that was deleted and created again has the same name."""
        self._process: Final = process
        self._network: Final = network
        self._random: Final = network.random
        self._commits = 0
        self._positions: Final[dict[TopicPartition, int]] = {}
        self._hanging: Final[deque[tuple[tuple[TopicPartition, ...], Identity]]] = deque(maxlen=TASKS_THAT_HANG)

    def handle_event(self, event: Event) -> None:
        match event:
            case Assigned():
                if event.added:
                    ids = self._process.membership.topic_ids
                    self.topic_ids.update({added: ids[added.topic] for added in event.added if added.topic in ids})
                    self._fetch(event.added)
            case Revoked():
                if self._random.random() < COMMITS_BEFORE_RELEASE:
                    self._commit(self._done(event.partitions), self._process.identity)
                takes_ms = self._random.randrange(1, self._process.habits.release_delay_ms + 1)
                self._network.agenda.after(takes_ms, self._acknowledge_revocation)
            case Lost():
                for partition in event.partitions:
                    self._positions.pop(partition, None)

    def _acknowledge_revocation(self) -> None:
        self._process.tell(self._process.membership.acknowledge_revocation)

    def _fetch(self, partitions: Iterable[TopicPartition]) -> None:
        by_topic: dict[str, list[PartitionId]] = {}
        for topic, partition in partitions:
            by_topic.setdefault(topic, []).append(PartitionId(partition))
        topics = [OffsetFetchRequestTopics(name=TopicName(name), partition_indexes=by_topic[name]) for name in by_topic]
        who = self._process.identity if self._process.settings.group_protocol == CONSUMER else NO_IDENTITY
        group = OffsetFetchRequestGroup(
            group_id=GroupId(self._process.settings.group_id),
            topics=topics,
            member_id=MemberId(who.member_id) if who.member_id else None,
            member_epoch=who.generation_id,
        )
        request = OffsetFetchRequest(groups=[group], require_stable=True)
        self._process.send(request, self._fetched)

    def _fetched(self, response: Message | None) -> None:
        if isinstance(response, OffsetFetchResponse):
            for topic in response.groups[0].topics:
                for found in topic.partitions:
                    partition = TopicPartition(topic.name, found.partition_index)
                    self._positions[partition] = max(found.committed_offset, 0)

    def schedule_work(self) -> None:
        self._network.agenda.after(1 + self._random.randrange(2 * self._process.habits.work_every_ms), self._begin_work)

    def _begin_work(self) -> None:
        """Begin work on some of its partitions, under the present identity."""
        if self._process.waits(self._begin_work):
            return
        self.schedule_work()
        self._process.poll()
        if self._hanging and self._random.random() < LATE_COMMIT_SHARE:
            late, identity = self._random.choice(self._hanging)
            self._commit(self._done(late), identity)
        owned = self._process.membership.partitions
        if not owned or not self._process.membership.may_commit:
            return
        first = self._random.randrange(len(owned))
        work = owned[first : first + 1 + self._random.randrange(3)]
        planned = self._process.identity if self._random.random() < 0.5 else None
        takes_ms = self._random.randrange(self._process.habits.work_takes_ms)
        self._network.agenda.after(takes_ms, lambda: self._end_work(work, planned))

    def _end_work(self, work: tuple[TopicPartition, ...], planned: Identity | None) -> None:
        if self._process.waits(lambda: self._end_work(work, planned)):
            return
        if planned is not None:
            self._hanging.append((work, planned))
        elif self._random.random() < CHECKS_OWNERSHIP:
            owned = set(self._process.membership.partitions)
            work = tuple(partition for partition in work if partition in owned)
        self._commit(self._done(work), planned or self._process.identity)

    def _done(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata]:
        self._commits += 1
        done = {}
        for partition in partitions:
            position = self._positions.get(partition, 0) + self._random.randint(1, 100)
            self._positions[partition] = position
            done[partition] = OffsetAndMetadata(position, f"{self._process.name}/{self._commits}")
        return done

    def _commit(self, offsets: dict[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        if not offsets or not identity.member_id:
            return
        request = commit_request(self._process.settings.group_id, offsets, identity)
        self._network.trace.note(self._process.name, "commits", sorted(offsets), "as", identity)
        self._process.send(request, lambda response: self._committed(response, identity))

    def _committed(self, response: Message | None, identity: Identity) -> None:
        if isinstance(response, OffsetCommitResponse):
            codes = [partition.error_code for topic in response.topics for partition in topic.partitions]
            refused = [ErrorCode(code) for code in codes if code]
            if refused:
                self._process.tell(lambda now_ms: self._process.membership.commit_refused(refused[0], identity, now_ms))
        elif not self._process.is_gone and self._random.random() < REJOINS_TO_LEARN:
            self._network.trace.did["rejoins as a new member"] += 1
            self._process.rejoin_as_new_member()
