"""Errors caused by users, brokers or damaged data: one sentence with cause and remedy; no offset is skipped."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any, Self

import pytest

from tenure.broker.handlers import api_versions
from tenure.client import ConfigurationError, Consumer, SubscriptionPattern, TopicPartition, read_arrow
from tenure.client.errors import Fenced, MembershipRefused, RequestRefused, UnsupportedByBroker
from tenure.protocol.apis import ApiKey
from tenure.protocol.batches import Batch, crc_of, read_batches
from tenure.protocol.frames import decode_request_header, encode_response
from tenure.protocol.messages import ApiVersion, ApiVersionsResponse
from tenure.testing import Broker

PATIENCE_S = 60.0
PLACE = TopicPartition("t", 0)


def config(address: str, **others: Any) -> dict[str, Any]:
    keys = {key.replace("_", "."): value for key, value in others.items()}
    return {
        "bootstrap.servers": address,
        "auto.offset.reset": "earliest",
        "heartbeat.interval.ms": 100,
        "fetch.max.wait.ms": 50,
        "enable.auto.commit": False,
        **keys,
    }


@contextmanager
def member(broker: Broker, **others: Any) -> Iterator[Consumer]:
    with Consumer(config(broker.address, group_id="g", **others)) as consumer:
        consumer.subscribe(["t"])
        yield consumer


def poll_until(consumer: Consumer, holds: Callable[[], Any]) -> None:
    give_up_at = monotonic() + PATIENCE_S
    while not holds():
        assert monotonic() < give_up_at
        consumer.poll(0.05)


def never() -> bool:
    return False


# --- groups -----------------------------------------------------------------------------------------------------------


def test_assignor__unknown__refused_before_anything_is_sent() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"'partition\.assignment\.strategy': must be .* \(range, roundrobin, .*-sticky\), not 'rnge'",
    ):
        Consumer(config("127.0.0.1:1", group_id="g", partition_assignment_strategy="rnge"))


@pytest.mark.parametrize(
    ("protocol", "key", "remedy"),
    [
        ("classic", "group_remote_assignor", "set 'group.protocol' to consumer"),
        ("consumer", "session_timeout_ms", "set the group's config 'consumer.session.timeout.ms' instead"),
        ("consumer", "partition_assignment_strategy", "set 'group.remote.assignor' to an assignor of the coordinator"),
    ],
)
def test_configuration_key__only_for_the_other_group_protocol__refused_with_the_remedy(
    protocol: str, key: str, remedy: str
) -> None:
    value = {"session_timeout_ms": 10_000}.get(key, "range")
    keys = {"bootstrap.servers": "127.0.0.1:1", "group.protocol": protocol, key.replace("_", "."): value}
    with pytest.raises(ConfigurationError, match=remedy):
        Consumer(keys)


def test_subscription_pattern__in_a_classic_group__refused_with_the_remedy() -> None:
    with (
        Consumer({"bootstrap.servers": "127.0.0.1:1", "group.id": "g"}) as consumer,
        pytest.raises(ConfigurationError, match=r"set that, or subscribe with a compiled pattern of Python's re"),
    ):
        consumer.subscribe(SubscriptionPattern("t.*"))


def test_assignors__none_in_common_with_the_group__error_with_the_remedy(kafka_broker: Broker) -> None:
    kafka_broker.create_topic("t")
    with member(kafka_broker, partition_assignment_strategy="range") as first:
        poll_until(first, first.assignment)
        with member(kafka_broker, partition_assignment_strategy="roundrobin,sticky") as second:
            with pytest.raises(MembershipRefused) as refused:
                poll_until(second, never)
            assert "supports none of this member's assignors (roundrobin, sticky)" in str(refused.value)
            assert "Add one of the group's assignors" in str(refused.value)
            assert first.assignment() == {PLACE}


@pytest.mark.usefixtures("long_holder_lookup")
def test_instance_id__used_by_a_second_live_member__error_of_the_first_names_the_second(kafka_broker: Broker) -> None:
    kafka_broker.create_topic("t")
    with member(kafka_broker, group_instance_id="web-1") as first:
        poll_until(first, first.assignment)
        with member(kafka_broker, group_instance_id="web-1") as second:
            poll_until(second, second.assignment)
            with pytest.raises(
                Fenced, match=r"group.instance.id 'web-1' of group 'g' was taken over by process \d+ on host "
            ):
                poll_until(first, never)


# --- brokers ----------------------------------------------------------------------------------------------------------


class IncompatibleBroker(threading.Thread):
    """Broker that shares no version of any API with the client, except of ApiVersions."""

    def __init__(self) -> None:
        super().__init__()
        self._listener = socket.create_server(("127.0.0.1", 0))
        host, port = self._listener.getsockname()
        self.address = f"{host}:{port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread from its accept
        self.join(PATIENCE_S)
        self._listener.close()

    def run(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection, connection.makefile("rwb") as stream:
                    self._serve(stream)

    def _serve(self, stream: IO[bytes]) -> None:
        """Answer one request, then wait until the client has closed."""
        header, _ = decode_request_header(stream.read(int.from_bytes(stream.read(4), "big")))
        keys = [ApiVersion(api_key=key, min_version=100, max_version=101) for key in ApiKey]
        answer = ApiVersionsResponse(api_keys=keys)
        stream.write(encode_response(header.api_key, header.api_version, header.correlation_id, answer))
        stream.flush()
        stream.read()


def test_api_versions__no_common_version_with_the_broker__error_names_request_and_versions() -> None:
    with (
        IncompatibleBroker() as broker,
        pytest.raises(
            UnsupportedByBroker,
            match=rf"Metadata is not supported .*{broker.address}: .* from \d+ to \d+, and .* versions 100 to 101",
        ),
        Consumer(config(broker.address)) as consumer,
    ):
        consumer.assign([PLACE])


def test_consumer_protocol__broker_does_not_support_it__error_names_the_version_of_the_broker(
    kafka_broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Name the version of a broker that reports the API versions of Apache Kafka 3.9."""
    apis = {key: api for key, api in api_versions.APIS.items() if key is not ApiKey.CONSUMER_GROUP_HEARTBEAT}
    monkeypatch.setattr(api_versions, "APIS", apis)
    monkeypatch.setattr("tenure.broker.requests.context.Context.features", {"metadata.version": 21})
    kafka_broker.create_topic("t")
    with Consumer({"bootstrap.servers": kafka_broker.address, "group.id": "g", "group.protocol": "consumer"}) as one:
        one.subscribe(["t"])
        with pytest.raises(UnsupportedByBroker, match=r"KIP-848 are not supported .*\(metadata\.version=21\)"):
            poll_until(one, never)


# --- batches ----------------------------------------------------------------------------------------------------------

DAMAGE = {
    "CRC": (17, 0xFF, "fails its checksum"),
    "a record": (65, 0xFF, "fails its checksum"),
    "codec, and the CRC fits": (22, 0x07, "has the unknown compression codec 7"),
    "magic": (16, 0x7F, "unknown record format"),
    "length, too long": (10, 0x7F, r"longer than the \d+ bytes that the broker sent"),
    "length, too short": (11, 65 ^ 3, "the broker's copy is corrupt"),
}
"""Damaged byte of a batch, the changed bits, and the resulting error."""


@pytest.fixture(params=DAMAGE)
def damaged(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Broker, str]]:
    """Create a topic `t` with three batches of two records, the second of which is damaged on disk."""
    at, bits, shows = DAMAGE[request.param]
    with Broker(directory=tmp_path / "data") as broker:
        broker.create_topic("t")
        for values in (["0", "1"], ["2", "3"], ["4", "5"]):
            broker.produce("t", values)
        (file,) = (tmp_path / "data" / "t-0").glob("*.log")
        batches = list(read_batches(file.read_bytes()))
        assert [batch.base_offset for batch in batches] == [0, 2, 4]
        batch = bytearray(batches[1].raw)
        batch[at] ^= bits
        if "CRC fits" in request.param:
            batch[17:21] = crc_of(Batch(bytes(batch), 0)).to_bytes(4, "big")
        with file.open("r+b") as log:
            log.seek(batches[1].position)
            log.write(batch)
        yield broker, shows


def test_damaged_batch__in_the_middle__earlier_records_read_and_error_names_the_offset(
    damaged: tuple[Broker, str],
) -> None:
    broker, shows = damaged
    for poll in (rows, table_rows):
        with Consumer(config(broker.address)) as consumer:
            consumer.assign([PLACE])
            assert poll(consumer) == [b"0", b"1"]
            for _ in range(2):
                with pytest.raises(RequestRefused, match=f"batch in t-0 at offset 2: .*{shows}"):
                    poll(consumer)
                assert consumer.position(PLACE) == 2
            if "bytes" not in shows and "broker" not in shows:  # else the broker cannot find what comes after it
                consumer.seek(PLACE, 4)
                assert poll(consumer) == [b"4", b"5"]
    with pytest.raises(RequestRefused, match="batch in t-0 at offset 2"):
        read_arrow(broker.address, "t")


def rows(consumer: Consumer) -> list[bytes | None]:
    return [record.value for record in consumer.poll(PATIENCE_S)]


def table_rows(consumer: Consumer) -> list[bytes | None]:
    table = consumer.poll_arrow(PATIENCE_S)
    assert table is not None
    return list(table["value"].to_pylist())
