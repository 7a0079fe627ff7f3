"""`out/seats.png`: which seat held which partition when, and what happened to its holders meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from examples.main_job.history import History


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that was done to the group on purpose, from its start until work went on."""

    label: str
    start_ms: int
    end_ms: int
    seats: tuple[str, ...]  # whose seats were left alone meanwhile; empty: the broker's doing, it concerns all


def draw(history: History, marks: Sequence[Mark], partitions: int, title: str, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    zero = history.holdings[0].at_ms
    end = max([holding.at_ms for holding in history.holdings] + [commit.at_ms for commit in history.commits])
    seats = sorted({seat for holding in history.holdings for seat in holding.seats})
    colours = dict(zip(seats, pyplot.get_cmap("tab10").colors, strict=False))
    figure, axes = pyplot.subplots(figsize=(11, 0.42 * partitions + 2.4), layout="constrained")

    for seat, partition, start_ms, end_ms in _spans(history, end):
        axes.barh(
            partition, (end_ms - start_ms) / 1000, left=(start_ms - zero) / 1000,
            height=0.72, color=colours[seat], edgecolor="white", linewidth=0.8,
        )  # fmt: skip
    for commit in history.commits:
        axes.plot((commit.at_ms - zero) / 1000, commit.partition, ".", color="black", markersize=1.6)
    for number, mark in enumerate(marks):
        left, right = (mark.start_ms - zero) / 1000, (mark.end_ms - zero) / 1000
        axes.axvspan(left, right, color="black", alpha=0.2 if number % 2 else 0.12, linewidth=0)
        axes.axvline(left, color="black", linewidth=0.9, linestyle="--")
        axes.annotate(
            mark.label, (left, 1), xycoords=("data", "axes fraction"), xytext=(2, 3), textcoords="offset points",
            fontsize=8, rotation=18, va="bottom",
        )  # fmt: skip

    axes.set(xlabel="seconds since the first assignment", ylabel="partition", yticks=range(partitions))
    axes.set_xlim(0, (end - zero) / 1000)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colours[seat]) for seat in seats]
    figure.legend(handles, seats, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _spans(history: History, end_ms: int) -> list[tuple[str, int, int, int]]:
    """(seat, partition, from, until), adjoining spans of one seat merged: what moves nothing draws no edge."""
    spans: list[tuple[str, int, int, int]] = []
    open_spans: dict[int, tuple[str, int]] = {}
    for holding in history.holdings:
        owners = {partition: seat for seat, owned in holding.seats.items() for partition in owned}
        for partition in open_spans.keys() | owners.keys():
            seat, since = open_spans.get(partition, ("", 0))
            if owners.get(partition) == seat:
                continue
            if seat:
                spans.append((seat, partition, since, holding.at_ms))
                del open_spans[partition]
            if partition in owners:
                open_spans[partition] = (owners[partition], holding.at_ms)
    spans.extend((seat, partition, since, end_ms) for partition, (seat, since) in open_spans.items())
    return spans
