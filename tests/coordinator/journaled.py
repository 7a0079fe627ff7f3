"""Scenarios that collect the entries of the rebalance journal."""

from typing import Any

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.journal.entries import RebalanceEnded
from tenure.coordinator.groups.journal.rebalance import Tally
from tenure.coordinator.groups.journal.shard_journal import ShardJournal
from tenure.coordinator.groups.shard import RecordListener
from tenure.protocol.consumer_protocol import Assignment, TopicPartition, encode_assignment
from tests.coordinator.scenario import ScenarioRunner
from tests.coordinator.virtual_host import VirtualHost


class JournaledHost(VirtualHost):
    """Virtual host whose shard reports to a journal. A fail-over begins a new journal, as in the broker."""

    entries: list[Any]
    tally: Tally

    def new_listener(self) -> RecordListener:
        if not hasattr(self, "entries"):
            self.entries, self.tally = [], Tally()
        journal = ShardJournal(self.entries.append, self.tally)
        return lambda group, record: journal.handle(group, record, self.now.wall_ms)


class JournaledScenario(ScenarioRunner):
    """Runner of scenario commands; `run_lines` returns the journal entries since the last call."""

    def __init__(self, **settings: str) -> None:
        super().__init__(settings)
        self.host: JournaledHost = JournaledHost(self.host.settings)

    def run_lines(self, *lines: str) -> list[Any]:
        for line in lines:
            self.perform(line)
        entries, self.host.entries[:] = list(self.host.entries), []
        for entry in entries:
            entry.cause = self._named(entry.cause)
        return entries

    def _named(self, words: str) -> str:
        for member_id, name in self.names.items():
            words = words.replace(member_id, name)
        return words

    def assign(self, generation: int, leader: str, **partitions: list[int]) -> None:
        """Send the leader's sync; `partitions` are those of one topic, by member."""
        assignments = {self.ids[name]: assignment(*numbers) for name, numbers in partitions.items()}
        sync = commands.SyncGroup("g", self.ids[leader], None, generation, "consumer", "range", assignments)
        self.client = leader
        self.ask(sync)
        self.happened()


def assignment(*partitions: int) -> bytes:
    return encode_assignment(Assignment([TopicPartition("t", list(partitions))] if partitions else [], b""))


def ended(entries: list[Any]) -> RebalanceEnded:
    (one,) = [entry for entry in entries if isinstance(entry, RebalanceEnded)]
    return one


def names(runner: JournaledScenario, parties: Any) -> list[str]:
    return [runner.names[changed_member.member_id] for changed_member in parties]
