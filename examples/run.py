"""The main job: 336,776 real flights through a pipeline that is stopped, killed and started again, exactly once.

make run                          static members: restarts move no partition
make run ARGS=--dynamic           also with dynamic members, for comparison
make run ARGS='--bootstrap-servers HOST:PORT'     against a broker that runs already, Apache Kafka for one
"""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from examples.flights_data import PARTITIONS, flights
from examples.main_job.application import Waited
from examples.main_job.picture import draw
from examples.main_job.processes import Ended
from examples.main_job.report import deviation, figures, show
from examples.main_job.story import Options, Story, Told

OUT = Path("out")


def main() -> int:
    chosen = _options()
    console = Console()
    try:
        told = {
            kind: _tell(console, kind, chosen) for kind in (["static", "dynamic"] if chosen.dynamic else ["static"])
        }
    except KeyboardInterrupt:
        console.print("Stopped. Nothing is left running.")
        return 130
    except (Waited, Ended) as failure:
        console.print(f"[red]Failed:[/red] {failure}", highlight=False)
        return 1
    show(console, {kind: figures(one) for kind, one in told.items()})
    deviations = [words for kind, one in told.items() if (words := deviation(one, static=kind == "static"))]
    for words in deviations:
        console.print(f"[red]Deviation:[/red] {words}", highlight=False)
    return 1 if deviations else 0


def _tell(console: Console, kind: str, chosen: argparse.Namespace) -> Told:
    options = Options(OUT / kind, kind == "static", chosen.flights, chosen.bootstrap_servers)
    total = len(flights(chosen.flights))
    prefix = f"{kind} members: " if chosen.dynamic else ""
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console, disable=not console.is_terminal, transient=True,
    ) as bars:  # fmt: skip
        flown = bars.add_task("flights produced", total=total)
        seen = bars.add_task("flights committed", total=total)

        def stage(text: str) -> None:
            bars.console.print(f"{prefix}{text}", highlight=False, soft_wrap=True)

        told = Story(
            options,
            stage,
            lambda count: bars.update(flown, completed=count),
            lambda count: bars.update(seen, completed=count),
        ).tell()
    picture = OUT / ("seats.png" if kind == "static" else f"seats-{kind}.png")
    draw(
        told.history,
        told.marks,
        PARTITIONS,
        f"Who held which partition ({kind} members). Dots: commits. Hatched: no work went on.",
        picture,
    )
    console.print(f"{prefix}who held which partition when is drawn in {picture}", highlight=False)
    return told


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dynamic", action="store_true", help="tell it twice: with static, then with dynamic members")
    options.add_argument("--bootstrap-servers", help="a broker that runs already; it is not restarted")
    options.add_argument("--flights", type=int, help="only the first so many (default: all)")
    return options.parse_args()


if __name__ == "__main__":
    sys.exit(main())
