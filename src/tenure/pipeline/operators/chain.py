"""Chain of a pipeline's steps, which a task runs over the rows of a lane and the lane's state.

The rows of a step's main output are the input of the next step. Rows for side outputs leave the chain. The result must
not depend on how the log is cut into batches. Therefore each row carries the values that later steps need
(`rows.CARRIED`): the watermarks before and after its record, and the index of this record in the merged records of all
topics. The watermark advances with every record, even if a step drops the row of the record.

A topic that a later step joins enters the chain at that step. The earlier steps get only the rows of the other topics.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.expressions.operators import Select
from tenure.pipeline.operators.operator import BoundOperator, EventTime, Operator, OperatorInput
from tenure.pipeline.operators.rows import (
    BEFORE,
    CARRIED,
    INSTANT,
    RECORD_INDEX,
    TOPIC,
    WATERMARK,
    carried_names,
    event_times_us,
    known_us,
    unite_tables,
)
from tenure.pipeline.operators.user_function import MAIN, Function, FunctionResult, outputs_by_name
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.layers import combined
from tenure.pipeline.state.step_states import StepStates


class StepOperator(NamedTuple):
    """Step of a chain, as the pipeline declares it."""

    form: str
    """Name of the function that declared the step, such as "windowed"."""
    operator: Operator
    joins: str | None = None
    """Topic whose rows enter the chain at this step; None for other steps."""


class Step(NamedTuple):
    """Step of a chain, bound to the columns of its input."""

    name: str
    function: Function
    has_state: bool
    joins: str | None
    carries: bool
    """True if the function copies the internal columns to its output. Otherwise it gets only one of them, WATERMARK."""
    output: pa.Schema | None
    """Columns of the main output, if the next step needs them or the function declares them; None otherwise."""
    key: str | None
    """Key column in which the main output must not have new values; None if new values are allowed."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps of a pipeline, as one function. Picklable if the functions of the steps are."""

    steps: Sequence[Step]
    stream: Mapping[str, Sequence[str]]
    """Topics that the first step reads, with the columns of their rows."""
    joined_topics: Mapping[str, Sequence[str]]
    """Topics that a later step joins, with the columns of their rows."""
    states: StepStates | None = None
    """States of the steps; None unless several steps have state. A single step with state uses the lane's state."""

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        made = FunctionResult()
        records = self.with_internal_columns(rows, state.watermark_us)
        if WATERMARK in rows.column_names and len(rows):
            state.watermark_us = known_us(event_times_us(rows[WATERMARK].slice(len(rows) - 1))[0])
        states = {} if self.states is None else self.states.open(state)
        stream = self.of_topics(records, self.stream) if self.joined_topics else records
        for step in self.steps:
            if step.joins in self.joined_topics:
                stream = self.with_topic(stream, records, str(step.joins))
            own = states.get(step.name, state)
            input_rows = stream if step.carries else without_carried(stream)
            outputs = outputs_by_name(step.function(input_rows, own))
            main = None if step.output is None else outputs.pop(MAIN, None)
            made.add({name: without_carried(rows) for name, rows in outputs.items()})
            if step.output is None:
                break
            following = next_rows(step, main, input_rows)
            if step is self.steps[-1]:
                made.add(following.select(step.output.names))
                break
            stream = with_record_indices(following, records)
            if step.key is not None:
                check_keys_stay(step, step.key, input_rows, stream, own)
        if self.states is not None:
            self.states.write_back(states, state)
        return made.tables()

    def with_internal_columns(self, rows: pa.Table, watermark_us: int | None) -> pa.Table:
        """Return the rows with the internal columns that the steps need.

        `watermark_us` is the watermark before the rows.
        """
        if len(self.steps) > 1 and WATERMARK in rows.column_names:
            first = pa.array([watermark_us], pa.int64()).cast(INSTANT)
            shifted = pa.chunked_array([first, *rows[WATERMARK].slice(0, max(len(rows) - 1, 0)).chunks])
            rows = rows.append_column(BEFORE, shifted.slice(0, len(rows)))
        if self.joined_topics:
            rows = rows.append_column(RECORD_INDEX, pa.array(numpy.arange(len(rows))))
        return rows

    def of_topics(self, records: pa.Table, topics: Mapping[str, Sequence[str]]) -> pa.Table:
        """Return the rows of some topics, without the columns that only other topics have.

        `records` has the rows of all topics, and `topics` has the columns of each wanted topic by its name.
        """
        names = dict.fromkeys(name for columns in topics.values() for name in columns)
        wanted = [name for name in records.column_names if name in names or name in CARRIED]
        mine = records.filter(pc.is_in(records[TOPIC], value_set=pa.array(list(topics), pa.string())))
        return mine.select([TOPIC, *wanted] if len(topics) > 1 else wanted)

    def with_topic(self, stream: pa.Table, records: pa.Table, topic: str) -> pa.Table:
        """Merge the rows of the stream with those of a topic, in the order of their record indices.

        If a record of the topic advances the watermark, the stream may have rows for this, such as a closed window.
        They have the same record index as the record's row, and come after it.
        """
        name = next(iter(self.stream))
        stream = stream.add_column(0, TOPIC, pa.repeat(pa.scalar(name, pa.string()), len(stream)))
        other = self.of_topics(records, {topic: self.joined_topics[topic]})
        other = other.add_column(0, TOPIC, pa.repeat(pa.scalar(topic, pa.string()), len(other)))
        both = pa.concat_tables([other, stream], promote_options="default").combine_chunks()
        return both.take(pa.array(numpy.argsort(both[RECORD_INDEX].to_numpy(), kind="stable")))


def without_carried(rows: pa.Table) -> pa.Table:
    return rows.drop_columns([name for name in (BEFORE, RECORD_INDEX) if name in rows.column_names])


def next_rows(step: Step, rows: pa.Table | None, input_rows: pa.Table) -> pa.Table:
    """Return the rows of a step's main output, as the next step expects them. Raises BadFunction.

    `rows` are the rows that the step returned, or None. `input_rows` are its input rows.
    """
    assert step.output is not None
    if rows is None:
        return pa.schema(
            [*step.output, *(input_rows.schema.field(name) for name in carried_names(input_rows))]
        ).empty_table()
    carried = carried_names(rows)
    names = [name for name in rows.column_names if name not in carried]
    if missing := [name for name in step.output.names if name not in names]:
        raise BadFunction(
            f"step {step.name} returned rows without the declared column '{missing[0]}', only {', '.join(names)}:"
            " return that column, or change output="
        )
    fields = [*step.output, *(rows.schema.field(name) for name in carried)]
    try:
        return rows.select([field.name for field in fields]).cast(pa.schema(fields))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BadFunction(
            f"step {step.name} returned other types than its output= declares ({error}): change one of them"
        ) from error


def with_record_indices(rows: pa.Table, records: pa.Table) -> pa.Table:
    """Add the column RECORD_INDEX to the rows of a step, if `records`, the input of the chain, has it.

    The column has the index of the row's record in `records`. A row for an advance of the watermark, such as a closed
    window, gets the index of the record that advanced it.
    """
    if RECORD_INDEX not in records.column_names or WATERMARK not in rows.column_names:
        return rows
    after = numpy.searchsorted(event_times_us(records[WATERMARK]), event_times_us(rows[WATERMARK]), side="right")
    if RECORD_INDEX not in rows.column_names:
        return rows.append_column(RECORD_INDEX, pa.array(after))
    indices = pc.coalesce(combined(rows[RECORD_INDEX]), pa.array(after))
    return rows.set_column(rows.column_names.index(RECORD_INDEX), RECORD_INDEX, indices)


def check_keys_stay(step: Step, key: str, input_rows: pa.Table, output_rows: pa.Table, state: KeyedState) -> None:
    """Raise BadFunction if a step returned a row with a new key.

    A key is new if no input row of the step has it, and the step has no state for it. Such a key may belong to another
    lane, so a later step would keep the state of this key in the wrong lane.
    """
    keys = pc.unique(output_rows[key]).drop_null()
    new_keys = keys.filter(pc.invert(pc.is_in(keys, value_set=pc.unique(input_rows[key]))))
    if step.has_state and len(new_keys):
        had_state = pc.is_valid(state.before.rows_of(new_keys))
        known = pc.or_(had_state, pc.is_in(new_keys, value_set=state.changes[state.key]))
        new_keys = new_keys.filter(pc.invert(known))
    if len(new_keys):
        raise BadFunction(
            f"step {step.name} returned a row with the {key} '{new_keys[0]}', which none of its input rows has, but a"
            f" later step keeps state by {key}: to change the key, insert .through('TOPIC', key='{key}', value=…)"
        )


# --- binding ----------------------------------------------------------------------------------------------------------


def bind_chain(operators: Sequence[StepOperator], source: OperatorInput) -> BoundOperator:
    """Return the chain of these steps, bound to the rows of the topics. Raises PipelineConfigError."""
    # `source.topics` lacks a topic that the pipeline does not read. The step that joins this topic raises the error.
    joined_topics = {
        name: topic_columns(source, name) for name in topics_joined_later(operators) if name in source.topics
    }
    stream = {name: topic_columns(source, name) for name in source.topics if name not in joined_topics}
    if len(stream) > 1 and joined_topics:
        source.refuse(f"joins {next(iter(joined_topics))} with {' and '.join(stream)}: join one topic after the other")
    bound: dict[str, BoundOperator] = {}
    now = stream_input(source, stream) if joined_topics else source
    for name, declared in zip(step_names(operators), operators, strict=True):
        if bound:
            now = next_input(now, *list(bound.items())[-1])
        if declared.joins in joined_topics:
            now = joined_input(now, source, str(declared.joins), name)
        if now.updates is not None and not isinstance(declared.operator, Select):
            now.refuse(
                f"has {name}(…) after a step that returns early or corrected results: only select, with_column and drop"
                " can follow it"
            )
        bound[name] = work = declared.operator.bound(replace(now, is_last=len(bound) == len(operators) - 1))
    states = {name: work.state for name, work in bound.items() if work.state is not None}
    if len(states) > 1 and source.key in states:
        source.refuse(f"is keyed by '{source.key}', which is the name of a step with state: rename the column")
    several = StepStates(source.require_key(), states) if len(states) > 1 else None
    return BoundOperator(
        Chain(steps_of(operators, bound, source.key), stream, joined_topics, several),
        next(iter(states.values()), None) if several is None else several.schema,
        any(work.event_time for work in bound.values()),
        work.output,
        updates=work.updates,
        sides=side_columns(bound.values(), source),
    )


def side_columns(bound: Iterable[BoundOperator], source: OperatorInput) -> dict[str, pa.Schema]:
    """Return the columns of each side output. A side output is left out if only the user's function knows its columns.

    Raises PipelineConfigError if two steps write different types into one column.
    """
    found: dict[str, list[pa.Schema]] = {}
    for work in bound:
        for side, columns in work.sides.items():
            found.setdefault(side, []).append(columns)
    columns = {}
    for side, schemas in found.items():
        try:
            columns[side] = pa.unify_schemas(schemas)
        except pa.ArrowTypeError as error:
            why = str(error).rstrip(".")
            source.refuse(f"has steps that write different types into the side output '{side}': {why}")
    return columns


def states_of(work: BoundOperator) -> Mapping[str, pa.Schema]:
    """Return the state schema of each step of the chain `work`; empty unless several steps have state."""
    assert isinstance(work.function, Chain)
    return {} if work.function.states is None else work.function.states.schemas


def step_names(operators: Sequence[StepOperator]) -> list[str]:
    """Return a unique name for each step: its kind, with a number if the kind occurs more than once."""
    forms = [step.form for step in operators]
    counts = [forms[: number + 1].count(form) for number, form in enumerate(forms)]
    return [form if count == 1 else f"{form}_{count}" for form, count in zip(forms, counts, strict=True)]


def steps_of(operators: Sequence[StepOperator], bound: Mapping[str, BoundOperator], key: str | None) -> list[Step]:
    steps = []
    for number, (name, work) in enumerate(bound.items()):
        later = list(bound.values())[number + 1 :]
        stays = key if work.new_keys and any(one.state is not None for one in later) else None
        output = work.output if later or work.checks_output else None
        steps.append(
            Step(name, work.function, work.state is not None, operators[number].joins, work.carries, output, stays)
        )
    return steps


def topics_joined_later(operators: Sequence[StepOperator]) -> list[str]:
    """Return the topics that enter the chain after its first step, at the step that joins them.

    Empty if the first step is the only join, because this step gets the rows of both topics.
    """
    later = [step.joins for step in operators[1:] if step.joins is not None]
    first = operators[0].joins
    return [first, *later] if later and first is not None else later


def topic_columns(source: OperatorInput, topic: str) -> tuple[str, ...]:
    """Return the names of the columns of a topic's rows, including the pipeline's key."""
    own = source.topics[topic].names
    return tuple(own if source.key is None or source.key in own else [source.key, *own])


def stream_input(source: OperatorInput, stream: Mapping[str, Sequence[str]]) -> OperatorInput:
    """Return the input of the first step of a chain in which later steps join topics: only the rows of `stream`.

    `stream` has one item: the topic that the first step reads, with the column names of its rows. `source` is the input
    of the whole chain.
    """
    (name, columns), *_ = stream.items()
    rows = pa.schema([source.rows.field(column) for column in columns])
    return replace(source, rows=rows, topics={name: rows}, keys={name: source.key}, sees_all=False)


def joined_input(now: OperatorInput, source: OperatorInput, topic: str, step: str) -> OperatorInput:
    """Return the input of the step `step`, which joins the topic `topic`.

    `now` is the input without this topic, and `source` is the input of the whole chain. Raises PipelineConfigError if
    the topic cannot be joined at this step.
    """
    if now.opaque is not None:
        source.refuse(f"uses {step}(…) after {now.opaque}(…), whose rows have no position in the log: join first")
    name = next(iter(now.topics))
    topics = {topic: source.topics[topic], name: now.rows}
    tables = {one: (columns.empty_table(), source.keys.get(one)) for one, columns in topics.items()}
    try:
        rows = unite_tables({**tables, name: (now.rows.empty_table(), source.key)}, source.key).schema
    except pa.ArrowTypeError as error:
        source.refuse(f"joins {topic}, which has a column of the same name but another type: {error}")
    return replace(
        now, rows=rows, topics={name: now.rows, topic: source.topics[topic]},
        keys={name: source.key, topic: source.keys.get(topic)},
        events={**{one: event for one, event in source.events.items() if one == topic}, **now.events},
    )  # fmt: skip


def next_input(now: OperatorInput, name: str, work: BoundOperator) -> OperatorInput:
    """Return the input of the step after the step `name`.

    `now` is the input of the step `name`, and `work` is its operator.
    """
    output, topic, key = work.output, next(iter(now.topics)), now.key
    if output is None:
        now.refuse(f"has a step after {name}(…), whose columns are unknown: declare them with output='…'")
    if key in output.names and key not in now.rows.names:
        now.refuse(f"adds its key column {key} again in {name}(…), but an earlier step dropped it: do not drop it")
    if key in output.names and output.field(key).type != now.rows.field(key).type:
        now.refuse(f"changes the type of its key {key} in {name}(…): keep the type")
    opaque = now.opaque if work.carries else name
    event = None if opaque else work.event
    return replace(
        now, rows=output, topics={topic: output}, keys={topic: key}, opaque=opaque, sees_all=False,
        events={} if event is None else {topic: EventTime(event, 0)},
        event_lost_by=now.event_lost_by or (name if now.events and event is None else ""),
        made_by=now.made_by or (name if work.new_keys or "_offset" not in output.names else None),
        updates=work.updates,
        unordered_by=now.unordered_by if work.ordered else name,
    )  # fmt: skip
