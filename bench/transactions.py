"""Transactions per second: ten records and one offset each, by one producer and by twenty.

Clients with KIP-890, such as Java's, send three requests per transaction. Clients before KIP-890, such as librdkafka,
add the partitions and the group beforehand, so they send five. The generator (`transaction_load`) is the same for every
broker. Like Apache Kafka, our broker writes into the page cache; with `fsync`, the default of our coordinators, every
answer waits for the disk.
"""

from __future__ import annotations

import struct
import time
from pathlib import Path

import psutil

from bench.brokers import SETTLED_S, Broker, create_topic, pid_of, tenure, wait
from bench.figures import Figure, Sample
from bench.load import QUICK_S, Rate, run
from bench.records import VALUE
from bench.sides import PEER, beside_kafka, brokers, rate_figure
from bench.transaction_load import ANSWER_AT, IDENTITY, PreparedProducer, Step, TransactionLoad
from tenure.protocol.apis import ApiKey
from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, MemberId, PartitionId, ProducerId, TopicName
from tests.wire import Wire

PRODUCERS = (1, 20)
RECORDS = 10
"""Records of a transaction."""
TOPIC, PARTITIONS = TopicName("transacted"), 4
INIT_VERSION = 4
TRANSACTION_TIMEOUT_MS = 600_000
TRANSACTION_COORDINATOR = 1
JUST_STARTED = (ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.NOT_COORDINATOR)

OF_KIP_890 = {ApiKey.PRODUCE: 12, ApiKey.TXN_OFFSET_COMMIT: 5, ApiKey.END_TXN: 5}
BEFORE = {
    ApiKey.ADD_PARTITIONS_TO_TXN: 3,
    ApiKey.PRODUCE: 11,
    ApiKey.ADD_OFFSETS_TO_TXN: 3,
    ApiKey.TXN_OFFSET_COMMIT: 4,
    ApiKey.END_TXN: 4,
}
"""Requests of a transaction, in this order and these versions."""
CLIENTS = {"KIP-890": OF_KIP_890, "before KIP-890": BEFORE}

PLACEHOLDER = ProducerId(0x7E57_1DE4_7E57_1DE4), 0x1DE4
"""Placeholder in requests for the identity; no producer has it."""


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, seconds = (1, QUICK_S) if quick else (3, 5.0)
    loads = [(client, size) for client in CLIENTS for size in PRODUCERS]
    rates: dict[tuple[str, int], dict[str, list[Rate]]] = {load: {} for load in loads}
    used_ms: dict[tuple[str, int], dict[str, list[float]]] = {load: {} for load in loads}
    with brokers(directory, quick, tenure_coordinator_durability="os") as sides:
        for broker in sides.values():
            create_topic(broker, TOPIC, PARTITIONS)
        for number in range(rounds):
            for client, size in loads:
                for name, broker in sides.items():
                    rate, of_broker_ms = transact(broker, f"{client}-{number}-{size}", client, size, seconds)
                    rates[client, size].setdefault(name, []).append(rate)
                    used_ms[client, size].setdefault(name, []).append(of_broker_ms)
    figures: list[Figure] = []
    for client, size in loads:
        what = f"transactions/s, {size} producer{'s' * (size > 1)}, {client}"
        figures += beside_kafka(what, rates[client, size])
        figures += processor_times(f"... the broker's processor time for each, {client}", used_ms[client, size])
    return [*figures, synced(directory / "fsync", rounds, seconds)]


def processor_times(what: str, used_ms: dict[str, list[float]]) -> list[Figure]:
    theirs = Sample.of(used_ms[PEER])
    return [
        Figure(f"{what}, {name}", "ms", Sample.of(ours), peer=PEER, theirs=theirs)
        for name, ours in used_ms.items()
        if name != PEER
    ]


def synced(directory: Path, rounds: int, seconds: float) -> Figure:
    client, size = "KIP-890", PRODUCERS[-1]
    with tenure(directory) as ours:
        create_topic(ours, TOPIC, PARTITIONS)
        rates = [transact(ours, f"fsync-{number}", client, size, seconds)[0] for number in range(rounds)]
    return rate_figure(f"transactions/s, {size} producers, {client}, fsync", rates, [])


def transact(broker: Broker, name: str, client: str, producers: int, seconds: float) -> tuple[Rate, float]:
    """Return the rate, and the broker's processor time in ms per transaction, including the warm-up."""
    warm_up_s = min(3.0, seconds)
    offered = [producer(broker, f"{name}-{number}", number % PARTITIONS, client) for number in range(producers)]
    process = psutil.Process(pid_of(broker))
    before = process.cpu_times()
    rate = run(TransactionLoad(broker.host, broker.port, offered, warm_up_s, seconds), "bench.transaction_load")
    after = process.cpu_times()
    used_s = after.user + after.system - before.user - before.system
    return rate, 1e3 * used_s / (rate.per_second * (warm_up_s + seconds))


# --- requests of a producer -------------------------------------------------------------------------------------------


def producer(broker: Broker, transactional_id: str, partition: int, client: str) -> PreparedProducer:
    """Return a producer that has ended its first transaction, whose answers are the expected ones of the load."""
    versions = CLIENTS[client]
    with Wire(broker.host, broker.port) as wire:
        identity = identified(wire, transactional_id)
        messages = requests(transactional_id, PartitionId(partition))
        steps = [sent_step(wire, messages[key], version, identity) for key, version in versions.items()]
        if client == "KIP-890":
            return PreparedProducer(identity[0], identity[1] + 1, 0, steps, None)
        return PreparedProducer(*identity, RECORDS, steps, RECORDS)


def identified(wire: Wire, transactional_id: str) -> tuple[int, int]:
    """Return a producer with an id. Its coordinator is looked up first, which creates the topic of transactions."""
    deadline = time.monotonic() + SETTLED_S
    looked_up = FindCoordinatorRequest(key_type=TRANSACTION_COORDINATOR, coordinator_keys=[transactional_id])
    while wire.ask(looked_up, 4).coordinators[0].error_code:
        wait(deadline, "FindCoordinator")
    asked = InitProducerIdRequest(transactional_id, TRANSACTION_TIMEOUT_MS)
    while (answer := wire.ask(asked, INIT_VERSION)).error_code in JUST_STARTED:
        wait(deadline, "InitProducerId")
    assert answer.error_code == 0, f"InitProducerId: error {answer.error_code}"
    return answer.producer_id, answer.producer_epoch


def sent_step(wire: Wire, message: Message, version: int, identity: tuple[int, int]) -> Step:
    frame = encode_request(RequestHeader(ApiKey(message.KEY), version, 7, "bench"), message)
    identity_at = frame.index(IDENTITY.pack(*PLACEHOLDER))
    batch_at = None
    if isinstance(message, ProduceRequest):
        records = message.topic_data[0].partition_data[0].records
        assert records is not None
        batch_at = frame.index(records)
    step = Step(frame, identity_at, b"", batch_at)
    answer = wire.exchange(step.of(*identity, 0))
    return Step(frame, identity_at, expected_part(answer, message), batch_at)


def expected_part(answer: bytes, message: Message) -> bytes:
    """Return the answer up to the error code; the bytes after it change or do not matter."""
    if isinstance(message, EndTxnRequest | AddOffsetsToTxnRequest):
        end = struct.calcsize(">iibih")  # size, correlation id, no tags, throttle time, error code
    else:
        end = answer.index(TOPIC.encode()) + len(TOPIC) + struct.calcsize(">bih")  # one partition, index, error code
    assert answer[end - 2 : end] == b"\0\0", f"the first {type(message).__name__} is refused: {answer.hex()}"
    return answer[ANSWER_AT:end]


def requests(transactional_id: str, partition: PartitionId) -> dict[ApiKey, Message]:
    group_id = GroupId(f"group-of-{transactional_id}")
    return {
        ApiKey.ADD_PARTITIONS_TO_TXN: AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=transactional_id,
            v3_and_below_producer_id=PLACEHOLDER[0],
            v3_and_below_producer_epoch=PLACEHOLDER[1],
            v3_and_below_topics=[AddPartitionsToTxnTopic(TOPIC, [partition])],
        ),
        ApiKey.PRODUCE: ProduceRequest(
            transactional_id=transactional_id,
            acks=-1,
            timeout_ms=10_000,
            topic_data=[TopicProduceData(name=TOPIC, partition_data=[PartitionProduceData(partition, batch())])],
        ),
        ApiKey.ADD_OFFSETS_TO_TXN: AddOffsetsToTxnRequest(transactional_id, *PLACEHOLDER, group_id),
        ApiKey.TXN_OFFSET_COMMIT: TxnOffsetCommitRequest(
            transactional_id=transactional_id,
            group_id=group_id,
            producer_id=PLACEHOLDER[0],
            producer_epoch=PLACEHOLDER[1],
            member_id=MemberId(""),
            topics=[
                TxnOffsetCommitRequestTopic(
                    TOPIC, partitions=[TxnOffsetCommitRequestPartition(partition, 12_345, -1, "")]
                ),
            ],
        ),
        ApiKey.END_TXN: EndTxnRequest(transactional_id, *PLACEHOLDER, committed=True),
    }


def batch() -> bytes:
    now_ms = int(time.time() * 1000)
    return encode_batch(
        [Record(n, now_ms, b"key-%d" % n, VALUE) for n in range(RECORDS)],
        producer_id=PLACEHOLDER[0],
        producer_epoch=PLACEHOLDER[1],
        base_sequence=0,
        is_transactional=True,
    )
