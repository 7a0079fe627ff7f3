"""Table at the end, with one column for each run, and the verdict as text."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from examples.main_job.story import Told


def figures(told: Told) -> dict[str, str]:
    before, after = (told.history.between(told.start_ms, told.end_ms)[index].generation for index in (0, -1))
    verdict, crash = told.verdict, told.crash
    silence_s = told.history.longest_silence_s(told.start_ms, told.end_ms)
    return {
        "records in": f"{verdict.records_in:,}",
        "rows out": f"{verdict.rows_out:,}",
        "rows duplicated": f"{verdict.rows_duplicated:,}",
        "rows lost": f"{verdict.rows_lost:,}",
        "state equal to a direct computation": "yes" if verdict.state_equal else "no",
        "application B died": f"after “{crash.step}”, before it could commit",
        "orphaned staged files that prove it": f"{len(crash.orphans)}",
        "rebalances during the bounces": str(told.history.rebalances(told.start_ms, told.end_ms)),
        "generation before, after": f"{before}, {after}",
        "partitions moved": str(told.history.partitions_moved(told.start_ms, told.end_ms)),
        "longest time without progress": f"{silence_s:.1f} s",
        "batches": f"{told.batches:,}",
        "rows/s (paced by the producer)": f"{told.rows_per_s:,.0f}",
    }


def show(console: Console, columns: Mapping[str, Mapping[str, str]]) -> None:
    """Print both runs side by side; without a terminal, the same text without a frame."""
    names = list(next(iter(columns.values())))
    if not console.is_terminal:
        for name in names:
            console.print(
                f"{name}: " + " | ".join(f"{title} {rows[name]}" for title, rows in columns.items()), soft_wrap=True
            )
        return
    table = Table(title="Flights through a fenced commit", title_justify="left", show_edge=False)
    table.add_column("")
    for title in columns:
        table.add_column(title, justify="right", overflow="fold")
    for name in names:
        table.add_row(name, *(rows[name] for rows in columns.values()))
    console.print(table)


def deviation(told: Told, *, static: bool) -> str | None:
    """Return the first deviation from the expected result, as a sentence; None if there is none."""
    if told.verdict.difference is not None:
        return told.verdict.difference
    if not static:
        return None  # Without static membership, lost seats are expected: this run shows them.
    if rebalances := told.history.rebalances(told.start_ms, told.end_ms):
        return f"There were {rebalances} rebalances while applications and broker were restarted; there should be none."
    if moved := told.history.partitions_moved(told.start_ms, told.end_ms):
        return f"{moved} partitions changed their seat while applications and broker were restarted; none should."
    return None
