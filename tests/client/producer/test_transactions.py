"""Transactions of our producer: calls in each state, and scenarios at our broker (rule 8.7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from threading import current_thread

import pytest

from tenure.broker.server.connection import Connection
from tenure.client import OffsetAndMetadata, Producer, ProducerFenced, TopicPartition, TransactionAbortable
from tenure.client.configuration import ConfigurationError
from tenure.client.errors import (
    Closed,
    DeliveryFailed,
    InvalidTxnState,
    NotAssigned,
    RequestRefused,
    UnknownOutcome,
)
from tenure.client.net.addresses import parse_bootstrap_servers
from tenure.client.net.cluster import GROUP_KEY, TRANSACTION_KEY, Cluster
from tenure.client.net.event_loop import run
from tenure.client.producer.producer_settings import producer_settings
from tenure.client.producer.producer_transactions import ProducerTransactions, TransactionState
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.values import GroupMetadata, OpenTransaction
from tenure.protocol.codec import decode
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import decode_request_header, encode_response
from tenure.protocol.messages import Coordinator, FindCoordinatorRequest, FindCoordinatorResponse
from tenure.testing import Broker
from tenure.testing.faults import Fault, FaultyDispatcher
from tests.client.producer import transactional_scenarios as scenarios
from tests.client.producer.transactional_scenarios import begun, committed, patience, producer_of, topic_of, written
from tests.serving import Serving, serving

WRITER = OpenTransaction("id", 7, 0, 2)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = ("group.consumer.min.heartbeat.interval.ms=100", "group.consumer.heartbeat.interval.ms=100")
    with serving(
        tmp_path_factory.mktemp("transactions"), "transaction.state.log.num.partitions=3", *settings
    ) as broker:
        yield broker


# --- states -----------------------------------------------------------------------------------------------------------


def transactions_in(state: TransactionState) -> ProducerTransactions:
    transactions = ProducerTransactions("id")
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: transactions.become_ready(WRITER),
        transactions.begin,
        lambda: transactions.become_abortable("a batch."),
        transactions.become_aborting,
    ]
    if state is TransactionState.COMMITTING:
        steps = [*steps[:3], transactions.become_committing]
    if state is TransactionState.FATAL:
        steps = [*steps[:3], lambda: transactions.fenced(ErrorCode.PRODUCER_FENCED)]
    for step in steps:
        step()
        if transactions.state is state:
            return transactions
    raise AssertionError(state)


CALLS: dict[str, Callable[[ProducerTransactions], object]] = {
    "init": lambda transactions: transactions.check_initialize(),
    "begin": lambda transactions: transactions.begin(),
    "send": lambda transactions: transactions.check_write("send()"),
    "commit": lambda transactions: transactions.become_committing(),
    "abort": lambda transactions: transactions.become_aborting(),
}
ALLOWED = {
    TransactionState.UNINITIALIZED: {"init"},
    TransactionState.READY: {"begin"},
    TransactionState.IN_TRANSACTION: {"send", "commit", "abort"},
    TransactionState.COMMITTING: {"commit", "abort"},
    TransactionState.ABORTING: {"abort"},
    TransactionState.ABORTABLE: {"abort"},
    TransactionState.FATAL: set(),
}
REFUSALS = {TransactionState.ABORTABLE: TransactionAbortable, TransactionState.FATAL: ProducerFenced}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("state", TransactionState, ids=lambda state: state.name.lower())
def test_transactional_method__called_in_each_state__allowed_or_refused(state: TransactionState, call: str) -> None:
    transactions = transactions_in(state)
    if call in ALLOWED[state]:
        CALLS[call](transactions)
        return
    with pytest.raises(REFUSALS.get(state, InvalidTxnState)):
        CALLS[call](transactions)
    assert transactions.state is state


def test_abort__commit_request_was_sent__refused() -> None:
    transactions = transactions_in(TransactionState.COMMITTING)
    transactions.mark_decided()
    with pytest.raises(InvalidTxnState, match="only commit_transaction\\(\\) may be called again"):
        transactions.become_aborting()
    transactions.become_committing()


def test_abort__commit_request_was_refused__allowed() -> None:
    transactions = transactions_in(TransactionState.COMMITTING)
    transactions.mark_decided()
    transactions.become_abortable("it was refused.", ErrorCode.TRANSACTION_ABORTABLE)
    transactions.become_aborting()
    assert transactions.needs_epoch
    transactions.become_ready(WRITER)
    assert (transactions.state, transactions.needs_epoch) == (TransactionState.READY, False)


def test_transaction_failure__second_failure__error_has_the_first_reason() -> None:
    transactions = transactions_in(TransactionState.IN_TRANSACTION)
    first = transactions.become_abortable("one.")
    assert transactions.become_abortable("two.") is first
    with pytest.raises(TransactionAbortable, match="one"):
        transactions.check_write("send()")


def test_lent_transaction__commit_or_abort_by_a_borrower__refused() -> None:
    transactions = ProducerTransactions.within(WRITER)
    transactions.check_write("send()")
    for end in (transactions.become_committing, transactions.become_aborting):
        with pytest.raises(InvalidTxnState, match="its TransactionLender ends it"):
            end()


@pytest.mark.parametrize("lowered", [{"acks": 1}, {"enable.idempotence": False}])
def test_producer_settings__transactional_id_without_idempotence__refused(lowered: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match=r"transactions need 'enable\.idempotence'"):
        producer_settings({"bootstrap.servers": "localhost:9092", "transactional.id": "t", **lowered})


def test_producer_settings__transactional_id_and_lent_transaction__refused() -> None:
    with pytest.raises(ConfigurationError, match=r"'transactional.id' and `within` exclude each other"):
        Producer({"bootstrap.servers": "localhost:9092", "transactional.id": "t"}, within=WRITER)


# --- on our broker ----------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("group_protocol", ["classic", "consumer"])
def test_consume_transform_produce__every_second_transaction_aborted__each_record_once(
    broker: Serving, group_protocol: str
) -> None:
    scenarios.transform_with_aborts(broker.address, group_protocol)


@pytest.mark.parametrize(
    "scenario",
    [
        scenarios.fenced_by_transactional_id,
        scenarios.fenced_while_writing,
        scenarios.fenced_by_generation,
        scenarios.fenced_by_member_epoch,
        scenarios.fenced_by_instance_id,
        scenarios.fenced_by_instance_id_in_a_consumer_group,
        scenarios.killed_within_a_transaction,
        scenarios.reads_up_to_the_last_stable_offset,
        scenarios.continues_after_a_refused_batch,
        scenarios.closed_within_a_transaction,
        scenarios.writes_in_lent_transactions,
        scenarios.writes_between_a_commit_and_its_marker,
    ],
    ids=lambda scenario: scenario.__name__,
)
def test_transactions__each_scenario__records_and_errors_that_the_scenario_expects(
    broker: Serving, scenario: Callable[[str], None]
) -> None:
    scenario(broker.address)


def test_transaction__exceeds_its_timeout__aborted_and_the_producer_continues() -> None:
    with Broker() as broker:
        broker.stop_time()
        scenarios.exceeds_its_timeout_and_continues(
            broker.address, lambda: broker.advance(scenarios.TOO_SLOW_MS / 1_000 + 0.001)
        )


def test_transactional_method__no_transactional_id__refused_with_the_remedy(broker: Serving) -> None:
    with Producer(broker.address) as producer, pytest.raises(InvalidTxnState, match=r"set 'transactional\.id'"):
        producer.begin_transaction()


def test_init_transactions__timeout_above_the_brokers_maximum__error_names_both_keys(broker: Serving) -> None:
    with producer_of(broker.address, "slow", transaction_timeout_ms=900_001) as producer:
        with pytest.raises(
            RequestRefused, match=r"'transaction\.timeout\.ms' \(900001\).*transaction\.max\.timeout\.ms"
        ):
            producer.init_transactions()
        with pytest.raises(RequestRefused, match="900001"):
            producer.begin_transaction()


def test_abort__records_queued_but_not_sent__discarded_and_reported(broker: Serving) -> None:
    topic = topic_of(broker.address)
    told: list[tuple[object, str]] = []
    with begun(broker.address, topic, linger_ms=30_000) as producer:
        producer.send(topic, None, b"never", on_delivery=lambda found: told.append((found, current_thread().name)))
        producer.abort_transaction()
        ((failure, thread),) = told
        assert thread == "tenure-client"
        assert isinstance(failure, DeliveryFailed)
        assert "was aborted" in str(failure)
    assert written(broker.address, topic, "read_uncommitted") == []


def test_empty_transaction__committed_or_aborted__no_request_sent(broker: Serving) -> None:
    topic = topic_of(broker.address)
    with producer_of(broker.address, topic) as producer:
        producer.init_transactions()
        for end in (producer.commit_transaction, producer.abort_transaction, producer.commit_transaction):
            producer.begin_transaction()
            producer.send_offsets_to_transaction({}, GroupMetadata(topic))
            end()
        producer.begin_transaction()
        producer.send(topic, None, b"v")
        producer.commit_transaction()
    assert written(broker.address, topic) == [b"v"]


def test_group_metadata__before_the_first_assignment__error(broker: Serving) -> None:
    """Raise an error: an identity without a member would pass every fence (rule 4.3, row 2)."""
    topic = topic_of(broker.address)
    with scenarios.member_of(broker.address, topic, topic, "classic") as consumer:
        with pytest.raises(NotAssigned, match="has no assignment yet"):
            consumer.group_metadata()
        assert scenarios.poll_until_assigned(consumer).identity == consumer.identity
        consumer.unsubscribe()
        with pytest.raises(NotAssigned, match="has no assignment yet"):
            consumer.group_metadata()
    with pytest.raises(Closed):
        consumer.group_metadata()


def test_group_metadata__rebalance_since_the_last_poll__offsets_of_the_old_identity_refused(broker: Serving) -> None:
    """Refuse the old identity: polled partitions may have another owner by now."""
    topic = topic_of(broker.address)
    keys = {"max_poll_interval_ms": 4_000, "partition_assignment_strategy": "range"}
    with (
        producer_of(broker.address, topic) as producer,
        scenarios.member_of(broker.address, topic, topic, "classic", **keys) as first,
    ):
        producer.init_transactions()
        stale = scenarios.poll_until_assigned(first, partitions=2)
        with scenarios.member_of(broker.address, topic, topic, "classic") as second:
            scenarios.poll_until_assigned(second)
            assert first.identity != stale.identity
            assert first.group_metadata() == stale
            given = min(second.assignment())
            refused = scenarios.refused_offsets(producer, given, first.group_metadata())
            assert refused in (ErrorCode.ILLEGAL_GENERATION, ErrorCode.UNKNOWN_MEMBER_ID)


@pytest.mark.long
def test_commit__no_answer_in_time__outcome_unknown_and_commit_can_be_repeated(tmp_path: Path) -> None:
    with serving(tmp_path, "transaction.state.log.num.partitions=1") as broker:
        topic = topic_of(broker.address, 1)
        producer = begun(broker.address, topic, max_block_ms=10_000, request_timeout_ms=1_000)
        producer.send(topic, None, b"v")
        producer.flush()
        old = transactional_id_of_version_1(broker.address, f"{topic}-old")
        begin_with_offsets(old, topic)
        old.transactions.become_committing()
        broker.signal(SIGSTOP)
        try:
            with ThreadPoolExecutor(1) as threads:
                ending = threads.submit(lambda: run(old.end()))
                with pytest.raises(UnknownOutcome, match=r"call commit_transaction\(\) again"):
                    producer.commit_transaction()
                with pytest.raises(UnknownOutcome):
                    ending.result(scenarios.PATIENCE_S)
        finally:
            broker.signal(SIGCONT)
        with pytest.raises(InvalidTxnState):
            producer.abort_transaction()
        until_known(producer.commit_transaction)
        until_known(lambda: run(old.end()))
        assert old.transactions.writer is not None
        assert old.transactions.writer.producer_epoch == 1  # a late end must not end the next transaction
        assert written(broker.address, topic) == [b"v"]
        assert committed(broker.address, topic, topic) == {0: 1}
        producer.close()
        goes_on_over_a_crash(broker, topic)


def until_known(end: Callable[[], None]) -> None:
    for _ in patience("the broker answers again"):
        with suppress(UnknownOutcome):
            end()
            break


def transactional_id_of_version_1(address: str, transactional_id: str, patience_ms: int = 10_000) -> TransactionalId:
    """Return a transactional id of version 1 that is initialized on any broker."""

    async def made() -> TransactionalId:
        cluster = Cluster(
            parse_bootstrap_servers(address), client_id="old", request_timeout_ms=1_000, patience_ms=patience_ms
        )
        transactions = ProducerTransactions(transactional_id)
        transactional = TransactionalId(cluster, transactions, transaction_timeout_ms=60_000, newest_version=1)
        await transactional.initialize()
        return transactional

    return run(made())


def begin_with_offsets(transactional: TransactionalId, topic: str, offset: int = 1) -> None:
    transactional.transactions.begin()
    offsets = {TopicPartition(topic, 0): OffsetAndMetadata(offset)}
    run(transactional.send_offsets(offsets, GroupMetadata(topic)))


def goes_on_over_a_crash(broker: Serving, topic: str) -> None:
    """Kill the broker in the middle of a transaction, which the producer then commits."""
    with begun(broker.address, topic) as producer:
        producer.send(topic, None, b"w")
        producer.flush()
        broker.kill()
        broker.start()
        producer.send(topic, None, b"x")
        offsets = {TopicPartition(topic, 0): OffsetAndMetadata(2)}
        producer.send_offsets_to_transaction(offsets, GroupMetadata(topic))
        producer.commit_transaction()
    assert written(broker.address, topic) == [b"v", b"w", b"x"]
    assert committed(broker.address, topic, topic) == {0: 2}


def refuse_coordinators(broker: Broker, key_type: int, error_code: ErrorCode, times: int = 10_000) -> Fault:
    """Answer the next requests for a coordinator with an error."""

    def refused(dispatcher: FaultyDispatcher, connection: Connection, frame: bytes) -> None:
        header, at = decode_request_header(frame)
        request = decode(FindCoordinatorRequest, header.api_version, frame, at)
        if request.key_type != key_type:
            dispatcher.begin_after(0, connection, frame)
            return
        found = [Coordinator(key, -1, "", -1, error_code) for key in request.coordinator_keys]
        answer = FindCoordinatorResponse(coordinators=found)
        connection.respond([encode_response(header.api_key, header.api_version, header.correlation_id, answer)])

    return broker._add("FindCoordinator", None, times, refused)


def test_commit__answer_lost_and_repeated_request_not_authorized__error_says_possibly_committed() -> None:
    with Broker({"transaction.state.log.num.partitions": 1}) as broker:
        broker.create_topic("t")
        with begun(broker.address, "t") as producer:
            producer.send("t", None, b"v")
            producer.flush()
            broker.drop_response("EndTxn")
            refuse_coordinators(broker, TRANSACTION_KEY, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)
            with pytest.raises(
                RequestRefused, match=r"Grant WRITE on the transactional id .*may have happened"
            ) as told:
                producer.commit_transaction()
            for call in (producer.commit_transaction, producer.abort_transaction, producer.begin_transaction):
                with pytest.raises(RequestRefused) as again:
                    call()
                assert again.value is told.value
        assert written(broker.address, "t") == [b"v"]


def test_send_offsets__group_not_authorized__transaction_can_be_aborted() -> None:
    with Broker({"transaction.state.log.num.partitions": 1}) as broker:
        broker.create_topic("t")
        with producer_of(broker.address, "t") as producer:
            producer.init_transactions()
            refuse_coordinators(broker, GROUP_KEY, ErrorCode.GROUP_AUTHORIZATION_FAILED)
            refused = scenarios.refused_offsets(producer, TopicPartition("t", 0), GroupMetadata("g"))
            assert refused is ErrorCode.GROUP_AUTHORIZATION_FAILED


# --- transactions of version 1 ----------------------------------------------------------------------------------------


def test_transaction_version_1__one_of_four_transactions_fails__epoch_raised_after_the_failure(broker: Serving) -> None:
    topic = topic_of(broker.address)
    transactional = transactional_id_of_version_1(broker.address, topic)
    transactions = transactional.transactions
    writers: list[OpenTransaction] = []
    for number, fails in enumerate((False, False, True, False)):
        begin_with_offsets(transactional, topic, number)
        assert transactions.writer is not None
        writers.append(transactions.writer)
        if not number:
            with Producer(broker.address, within=transactions.writer) as producer:
                producer.send(topic, None, b"%d" % number)
                producer.send(topic, None, b"%d" % number, 1)
        if fails:
            transactions.become_abortable("a batch.")
            transactions.become_aborting()
        else:
            transactions.become_committing()
        run(transactional.end())
    epochs = [writer.producer_epoch for writer in writers]
    assert [after - before for before, after in pairwise(epochs)] == [0, 0, 1]
    assert {writer.transaction_version for writer in writers} == {1}
    assert written(broker.address, topic) == [b"0", b"0"]
    assert committed(broker.address, topic, topic) == {0: 3}


def test_transaction_version_1__add_partitions_unanswered__nothing_written_to_the_partitions() -> None:
    """Write to no partition before the second request, for all waiting partitions, is answered."""
    with Broker({"transaction.state.log.num.partitions": 1}) as broker:
        transactional = transactional_id_of_version_1(broker.address, "t", patience_ms=300)
        transactional.transactions.begin()
        lost = broker.drop_request("AddPartitionsToTxn", times=10_000)

        async def writers() -> list[OpenTransaction | BaseException]:
            asked = [transactional.add_partition(TopicPartition("t", partition)) for partition in range(4)]
            return await asyncio.gather(*asked, return_exceptions=True)

        assert [type(found) for found in run(writers())] == [TransactionAbortable] * 4
        assert lost.happened


@pytest.mark.long
def test_transaction_version_1__commit_interrupted__next_transaction_has_a_new_epoch() -> None:
    with Broker({"transaction.state.log.num.partitions": 1}) as broker:
        broker.create_topic("t")
        transactional = transactional_id_of_version_1(broker.address, "t")
        begin_with_offsets(transactional, "t")
        transactional.transactions.become_committing()
        lost = broker.delay("EndTxn", 1.0)

        async def interrupted() -> None:
            ending = asyncio.ensure_future(transactional.end())
            while not lost.happened:
                await asyncio.sleep(0.01)
            ending.cancel()
            await asyncio.gather(ending, return_exceptions=True)

        run(interrupted())
        until_known(lambda: run(transactional.end()))
        assert transactional.transactions.writer is not None
        assert transactional.transactions.writer.producer_epoch == 1
        assert broker.committed("t") == {("t", 0): 1}
