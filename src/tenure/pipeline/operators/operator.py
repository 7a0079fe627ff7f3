"""Operators of a pipeline, before and after they are bound to the columns of their input.

An `Operator` is bound once, when the pipeline is declared, so an unknown column is an error of the declaration and not
of the first batch. The result, a `BoundOperator`, is pickled into the tasks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, Protocol, TypeAlias

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.user_function import Function

UpdateKey: TypeAlias = tuple[tuple[str, ...], ...]
"""Columns that together identify a row: each is a column, or the path to a field of a struct column."""


class EventTime(NamedTuple):
    """Event time of a topic: its column, and the watermark delay in µs."""

    column: str
    delay_us: int
    idle_us: int | None = None
    """Idle timeout in µs."""


@dataclass(frozen=True, slots=True)
class OperatorInput:
    """Input of an operator: the columns of its rows, and the pipeline's declaration."""

    pipeline: str
    """Name of the pipeline, for errors."""
    rows: pa.Schema
    """Columns of the rows without `_watermark`."""
    topics: Mapping[str, pa.Schema]
    """Columns of each topic."""
    key: str | None
    keys: Mapping[str, str | None] = field(default_factory=dict)
    """Name of the key column in each topic."""
    events: Mapping[str, EventTime] = field(default_factory=dict)
    """Event time of each topic with a watermark."""
    sides: frozenset[str] = frozenset()
    """Names of the pipeline's side outputs."""
    is_last: bool = True
    """False if a step follows. The operator then carries the internal columns (`rows.CARRIED`) to its main output."""
    sees_all: bool = True
    """True if every record has a row, so the watermark does not advance between two rows."""
    event_lost_by: str = ""
    """Step that removed the column with the event time; empty if the rows still have this column."""
    opaque: str | None = None
    """Earlier step that returned rows without internal columns; None if the rows have these columns."""
    made_by: str | None = None
    """Earlier step whose rows do not belong to single records, such as a window; None if each row has an offset."""
    updates: UpdateKey | None = None
    """Columns by which a row replaces an earlier one; None if each row is final."""
    unordered_by: str | None = None
    """Earlier step that returned rows in an order that depends on batches; None if there is no such step."""

    def require_key(self) -> pa.Field:
        if self.key is None:
            self.refuse("keeps state by key, but its source has no key: add .keyed_by('column')")
        if self.key not in self.rows.names:
            self.refuse(f"keeps state by {self.key}, but an earlier step leaves this column out: keep it")
        if self.unordered_by is not None:
            step = f"{self.unordered_by}(…)"
            self.refuse(f"keeps state after {step}, whose rows come in no fixed order: put the step with state first")
        return self.rows.field(self.key)

    def column(self, name: str, purpose: str, topic: str | None = None) -> pa.Field:
        columns = self.rows if topic is None else self.topics[topic]
        if name not in columns.names:
            known = ", ".join(column for column in columns.names if not column.startswith("_"))
            self.refuse(f"has no column '{name}' for {purpose}, only {known}")
        return columns.field(name)

    def side(self, name: str, purpose: str) -> str:
        """Return `name`. Raises PipelineConfigError if the pipeline declares no side output of this name.

        `purpose` is the use of the side output, for the error.
        """
        if name not in self.sides:
            self.refuse(
                f"has no side output '{name}' for {purpose}: add it to side={{…}}; steps before .through(…) cannot have"
                " one"
            )
        return name

    def columns_to_side(self, side: str | None) -> dict[str, pa.Schema]:
        """Return {side: columns} for a side output that gets rows of this input; {} if `side` is None."""
        return {} if side is None else {side: self.rows}

    def require_event_time(self, topic: str, step: str) -> EventTime:
        if self.event_lost_by:
            self.refuse(f"uses {step}, which needs event time, after {self.event_lost_by}(…), whose rows have none")
        if topic not in self.events:
            self.refuse(f"uses {step}, which needs event time: add .with_watermark('column', '10 seconds') to {topic}")
        return self.events[topic]

    def require_watermark(self, step: str) -> None:
        """Check that the rows have a watermark. `step` names the step that needs it, for the error.

        Raises PipelineConfigError if an earlier step does not carry the watermark to its output.
        """
        if self.opaque is not None:
            self.refuse(f"uses {step}, which needs the watermark, after {self.opaque}(…), whose rows have none")

    def require_one_topic(self, step: str) -> str:
        if len(self.topics) != 1:
            self.refuse(f"uses {step}, which needs one topic, but reads {' and '.join(self.topics)}")
        return next(iter(self.topics))

    def refuse(self, reason: str) -> NoReturn:
        raise PipelineConfigError(f"Pipeline {self.pipeline} {reason}.")


class BoundOperator(NamedTuple):
    """Operator that is bound to the columns of its input."""

    function: Function
    """Function over a batch; picklable if the user's function is."""
    state: pa.Schema | None = None
    """Schema of the state, with the key first; None without state."""
    event_time: bool = False
    """True if the operator needs event time. Without a watermark, the record timestamps are the event time."""
    output: pa.Schema | None = None
    """Columns of the main output without internal ones; None if only the function knows them."""
    checks_output: bool = False
    """True if the function's rows must be checked against `output`, the columns that the user has declared."""
    event: str | None = None
    """Column of the main output with the event time; None if it has none."""
    carries: bool = True
    """True if the rows of the main output have the internal columns when another step follows."""
    ordered: bool = True
    """True if the order of the main output does not depend on how the log is cut into batches."""
    updates: UpdateKey | None = None
    """Columns of the main output by which a row replaces an earlier one; None if each row is final."""
    new_keys: bool = False
    """True if rows of the main output may have keys that no input row has. With state in a later step, that fails."""
    sides: Mapping[str, pa.Schema] = {}
    """Columns of the rows for side outputs, as far as they are known."""


class Operator(Protocol):
    def bound(self, step_input: OperatorInput) -> BoundOperator:
        """Return the operator bound to its input. Raises PipelineConfigError if the columns do not fit."""
