"""Picture `out/seats.png`: the owner of each partition over time, and the deliberate disturbances."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from examples.main_job.history import History


@dataclass(frozen=True, slots=True)
class Mark:
    """Deliberate disturbance of the group, from its start until work continued."""

    label: str
    start_ms: int
    end_ms: int
    seats: tuple[str, ...]
    """Seats without a process meanwhile; empty if the whole broker was down."""


class Span(NamedTuple):
    """Time for which a seat owned a partition without interruption."""

    seat: str
    partition: int
    since_ms: int
    until_ms: int


HEIGHT: Final = 0.72
"""Height of a partition's bar, in rows."""


def draw(history: History, marks: Sequence[Mark], partitions: int, title: str, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    zero = history.holdings[0].at_ms
    end = max([holding.at_ms for holding in history.holdings] + [commit.at_ms for commit in history.commits])
    seats = sorted({seat for holding in history.holdings for seat in holding.seats})
    colours = dict(zip(seats, pyplot.get_cmap("tab10").colors, strict=False))
    figure, axes = pyplot.subplots(figsize=(11, 0.42 * partitions + 2.4), layout="constrained")

    spans = _spans(history, end)
    for seat, partition, since_ms, until_ms in spans:
        axes.barh(
            partition, (until_ms - since_ms) / 1000, left=(since_ms - zero) / 1000,
            height=HEIGHT, color=colours[seat], edgecolor="white", linewidth=0.8,
        )  # fmt: skip
    for commit in history.commits:
        axes.plot((commit.at_ms - zero) / 1000, commit.partition, ".", color="black", markersize=1.6)
    for mark in marks:
        _draw_mark(axes, mark, spans, zero)

    axes.set(xlabel="seconds since the group came to be", ylabel="partition", yticks=range(partitions))
    axes.set_xlim(0, (end - zero) / 1000)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colours[seat]) for seat in seats]
    figure.legend(handles, seats, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _draw_mark(axes: Any, mark: Mark, spans: Sequence[Span], zero_ms: int) -> None:
    """Draw a line at the start, and hatches over the seats without a process until work continued."""
    left = (mark.start_ms - zero_ms) / 1000
    for seat, partition, since_ms, until_ms in spans:
        from_ms, to_ms = max(since_ms, mark.start_ms), min(until_ms, mark.end_ms)
        if from_ms < to_ms and (seat in mark.seats or not mark.seats):
            at, width = (from_ms - zero_ms) / 1000, (to_ms - from_ms) / 1000
            axes.barh(partition, width, left=at, height=HEIGHT, color="white", alpha=0.45, hatch="///")
    axes.axvline(left, color="black", linewidth=0.9, linestyle="--")
    above = {"xycoords": ("data", "axes fraction"), "xytext": (2, 3), "textcoords": "offset points"}
    axes.annotate(mark.label, (left, 1), fontsize=8, **above)


def _spans(history: History, end_ms: int) -> list[Span]:
    """Return the spans; adjacent spans of one seat are merged, because nothing moved."""
    spans: list[Span] = []
    open_spans: dict[int, tuple[str, int]] = {}
    for holding in history.holdings:
        owners = {partition: seat for seat, owned in holding.seats.items() for partition in owned}
        for partition in open_spans.keys() | owners.keys():
            seat, since = open_spans.get(partition, ("", 0))
            if owners.get(partition) == seat:
                continue
            if seat:
                spans.append(Span(seat, partition, since, holding.at_ms))
                del open_spans[partition]
            if partition in owners:
                open_spans[partition] = (owners[partition], holding.at_ms)
    spans.extend(Span(seat, partition, since, end_ms) for partition, (seat, since) in open_spans.items())
    return spans
