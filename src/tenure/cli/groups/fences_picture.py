"""Picture of `tenure groups fences`: running totals of rejected honest commits and of accepted zombie commits."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tenure.simulation.commit_history import Event
    from tenure.simulation.fences import Verdict

COLOURS: Final = {
    "assignment-epoch": "tab:green",
    "kafka": "tab:blue",
    "revocation-epoch": "tab:orange",
    "member-epoch": "tab:red",
}

LINE: Final = 0.12
"""Height of a name in the picture, as a share of the axes."""


def plotting() -> Any:
    """Import matplotlib, and return its `pyplot`, which draws into files. Raises ValueError without matplotlib."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise ValueError("A picture needs matplotlib: run `pip install matplotlib`.") from None
    mpl.use("agg")
    from matplotlib import pyplot

    return pyplot


def draw(pyplot: Any, verdicts: Sequence["Verdict"], history: Sequence["Event"], path: Path) -> None:
    first = verdicts[0]
    panels = (
        (f"Honest commits refused, of {first.honest:,}: work is done twice", "false_refusals_ms"),
        (f"Commits of zombies accepted, of {first.zombies:,}: work is lost", "accepted_zombies_ms"),
        (
            f"Commits of foreign partitions accepted, of {first.foreign:,}: a wrong position is stored",
            "foreign_accepted_ms",
        ),
    )
    figure, rows = pyplot.subplots(len(panels), 1, figsize=(9, 7.2), sharex=True, layout="constrained")
    for axes, (title, moments) in zip(rows, panels, strict=True):
        _draw_sums(axes, {verdict.policy: getattr(verdict, moments) for verdict in verdicts}, history[-1].at_ms)
        axes.set_title(title, loc="left", fontsize=10)
    rows[-1].set_xlabel("minutes in the life of one group")
    figure.suptitle("The same commits, judged by each policy of group.commit.fencing", x=0.01, ha="left", fontsize=12)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _draw_sums(axes: Any, moments: dict[str, list[int]], ended_ms: int) -> None:
    """Draw the running total of commits for each policy, with a label at the end of the line.

    Lines with the same total share a label. `moments` has the times of the commits in ms, by policy.
    """
    ends: dict[int, list[str]] = {}
    for policy, at_ms in moments.items():
        ends.setdefault(len(at_ms), []).append(policy)
    for policy, at_ms in reversed(moments.items()):  # the first policy is drawn last, above the others
        minutes = [0.0, *(time_ms / 60_000 for time_ms in at_ms), ended_ms / 60_000]
        sums = [*range(len(at_ms) + 1), len(at_ms)]
        axes.step(minutes, sums, where="post", color=COLOURS[policy], linewidth=1.8)
    top = 1.08 * max(1, *ends)
    beside = {"xytext": (6, 0), "textcoords": "offset points", "va": "center", "annotation_clip": False}
    lowest = 0.0
    for count, policies in sorted(ends.items()):
        height = max(lowest, count)
        text = f"{count:,}  {', '.join(policies)}"
        axes.annotate(text, (ended_ms / 60_000, height), color=COLOURS[policies[0]], fontsize=8.5, **beside)
        lowest = height + LINE * top
    axes.set_xlim(0, ended_ms / 60_000)
    axes.set_ylim(bottom=-0.02 * top, top=top)
    axes.spines[["top", "right"]].set_visible(False)
