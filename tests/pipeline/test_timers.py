"""Timers and times to live, compared with models that process one record at a time."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from tenure.pipeline.errors import BadFunction, BadRecordFound
from tenure.pipeline.operators.timers import first_processing_timer_us
from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, map_with_state, stateful
from tenure.spark.declarations.processing import TaskStep
from tenure.testing import Rehearsal

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
DELAY_S, PATIENCE_S = 5, 20
ORDERS = Topic("orders", json("order string, paid boolean, at timestamp")).keyed_by("order")
TIMED = ORDERS.with_watermark("at", f"{DELAY_S} seconds")
OUTPUT = "order string, what string, at timestamp"


def order(name: str | None, second: float, *, paid: bool = False) -> dict[str, Any]:
    return {"order": name, "paid": paid, "at": (EPOCH + timedelta(seconds=second)).isoformat()}


def drawn(random: Random, count: int) -> list[dict[str, Any]]:
    """Draw orders that are paid or not, out of order by less and by more than the delay."""
    late = [0, 0, 3, 40]
    return [
        order(f"o{random.randrange(6)}", number * 3 - random.choice(late), paid=random.random() < 0.3)
        for number in range(count)
    ]


def on_order(row: Any, state: Any, timers: Any) -> Any:
    """Set a timer for the last unpaid order; a payment removes it."""
    if state["due"] is not None:
        timers.delete(state["due"])
        state["due"] = None
    if not row["paid"]:
        state["due"] = row["at"] + timedelta(seconds=PATIENCE_S)
        timers.register(state["due"])


def on_timer(key: Any, state: Any, timers: Any) -> Any:
    """Return up to three reminders."""
    state["sent"] = (state["sent"] or 0) + 1
    if state["sent"] < 3:
        state["due"] = timers.fired + timedelta(seconds=7)
        timers.register(state["due"])
    else:
        state["sent"] = state["due"] = None
    return {"order": key, "what": f"{timers.clock} {timers.watermark >= timers.fired}", "at": timers.fired}


def overdue(on_order: Any = on_order, on_timer: Any = on_timer, **others: Any) -> TaskStep:
    return map_with_state(on_order, state="due timestamp, sent int", output=OUTPUT, on_timer=on_timer, **others)


def rehearsal(process: TaskStep, source: Topic = TIMED, **others: Any) -> Rehearsal:
    return Rehearsal(Pipeline("p", source, process, Parquet("/nowhere"), **others))


def reminders(orders: list[dict[str, Any]]) -> list[tuple[str, datetime]]:
    """Return the reminders of `overdue`, by a model that checks every key after every record."""
    due, sent, made = dict[str, datetime](), dict[str, int](), list[tuple[str, datetime]]()
    watermark = EPOCH - timedelta(days=1)
    for row in orders:
        at = datetime.fromisoformat(row["at"])
        watermark = max(watermark, at - timedelta(seconds=DELAY_S))
        due.pop(row["order"], None)
        if not row["paid"]:
            due[row["order"]] = at + timedelta(seconds=PATIENCE_S)
        while ready := [key for key in due if due[key] <= watermark]:
            for key in ready:
                fired = due.pop(key)
                made.append((key, fired))
                sent[key] = sent.get(key, 0) + 1
                if sent[key] < 3:
                    due[key] = fired + timedelta(seconds=7)
                else:
                    del sent[key]
    return made


def test_event_time_timer__random_orders_in_any_batches__fires_as_in_a_model() -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    orders = drawn(Random(seed), 80)
    rows = rehearsal(overdue()).check_cuts(orders).to_pylist()
    expected = reminders(orders)
    assert len(expected) > 5
    assert sorted((row["order"], row["at"]) for row in rows) == sorted(expected)
    assert {row["what"] for row in rows} == {"event True"}


def test_processing_time_timer__batch_without_records__due_timers_fire() -> None:
    def wait(_row: Any, state: Any, timers: Any) -> None:
        state["due"] = timers.processing_time
        timers.register(timers.processing_time + timedelta(minutes=1), clock="processing")

    def end(key: Any, state: Any, timers: Any) -> Any:
        state["due"] = None
        return {"order": key, "what": timers.clock, "at": timers.fired}

    runs = rehearsal(overdue(wait, end), ORDERS)
    runs.run([order("a", 0), order("b", 0)], processing_time=EPOCH)
    assert first_processing_timer_us(runs._state) == int((EPOCH.timestamp() + 60) * 1e6)
    assert len(runs.run([], processing_time=EPOCH + timedelta(seconds=59))) == 0
    fired = runs.run([order("c", 0)], processing_time=EPOCH + timedelta(seconds=61)).to_pylist()
    assert {(row["order"], row["what"], row["at"]) for row in fired} == {
        ("a", "processing", EPOCH + timedelta(seconds=60)),
        ("b", "processing", EPOCH + timedelta(seconds=60)),
    }
    assert [row["order"] for row in runs.state.to_pylist()] == ["c"]


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (lambda timers: timers.fired, "use a later time"),
        (lambda _: datetime(2027, 1, 1), "has no time zone"),
    ],
)
def test_on_timer__registers_a_timer_in_the_past__pipeline_stops(at: Any, says: str) -> None:
    def again(_key: Any, _state: Any, timers: Any) -> None:
        timers.register(at(timers))

    with pytest.raises(BadFunction, match=rf"on_timer failed for order 'a' at .*{says}"):
        rehearsal(overdue(on_timer=again)).run([order("a", 0), order("b", 60)])


def test_register_timer__record_without_a_key__bad_record() -> None:
    with pytest.raises(BadRecordFound, match="a record without a key cannot register a timer"):
        rehearsal(overdue()).run([order("a", 0), order(None, 1)])


def test_ttl__random_orders_in_any_batches__keys_expire_by_event_time() -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    orders = drawn(Random(seed), 80)

    def seen(row: Any, state: Any) -> Any:
        state["sent"] = (state["sent"] or 0) + 1
        return {"order": row["order"], "what": str(state["sent"]), "at": row["at"]}

    process = map_with_state(seen, state="sent int", output=OUTPUT, ttl="16 seconds")
    runs = rehearsal(process)
    rows = runs.check_cuts(orders).to_pylist()
    counts, expires, clock, expected = dict[str, int](), dict[str, int](), None, []
    for row in orders:
        second = int((datetime.fromisoformat(row["at"]) - EPOCH).total_seconds()) - DELAY_S
        clock = second if clock is None else max(clock, second)
        for key in [key for key in counts if expires[key] <= clock]:
            del counts[key]
        counts[row["order"]] = counts.get(row["order"], 0) + 1
        expires[row["order"]] = clock + 16
        expected.append((row["order"], str(counts[row["order"]])))
    assert [(row["order"], row["what"]) for row in rows] == expected
    assert {row["order"]: row["sent"] for row in runs.state.to_pylist()} == counts
    assert len(expected) > len({order for order, _ in expected})


def test_ttl__topic_without_watermark__keys_expire_by_record_timestamps() -> None:
    def count(rows: Any, state: KeyedState) -> Any:
        keys = rows["order"].unique()
        known = state.get(keys)
        state.put(keys, known.drop_columns(["found"]).set_column(0, "n", [[1] * len(keys)]))
        return known

    runs = rehearsal(stateful(count, state="n long", ttl="1 minute"), ORDERS)
    assert runs.run([order("a", 0)], timestamps_ms=[0])["found"].to_pylist() == [False]
    assert runs.run([order("a", 0)], timestamps_ms=[59_000])["found"].to_pylist() == [True]
    assert runs.run([order("b", 0)], timestamps_ms=[200_000])["found"].to_pylist() == [False]
    assert runs.state.to_pylist() == [{"order": "b", "n": 1}]
