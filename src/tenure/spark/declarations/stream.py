"""Chain of steps over the rows of topics: the methods of `Topic` that begin one, and `Stream`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, cast

from tenure.spark.declarations import columns, processing
from tenure.spark.declarations.processing import Joinable, Stateful, Transform

P = ParamSpec("P")

Step: TypeAlias = Stateful | Transform


def adds(declare: Callable[P, Step]) -> "Callable[Concatenate[Any, P], Stream]":
    """Return a method that adds the step which `declare` returns, with its arguments and its documentation."""

    @wraps(declare)
    def add(self: "StreamMethods", *args: P.args, **kwargs: P.kwargs) -> "Stream":
        return self.then(declare(*args, **kwargs))

    return cast("Callable[Concatenate[Any, P], Stream]", add)


class StreamMethods:
    """Methods that add a step. Each has the arguments of the function of the same name."""

    __slots__ = ()

    def then(self, step: Step) -> "Stream":
        """Return the stream with one more step."""
        raise NotImplementedError

    select = adds(columns.select)
    filter = adds(columns.filter_rows)
    with_column = adds(columns.with_column)
    drop = adds(columns.drop)
    side_output = adds(columns.side_output)
    map = adds(processing.map_rows)
    map_batches = adds(processing.map_batches)
    map_with_state = adds(processing.map_with_state)
    stateful = adds(processing.stateful)
    windowed = adds(processing.windowed)
    join_static = adds(processing.join_static)
    join_state_table = adds(processing.join_state_table)
    join_streams = adds(processing.join_streams)
    transform = adds(processing.transform)


@dataclass(frozen=True, slots=True)
class Stream(StreamMethods):
    """Rows of topics after some steps. The methods of a `Topic` create it."""

    sources: Sequence[Joinable]
    """Topics in the order in which they are joined."""
    steps: Sequence[Step]

    def then(self, step: Step) -> "Stream":
        """Return the stream with one more step."""
        others = () if isinstance(step, Transform) or isinstance(step.joins, str | None) else (step.joins,)
        return replace(self, sources=(*self.sources, *others), steps=(*self.steps, step))
