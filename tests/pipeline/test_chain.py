"""Chains of steps, compared with models that process one record at a time, and cut in different ways."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from tenure.pipeline.errors import BadFunction
from tenure.spark import (
    Parquet,
    Pipeline,
    PipelineConfigError,
    Stream,
    Timers,
    Topic,
    json,
    map_with_state,
    session,
    to_side,
    tumbling,
)
from tenure.spark.declarations.processing import TaskStep
from tenure.testing import Rehearsal
from tests.quick import quick_first

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CLICKS = Topic("clicks", json("user string, page string, at timestamp")).keyed_by("user")
TIMED = CLICKS.with_watermark("at", "10 minutes")
PROFILES = Topic("profiles", json("user string, city string")).keyed_by("user")
CLICK = "user string, page string, at timestamp"


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


def click(user: str | None, page: str, minute: float) -> dict[str, Any]:
    return {"user": user, "page": page, "at": at(minute).isoformat()}


def drawn(random: Random, count: int) -> list[dict[str, Any]]:
    """Draw clicks out of order: some too late, some without a user, a third of them by robots."""
    return [
        click(
            random.choice(["ann", "bob", "cem", None]),
            random.choice(["home", "shop", "robots.txt"]),
            number * 4 - random.choice([0, 0, 5, 9, 30]),
        )
        for number in range(count)
    ]


def rehearse(stream: Stream, *sides: str) -> Rehearsal:
    return Rehearsal(
        Pipeline("rehearsed", stream, sink=Parquet("/tmp/out"), side={name: Parquet(f"/tmp/{name}") for name in sides})
    )


def people(record: Mapping[str, Any]) -> Any:
    """Leave out the clicks of robots, and return the users."""
    if record["page"] == "robots.txt":
        return to_side("robots", {"user": record["user"]})
    return {name: record[name] for name in ("user", "page", "at")}


def numbered(record: Mapping[str, Any], state: dict[str, Any]) -> Any:
    """Number the clicks of a user; every third one also goes to a side output."""
    state["seen"] = (state["seen"] or 0) + 1
    row = {**{name: record[name] for name in ("user", "page", "at")}, "number": state["seen"]}
    third = to_side("thirds", {"user": record["user"], "number": state["seen"]})
    return [row, third] if state["seen"] % 3 == 0 else row


NUMBERED = {"state": "seen long", "output": f"{CLICK}, number long", "side": {"thirds": "user string, number long"}}
PEOPLE = {"output": CLICK, "side": {"robots": "user string"}}


@pytest.mark.parametrize("seed", quick_first(range(3)))
def test_chain__step_drops_rows__same_state_windows_and_side_outputs_as_a_model(seed: int) -> None:
    clicks = drawn(Random(seed), 120)
    stream = TIMED.map(people, **PEOPLE).map_with_state(numbered, **NUMBERED)
    rehearsal = rehearse(
        stream.windowed(tumbling("1 hour"), "count(*) as clicks, max(number) as most"), "robots", "thirds"
    )
    made = rehearsal.check_cuts(clicks)

    watermark, seen, windows = datetime.min.replace(tzinfo=UTC), dict[str | None, int](), dict[Any, list[int]]()
    thirds, robots = 0, 0
    for record in clicks:
        time = datetime.fromisoformat(record["at"])
        watermark = max(watermark, time - timedelta(minutes=10))
        if record["page"] == "robots.txt":
            robots += 1
            continue
        user = record["user"]
        seen[user] = 1 if user is None else seen.get(user, 0) + 1
        thirds += seen[user] % 3 == 0
        start = time.replace(minute=0)
        if user is not None and start + timedelta(hours=1) > watermark:
            windows.setdefault((user, start), []).append(seen[user])
    expected = {
        (user, start, len(numbers), max(numbers))
        for (user, start), numbers in windows.items()
        if start + timedelta(hours=1) <= watermark
    }
    assert {(row["user"], row["window"]["start"], row["clicks"], row["most"]) for row in made.to_pylist()} == expected
    assert (len(rehearsal.sides["robots"]), len(rehearsal.sides["thirds"])) == (robots, thirds)


def test_chain__a_step_drops_all_rows__watermark_closes_windows() -> None:
    rehearsal = rehearse(TIMED.map(people, **PEOPLE).windowed(tumbling("1 hour"), "count(*) as clicks"), "robots")
    assert len(rehearsal.run([click("ann", "home", 5)])) == 0
    rows = rehearsal.run([click("bob", "robots.txt", 75)])
    assert [(row["user"], row["clicks"]) for row in rows.to_pylist()] == [("ann", 1)]


def ask_later(record: Mapping[str, Any], state: dict[str, Any], timers: Timers) -> Any:
    state["asked"] = (state["asked"] or 0) + 1
    timers.register(record["at"] + timedelta(minutes=7))
    return {"user": record["user"], "what": "click", "at": record["at"]}


def ask(key: str, state: dict[str, Any], timers: Timers) -> Any:
    return {"user": key, "what": f"asked {state['asked']}", "at": timers.fired}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_chain__step_with_timers_between_other_steps__same_rows_for_all_cuts(seed: int) -> None:
    timed = {"state": "asked long", "output": "user string, what string, at timestamp", "on_timer": ask}
    stream = TIMED.map(people, **PEOPLE).map_with_state(ask_later, **timed)
    clicks = [record for record in drawn(Random(seed), 100) if record["user"] is not None]
    for last in (
        stream.windowed(session("20 minutes"), "count(*) as clicks, last(what) as what"),
        stream.windowed(tumbling("10 minutes"), "count(*) as clicks").windowed(tumbling("1 hour"), "sum(clicks) as n"),
        stream.map_with_state(ask_later, **timed),
    ):
        assert len(rehearse(last, "robots").check_cuts(clicks))


def test_chain__timer_due_at_the_time_of_a_dropped_row__fires_before_the_next_row() -> None:
    timed = {"state": "asked long", "output": "user string, what string, at timestamp", "on_timer": ask}
    rehearsal = rehearse(TIMED.map(people, **PEOPLE).map_with_state(ask_later, **timed), "robots")
    rows = rehearsal.check_cuts([click("ann", "home", 0), click("bob", "robots.txt", 60), click("ann", "home", 61)])
    assert rows["what"].to_pylist() == ["click", "asked 1", "click"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_chain__state_table_joined_after_other_steps__rows_joined_as_of_their_timestamp(seed: int) -> None:
    random = Random(seed)
    clicks = drawn(random, 60)
    profiles = [{"user": random.choice(["ann", "bob", "cem"]), "city": f"city {number}"} for number in range(30)]
    stamps = {"clicks": range(0, 600, 10), "profiles": range(5, 605, 20)}
    before = TIMED.map(people, **PEOPLE).map_with_state(numbered, **NUMBERED)
    rows = rehearse(before.join_state_table(PROFILES), "robots", "thirds").check_cuts(
        {"clicks": clicks, "profiles": profiles}, timestamps_ms=stamps
    )
    expected = []
    for number, record in enumerate(clicks):
        known = [one["city"] for place, one in enumerate(profiles) if place * 20 + 5 < number * 10
                 and one["user"] == record["user"]]  # fmt: skip
        if record["page"] != "robots.txt":
            expected.append((record["user"], record["page"], known[-1] if known else None))
    assert [(row["user"], row["page"], row["city"]) for row in rows.to_pylist()] == expected

    windows = before.windowed(tumbling("30 minutes"), "count(*) as clicks").join_state_table(PROFILES)
    rows = rehearse(windows, "robots", "thirds").check_cuts(
        {"clicks": clicks, "profiles": profiles}, timestamps_ms=stamps
    )
    assert any(row["city"] for row in rows.to_pylist())


def test_chain__functions_return_all_columns_of_their_record__internal_columns_hidden() -> None:
    def whole(record: Mapping[str, Any], *_: Any) -> Any:
        assert not {"_watermark_before", "_record_index"} & record.keys()
        return {name: record[name] for name in record if not name.startswith("_")}

    stream = TIMED.map(whole, output=CLICK).map_with_state(whole, state="n long", output=CLICK).map(whole, output=CLICK)
    rows = rehearse(stream.join_state_table(PROFILES)).run({"clicks": [click("ann", "home", 1)], "profiles": []})
    assert rows.column_names == ["user", "page", "at", "city"]


def test_chain__two_joins_with_state_tables__both_applied_in_turn() -> None:
    plans = Topic("plans", json("user string, plan string")).keyed_by("user")
    stream = CLICKS.join_state_table(PROFILES).join_state_table(plans, how="inner")
    rows = rehearse(stream).check_cuts(
        {
            "clicks": [click("ann", "home", 1), click("bob", "home", 2)],
            "profiles": [{"user": "ann", "city": "Bern"}],
            "plans": [{"user": "ann", "plan": "free"}, {"user": "ann", "plan": "paid"}],
        },
        timestamps_ms={"clicks": [10, 20], "profiles": [1], "plans": [5, 15]},
    )
    assert [(row["user"], row["city"], row["plan"]) for row in rows.to_pylist()] == [("ann", "Bern", "free")]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_chain__streams_joined_between_other_steps__same_rows_for_all_cuts(seed: int) -> None:
    buys = Topic("buys", json("user string, item string, at timestamp")).keyed_by("user").with_watermark("at", "1 hour")
    people_only = TIMED.filter("page <> 'robots.txt'", side="robots").with_column("page", "upper(page)")
    stream = people_only.join_streams(buys, within="20 minutes", how="left")
    rehearsal = rehearse(stream.filter("item is null or page = 'SHOP'").select("user", "upper(item) as item"), "robots")
    random = Random(seed)
    bought = [{"user": random.choice(["ann", "bob"]), "item": "pen", "at": at(minute).isoformat()} for minute in
              range(0, 300, 7)]  # fmt: skip
    rows = rehearsal.check_cuts(
        {"clicks": drawn(random, 80), "buys": bought},
        timestamps_ms={"clicks": range(0, 800, 10), "buys": range(3, 3 + 43 * 18, 18)},
    )
    assert {row["item"] for row in rows.to_pylist()} == {None, "PEN"}


def test_chain__bad_record_in_a_later_step__only_this_record_is_skipped() -> None:
    def failing(record: Mapping[str, Any], state: dict[str, Any]) -> Any:
        if record["page"] == "shop":
            raise ValueError("closed")
        return numbered(record, state)

    stream = CLICKS.map_with_state(numbered, **NUMBERED).map_with_state(failing, **NUMBERED)
    side = {"thirds": Parquet("/tmp/thirds")}
    rehearsal = Rehearsal(Pipeline("rehearsed", stream, sink=Parquet("/tmp/out"), side=side, on_bad_record="skip"))
    rows = rehearsal.run([click("ann", "home", 1), click("ann", "shop", 2), click("ann", "home", 3)])
    assert [row["number"] for row in rows.to_pylist()] == [1, 2]
    assert [record.offset for record in rehearsal.bad] == [1]
    states = [(row["map_with_state"], row["map_with_state_2"]) for row in rehearsal.state.to_pylist()]
    assert sorted(states, key=str) == [(None, {"seen": 2}), ({"seen": 2}, None)]


def test_chain__bad_record_advances_the_watermark__same_rows_for_all_cuts() -> None:
    def failing(record: Mapping[str, Any]) -> Any:
        if record["page"] == "robots.txt":
            raise ValueError("a robot")
        return {name: record[name] for name in ("user", "page", "at")}

    timed = {"state": "asked long", "output": "user string, what string, at timestamp", "on_timer": ask}
    stream = TIMED.map(failing, output=CLICK).map_with_state(ask_later, **timed)
    rehearsal = Rehearsal(Pipeline("rehearsed", stream, sink=Parquet("/tmp/out"), on_bad_record="skip"))
    clicks = [click("ann", "home", 0), click("bob", "robots.txt", 60), click("ann", "home", 61)]
    rows = rehearsal.check_cuts([*clicks, click("bob", "robots.txt", 90)])
    assert rows["what"].to_pylist() == ["click", "asked 1", "click"]
    rows = rehearsal.run([click("ann", "home", 91)])
    assert rows["what"].to_pylist() == ["asked 2", "click"]


def test_chain__row_gets_another_key_before_a_stateful_step__error_names_the_remedy() -> None:
    stream = CLICKS.map(lambda row: {**row, "user": "eve"}, output=CLICK + ", _key binary, _partition int,"
                        " _offset long, _timestamp timestamp")  # fmt: skip
    rehearsal = rehearse(stream.map_with_state(numbered, **NUMBERED), "thirds")
    with pytest.raises(
        BadFunction, match=r"row with the user 'eve', which none of its input rows has.*\.through\('TOPIC'"
    ):
        rehearsal.run([click("ann", "home", 1)])


def test_chain__last_step_map_batches_with_declared_output__undeclared_columns_left_out() -> None:
    stream = CLICKS.map_batches(lambda rows: {"": rows, "robots": rows}, output="page string")
    rehearsal = rehearse(stream, "robots")
    assert rehearsal.run([click("ann", "home", 1)]).to_pylist() == [{"page": "home"}]
    assert "user" in rehearsal.sides["robots"].column_names
    with pytest.raises(BadFunction, match="step map_batches returned rows without the declared column 'nope'"):
        rehearse(CLICKS.map_batches(lambda rows: rows, output="nope string")).run([click("ann", "home", 1)])


def test_chain__map_batches_leaves_out_a_declared_column__error_names_it() -> None:
    stream = CLICKS.map_batches(lambda rows: rows.drop_columns(["page"]), output=CLICK)
    with pytest.raises(BadFunction, match="step map_batches returned rows without the declared column 'page'"):
        rehearse(stream.map_with_state(numbered, **NUMBERED), "thirds").run([click("ann", "home", 1)])


@pytest.mark.parametrize(
    ("stream", "says"),
    [
        (CLICKS.map_batches(len).map(people, **PEOPLE), "columns are unknown: declare them with output='…'"),
        (CLICKS.map(people, output=CLICK).windowed(tumbling("1 hour"), "count(*) as n"), "which needs event time: add"),
        (
            TIMED.map(people, output="user string").windowed(tumbling("1 hour"), "count(*) as n"),
            r"which needs event time, after map\(…\)",
        ),
        (
            TIMED.map_batches(len, output=CLICK).windowed(tumbling("1 hour"), "count(*) as n"),
            r"which needs event time, after map_batches\(…\)",
        ),
        (CLICKS.map_batches(len, output=CLICK).join_state_table(PROFILES), "join first"),
        (CLICKS.map(people, output="page string").map_with_state(numbered, **NUMBERED), "keep it"),
        (
            CLICKS.map(people, output="page string").map(people, output=CLICK).map_with_state(numbered, **NUMBERED),
            "adds its key column user again",
        ),
        (
            TIMED.map(people, output=CLICK).join_streams(TIMED.through("copy", "user"), within="1 minute"),
            r"after map\(…\), whose rows have no offsets: join first",
        ),
        (CLICKS.map(people, output=CLICK).join_state_table("typo"), "needs two topics, but reads clicks"),
        (CLICKS.map(people, output="user int").map_with_state(numbered, **NUMBERED), "changes the type of its key"),
        (CLICKS.map(people, **PEOPLE), r"no side output 'robots' for rows of to_side"),
        (
            TIMED.join_streams(Topic("buys", json("user string, at timestamp")).keyed_by("user").with_watermark("at"),
                               within="1 minute").map_with_state(numbered, **NUMBERED),
            "no fixed order",
        ),
        (
            Topic("t", json("windowed string, at timestamp")).keyed_by("windowed").with_watermark("at")
            .windowed(tumbling("1 hour"), "count(*) as n").windowed(tumbling("1 day"), "sum(n) as n"),
            "which is the name of a step with state: rename the column",
        ),
        (CLICKS.map(people, output=CLICK).transform(len), "other steps beside transform"),
        (
            CLICKS.map_with_state(numbered, **NUMBERED).map_with_state(numbered, version=2, **NUMBERED),
            "several steps with state, which version= and migrate= do not support",
        ),
    ],
)  # fmt: skip
def test_chain__steps_do_not_fit_together__refused_when_declared(stream: Stream, says: str) -> None:
    with pytest.raises(PipelineConfigError, match=says):
        Pipeline("wrong", stream, sink=Parquet("/tmp/out"), side={"thirds": Parquet("/tmp/thirds")})


def test_pipeline__without_steps__refused() -> None:
    with pytest.raises(PipelineConfigError, match=r"Pipeline copy has no valid step: .* topic.map"):
        Pipeline("copy", CLICKS, sink=Parquet("/tmp/out"))


def test_pipeline__without_sink__refused() -> None:
    with pytest.raises(PipelineConfigError, match="The sink of pipeline unwritten must be"):
        Pipeline("unwritten", CLICKS, map_with_state(numbered, **NUMBERED))


def test_pipeline__steps_and_a_process_function__process_is_the_last_step() -> None:
    last = map_with_state(numbered, state="seen long", output=f"{CLICK}, number long")
    pipeline = Pipeline("both", CLICKS.map(people, output=CLICK), last, Parquet("/tmp/out"))
    assert [step.form for step in pipeline.steps if isinstance(step, TaskStep)] == ["map", "map_with_state"]
