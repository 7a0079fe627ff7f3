"""Rules 8.1 to 8.4 in cases that a real client reaches only after years: last epochs and old ids."""

import pytest

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.coordinator.transactions.answers import FreshIdWanted, Producer
from tenure.coordinator.transactions.commands import (
    Adding,
    AddPartitions,
    DescribeTransaction,
    EndTransaction,
    InitProducer,
    MarkersWritten,
)
from tenure.coordinator.transactions.effects import WriteMarkers
from tenure.coordinator.transactions.shard import TransactionsShard
from tenure.coordinator.transactions.state import TransactionSettings
from tenure.coordinator.transactions.states import State
from tenure.coordinator.transactions.transaction import changed
from tenure.protocol.coordinator_logs.transaction_state import TransactionLogKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import EPOCH_MAX, PartitionId, ProducerId, TopicName

NAME = "transfers"
WHERE = [(TopicName("accounts"), PartitionId(0))]
ASK = AskId(1)
FIRST_MS = 1_700_000_000_000


class UnhostedShard:
    """Shard without a host. Its records are applied at once, and its effects are kept."""

    def __init__(self, settings: TransactionSettings | None = None) -> None:
        self.shard = TransactionsShard(settings or TransactionSettings())
        self.now = Now(FIRST_MS, 0)
        self.effects: list[object] = []
        self._apply(self.shard.loaded(self.now))

    def _apply(self, result: CoordinatorResult) -> object:
        for record in result.records:
            self.shard.apply(record)
        self.effects += result.effects
        return result.replies[0][1] if result.replies else None

    def ask(self, command: object) -> object:
        return self._apply(self.shard.handle(ASK, command, self.now))

    def pass_ms(self, ms: int) -> None:
        self.now = Now(self.now.wall_ms + ms, self.now.tick_ms + ms)
        for command in self.shard.due(self.now):
            self.ask(command)

    def init(self, fresh_id: int | None = None, known: tuple[int, int] = (-1, -1), timeout_ms: int = 60_000) -> object:
        fresh = None if fresh_id is None else ProducerId(fresh_id)
        return self.ask(InitProducer(NAME, timeout_ms, ProducerId(known[0]), known[1], fresh))

    def add(self, producer_id: int, epoch: int, how: Adding = Adding.IMPLICIT) -> object:
        return self.ask(AddPartitions(NAME, ProducerId(producer_id), epoch, WHERE, how))

    def end(
        self, producer_id: int, epoch: int, *, commit: bool, fresh_id: int | None = None, client_version: int = 2
    ) -> object:
        fresh = None if fresh_id is None else ProducerId(fresh_id)
        return self.ask(EndTransaction(NAME, ProducerId(producer_id), epoch, commit, client_version, fresh))

    def write_markers(self) -> WriteMarkers:
        effect = self.effects.pop(0)
        assert isinstance(effect, WriteMarkers)
        self.ask(MarkersWritten(effect.transactional_id, effect.producer_id, effect.producer_epoch))
        return effect

    @property
    def state(self) -> State:
        found = self.ask(DescribeTransaction(NAME))
        return State(found.state.transaction_status)  # type: ignore[attr-defined]


@pytest.fixture
def unhosted() -> UnhostedShard:
    return UnhostedShard()


def code_of(answer: object) -> ErrorCode:
    assert isinstance(answer, Refused), answer
    return answer.error_code


def test_init_producer_id__unknown_transactional_id__new_producer_id_requested(unhosted: UnhostedShard) -> None:
    assert unhosted.init() == FreshIdWanted()
    assert unhosted.init(7) == Producer(ProducerId(7), 0)
    assert unhosted.init() == Producer(ProducerId(7), 1)


@pytest.mark.parametrize("epoch", [0, 2])
def test_init_producer_id__wrong_producer_epoch__refused_and_the_transaction_continues(
    unhosted: UnhostedShard, epoch: int
) -> None:
    unhosted.init(7)
    unhosted.init()
    unhosted.add(7, 1)
    assert code_of(unhosted.init(known=(7, epoch))) == ErrorCode.PRODUCER_FENCED
    assert unhosted.state is State.ONGOING
    assert unhosted.end(7, 1, commit=True) == Producer(ProducerId(7), 2)


def test_producer_epochs__exhausted__end_of_the_transaction_returns_a_new_producer_id(unhosted: UnhostedShard) -> None:
    unhosted.init(7)
    epoch = 0
    while epoch < EPOCH_MAX - 1:
        assert unhosted.add(7, epoch) == ACCEPTED
        answer = unhosted.end(7, epoch, commit=True)
        assert isinstance(answer, Producer)
        epoch = answer.producer_epoch
        unhosted.write_markers()
    assert unhosted.add(7, epoch) == ACCEPTED
    assert unhosted.end(7, epoch, commit=True) == FreshIdWanted()
    assert unhosted.end(7, epoch, commit=True, fresh_id=8) == Producer(ProducerId(8), 0)
    assert unhosted.write_markers().producer_epoch == EPOCH_MAX
    assert unhosted.end(7, epoch, commit=True, fresh_id=9) == Producer(ProducerId(8), 0)  # asked again
    assert unhosted.add(8, 0) == ACCEPTED
    assert code_of(unhosted.add(7, epoch)) == ErrorCode.INVALID_PRODUCER_ID_MAPPING


@pytest.mark.parametrize("is_commit", [True, False])
@pytest.mark.parametrize("id_and_epoch", [(7, 0), (7, 1), (7, 2), (8, 0)])
def test_end_txn__markers_of_the_last_transaction_not_written_yet__concurrent_transactions(
    unhosted: UnhostedShard, id_and_epoch: tuple[int, int], is_commit: bool
) -> None:
    """Refuse the end with a temporary error: a client must not be fenced by its own ending transaction (rule 8.4)."""
    unhosted.init(7)
    unhosted.add(7, 0)
    unhosted.end(7, 0, commit=True)
    assert code_of(unhosted.end(*id_and_epoch, commit=is_commit)) == ErrorCode.CONCURRENT_TRANSACTIONS
    unhosted.write_markers()
    assert unhosted.end(7, 1, commit=False) == Producer(ProducerId(7), 2)


@pytest.mark.parametrize("is_commit", [True, False])
def test_end_txn__transaction_version_1_and_wrong_producer_id_or_epoch__refused(
    unhosted: UnhostedShard, is_commit: bool
) -> None:
    unhosted.init(7)
    unhosted.add(7, 0)
    unhosted.end(7, 0, commit=True, client_version=1)
    assert code_of(unhosted.end(7, 0, commit=is_commit, client_version=1)) == ErrorCode.CONCURRENT_TRANSACTIONS
    assert code_of(unhosted.end(7, 1, commit=is_commit, client_version=1)) == ErrorCode.PRODUCER_FENCED
    assert code_of(unhosted.end(8, 0, commit=is_commit, client_version=1)) == ErrorCode.INVALID_PRODUCER_ID_MAPPING


def test_transaction_timeout__exceeded__transaction_aborted_and_its_producer_fenced(unhosted: UnhostedShard) -> None:
    unhosted.init(7, timeout_ms=5_000)
    unhosted.add(7, 0)
    unhosted.pass_ms(4_999)
    assert unhosted.state is State.ONGOING
    unhosted.pass_ms(1)
    assert unhosted.state is State.PREPARE_ABORT
    effect = unhosted.write_markers()
    assert (effect.producer_epoch, effect.is_commit, list(effect.partitions)) == (1, False, WHERE)
    assert unhosted.state is State.COMPLETE_ABORT
    assert code_of(unhosted.end(7, 0, commit=True)) in (ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_TXN_STATE)
    assert code_of(unhosted.add(7, 0)) == ErrorCode.PRODUCER_FENCED


@pytest.mark.parametrize("known", [(7, EPOCH_MAX - 1), (-1, -1)])
def test_transaction_timeout__in_the_last_but_one_epoch__no_client_gets_the_last_epoch(
    unhosted: UnhostedShard, known: tuple[int, int]
) -> None:
    """Give the last epoch to no client: in it no transaction could ever be ended."""
    unhosted.init(7)
    old = unhosted.ask(DescribeTransaction(NAME)).state  # type: ignore[attr-defined]
    record = changed(old, State.COMPLETE_COMMIT, FIRST_MS, producer_epoch=EPOCH_MAX - 1)
    unhosted.shard.apply(LogRecord(TransactionLogKey(NAME), record))
    assert unhosted.add(7, EPOCH_MAX - 1) == ACCEPTED
    unhosted.pass_ms(60_000)
    assert unhosted.write_markers().producer_epoch == EPOCH_MAX
    for epoch in (EPOCH_MAX - 1, EPOCH_MAX):
        assert code_of(unhosted.end(7, epoch, commit=False, fresh_id=9)) == ErrorCode.PRODUCER_FENCED
        assert code_of(unhosted.add(7, epoch)) == ErrorCode.PRODUCER_FENCED
    assert unhosted.init(known=known) == FreshIdWanted()
    assert unhosted.init(8, known=known) == Producer(ProducerId(8), 0)
    assert unhosted.add(8, 0) == ACCEPTED


def test_transaction_timeout__transaction_ended_in_time__nothing_happens(unhosted: UnhostedShard) -> None:
    unhosted.init(7, timeout_ms=5_000)
    unhosted.add(7, 0)
    unhosted.end(7, 0, commit=True)
    unhosted.write_markers()
    unhosted.pass_ms(60_000)
    assert unhosted.state is State.COMPLETE_COMMIT
    assert unhosted.effects == []


def test_markers_written__transaction_is_complete_already__ignored(unhosted: UnhostedShard) -> None:
    unhosted.init(7)
    unhosted.add(7, 0)
    unhosted.end(7, 0, commit=True)
    effect = unhosted.write_markers()
    again = MarkersWritten(NAME, effect.producer_id, effect.producer_epoch)
    assert unhosted.ask(again) is None
    assert unhosted.add(7, 1) == ACCEPTED
    unhosted.ask(again)
    assert unhosted.state is State.ONGOING


def test_verify_partition__not_added_to_the_transaction__transaction_abortable(unhosted: UnhostedShard) -> None:
    unhosted.init(7)
    assert code_of(unhosted.add(7, 0, Adding.VERIFY)) == ErrorCode.TRANSACTION_ABORTABLE
    assert code_of(unhosted.add(7, 0, Adding.VERIFY_FOR_OLD_CLIENT)) == ErrorCode.INVALID_TXN_STATE
    unhosted.add(7, 0, Adding.EXPLICIT)
    assert unhosted.add(7, 0, Adding.VERIFY) == ACCEPTED


def test_expiry_of_transactional_ids__unused_or_in_a_transaction__only_unused_one_removed() -> None:
    unhosted = UnhostedShard(
        TransactionSettings(transactional_id_expiration_ms=10_000, transaction_max_timeout_ms=100_000_000)
    )
    unhosted.init(7, timeout_ms=90_000_000)
    unhosted.add(7, 0)
    unhosted.pass_ms(3_600_000)
    assert unhosted.state is State.ONGOING
    unhosted.end(7, 0, commit=True)
    unhosted.write_markers()
    unhosted.pass_ms(3_600_000)
    assert code_of(unhosted.ask(DescribeTransaction(NAME))) == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND


def test_load__log_with_unfinished_transactions__decisions_completed_and_timeouts_continue(
    unhosted: UnhostedShard,
) -> None:
    unhosted.init(7, timeout_ms=5_000)
    unhosted.add(7, 0)
    records = unhosted.shard.digest()
    again = UnhostedShard()
    for transactional_id, (value, _) in records.items():  # type: ignore[attr-defined]
        again.shard.apply(LogRecord(TransactionLogKey(transactional_id), value))
    again.now = Now(FIRST_MS + 3_000, 100_000)
    again._apply(again.shard.loaded(again.now))
    again.pass_ms(1_999)
    assert again.state is State.ONGOING
    again.pass_ms(1)
    assert again.state is State.PREPARE_ABORT
    again.effects.clear()
    again._apply(again.shard.loaded(again.now))
    assert isinstance(again.effects[0], WriteMarkers)
