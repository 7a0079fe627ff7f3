"""Copies of a move: every record once and in order, for each kind of batch and transaction at the source."""

from __future__ import annotations

import pytest

from tenure.admin import Admin
from tenure.client import Producer
from tenure.move.errors import AnotherMove, MoveStopped
from tenure.testing import Broker
from tests.move.moving import FIRST_MS, ends, move, moving, offsets_by_value, rows, write, write_transactions

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def test_move__plain_topic__same_records_at_the_same_offsets(source: Broker, target: Broker, topic: str) -> None:
    write(source.address, topic, range(500))
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)
    assert offsets_by_value(target.address, topic) == offsets_by_value(source.address, topic)


@pytest.mark.parametrize("codec", CODECS)
def test_move__compressed_batches__copied_with_their_codec(
    source: Broker, target: Broker, topic: str, codec: str
) -> None:
    write(source.address, topic, range(60), **{"compression.type": codec})
    move(source.address, target.address, topic)
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__topic_with_configs__created_with_the_same_configs(source: Broker, target: Broker) -> None:
    source.create_topic("with-settings", 2, {"retention.ms": "12345678", "max.message.bytes": "7777"})
    with moving(source.address, target.address, "with-settings") as moved:
        assert dict(moved.plan.topics[0].configs) == {"retention.ms": "12345678", "max.message.bytes": "7777"}
    with moving(target.address, source.address, "with-settings") as back:
        assert dict(back.plan.topics[0].configs) == {"retention.ms": "12345678", "max.message.bytes": "7777"}


def test_move__repeated_after_more_records__only_the_new_records_are_copied(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(100))
    with moving(source.address, target.address, topic) as moved:
        write(source.address, topic, range(100, 150))
        moved.pass_again()
    write(source.address, topic, range(150, 200))
    with moving(source.address, target.address, topic) as again:
        assert again.move.totals.records == 50
        assert again.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__aborted_transactions_at_the_source__only_committed_records_copied(
    source: Broker, target: Broker, topic: str
) -> None:
    write_transactions(source.address, topic, [("commit", 5), ("abort", 7), ("commit", 2), ("abort", 1)] * 5)
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
        assert sum(ends(moved).values()) == 35, "no marker is copied"
    values = [value for _, _, _, value, _ in rows(target.address, topic)]
    assert len(values) == 35
    assert all(value.startswith(b"commit") for value in values)


def test_move__open_transaction_at_the_source__copied_after_its_commit(
    source: Broker, target: Broker, topic: str
) -> None:
    with Producer({"bootstrap.servers": source.address, "transactional.id": "open"}) as producer:
        producer.init_transactions()
        producer.begin_transaction()
        producer.send(topic, b"k", b"in-transaction", 0)
        producer.flush()
        source.produce(topic, [b"after"], partition=0)
        with moving(source.address, target.address, topic) as moved:
            assert rows(target.address, topic) == []
            producer.commit_transaction()
            moved.pass_again()
    assert [row[3] for row in rows(target.address, topic)] == [b"in-transaction", b"after"]


def test_move__source_topic_with_log_append_time__copies_have_the_same_timestamps(
    source: Broker, target: Broker
) -> None:
    source.create_topic("append-time", 1, {"message.timestamp.type": "LogAppendTime"})
    write(source.address, "append-time", range(20))
    with moving(source.address, target.address, "append-time") as moved:
        assert "message.timestamp.type" in moved.plan.topics[0].left_out
        assert moved.are_equal()
    copied = rows(target.address, "append-time")
    assert copied == rows(source.address, "append-time")
    assert copied[0][1].timestamp() * 1000 > FIRST_MS + 1_000_000


def test_move__batches_too_large_for_the_target__divided(source: Broker, target: Broker, topic: str) -> None:
    write(source.address, topic, range(300), **{"batch.size": 20_000})
    target.create_topic(topic, 3, {"max.message.bytes": "1500"})
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__tiny_batches__joined_into_larger_ones(source: Broker, target: Broker, topic: str) -> None:
    write(source.address, topic, range(200), **{"batch.size": 1})
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)
    assert offsets_by_value(target.address, topic) == offsets_by_value(source.address, topic)


def test_move__record_too_large_for_the_target__stops_and_names_the_record(
    source: Broker, target: Broker, topic: str
) -> None:
    source.produce(topic, [b"small", b"x" * 5_000], partition=1)
    target.create_topic(topic, 3, {"max.message.bytes": "1500"})
    with pytest.raises(MoveStopped, match=rf"Record of {topic}-1 at offset 1 .* Raise 'max.message.bytes'"):
        move(source.address, target.address, topic)


def test_move__last_ms_given__earlier_records_not_copied(source: Broker, target: Broker, topic: str) -> None:
    write(source.address, topic, range(50))
    source.produce(topic, [b"new"], partition=2)
    move(source.address, target.address, topic, last_ms=3_600_000)
    assert [row[3] for row in rows(target.address, topic)] == [b"new"]


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_move__target_topic_has_other_records__refused_without_the_append_option(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    target.create_topic(topic, 3)
    target.produce(topic, [b"theirs"], partition=0)
    with pytest.raises(MoveStopped, match=f"Topic '{topic}' has records at the target .* --append"):
        move(source.address, target.address, topic)
    with moving(source.address, target.address, topic, appends=True) as moved:
        assert moved.are_equal()
    assert rows(target.address, topic)[1:] == rows(source.address, topic)


def test_move__target_topic_has_another_number_of_partitions__refused(
    source: Broker, target: Broker, topic: str
) -> None:
    target.create_topic(topic, 2)
    with pytest.raises(MoveStopped, match=f"Topic '{topic}' has 3 partitions at the source and 2 at the target"):
        move(source.address, target.address, topic)


def test_move__internal_topic__refused(source: Broker, target: Broker) -> None:
    source.commit("some-group", {})
    with pytest.raises(MoveStopped, match="Topic '__consumer_offsets' is internal"):
        move(source.address, target.address, "__consumer_offsets")


def test_move__unknown_topic__refused(source: Broker, target: Broker) -> None:
    with pytest.raises(MoveStopped, match="Unknown topic 'not-there' at the source"):
        move(source.address, target.address, "not-there")


def test_move__source_and_target_are_the_same_cluster__refused(source: Broker, topic: str) -> None:
    with pytest.raises(MoveStopped, match="Source and target are the same cluster"):
        move(source.address, source.address, topic)


def test_move__topic_deleted_at_the_target_since_the_last_move__copied_again(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    move(source.address, target.address, topic)
    delete_topic(target, topic)
    move(source.address, target.address, topic)
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__topic_recreated_at_the_source_since_the_last_move__refused(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    move(source.address, target.address, topic)
    delete_topic(source, topic)
    source.create_topic(topic, 3)
    with pytest.raises(MoveStopped, match=f"Topic '{topic}' was deleted and created again since the move began"):
        move(source.address, target.address, topic)


def delete_topic(broker: Broker, topic: str) -> None:
    with Admin(broker.address) as admin:
        admin.delete_topics([topic])


def test_move__second_process_between_the_same_clusters__first_is_fenced(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    with moving(source.address, target.address, topic) as first:
        write(source.address, topic, range(30, 60))
        with moving(source.address, target.address, topic) as second:
            assert second.are_equal()
        write(source.address, topic, range(60, 90))
        with pytest.raises(AnotherMove, match="Another `tenure move` between these clusters has taken over"):
            first.pass_again()
    move(source.address, target.address, topic)
    assert rows(target.address, topic) == rows(source.address, topic)
