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
    seats: tuple[str, ...]
    """Whose holders were away meanwhile; empty: everybody's, for the broker was."""


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
    for mark in marks:
        left, right = (mark.start_ms - zero) / 1000, (mark.end_ms - zero) / 1000
        for partition in _held_by(history, mark.seats, mark.start_ms, partitions):
            axes.barh(partition, right - left, left=left, height=0.72, color="white", alpha=0.45, hatch="///")
        axes.axvline(left, color="black", linewidth=0.9, linestyle="--")
        axes.annotate(
            mark.label,
            (left, 1),
            xycoords=("data", "axes fraction"),
            xytext=(2, 3),
            textcoords="offset points",
            fontsize=8,
        )

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


def _held_by(history: History, seats: tuple[str, ...], at_ms: int, partitions: int) -> set[int]:
    """What these seats held then; what the broker's restart concerns is all."""
    if not seats:
        return set(range(partitions))
    held = history.between(at_ms, at_ms)[0].seats
    return {partition for seat in seats for partition in held.get(seat, ())}


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
