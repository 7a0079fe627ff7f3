"""`tenure groups fences`: compare the four policies of `group.commit.fencing` on one simulated history."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tenure.cli.groups import fences_picture
from tenure.cli.output import Json, Misuse, print_json, print_message, print_table

if TYPE_CHECKING:
    from tenure.simulation.commit_history import HistoryParameters
    from tenure.simulation.fences import Verdict

COLUMNS: Final = ("policy", "honest refused", "zombies accepted", "foreign accepted", "a commit passes if")
PASSES: Final = {
    "assignment-epoch": "assignment epoch <= its epoch <= member epoch",
    "kafka": "the same, or its epoch = member epoch",
    "revocation-epoch": "revocation epoch < its epoch <= member epoch",
    "member-epoch": "its epoch = member epoch",
}


def fences(
    members: Annotated[int, typer.Option(min=1, max=100, help="Approximate number of group members.")] = 6,
    partitions: Annotated[
        int, typer.Option(min=1, max=1_000, help="Partitions of the topic that all members read.")
    ] = 24,
    rebalances: Annotated[
        int,
        typer.Option(
            min=1, max=10_000, help="Number of rebalances: members join, leave, restart, stall or change subscriptions."
        ),
    ] = 100,
    heartbeat_delay_ms: Annotated[
        int,
        typer.Option(min=0, max=10_000, help="Mean time of a heartbeat to the coordinator, and of its answer back."),
    ] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the random history.")] = 1,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Write a picture of refused and accepted commits over time.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare the policies of group.commit.fencing by their wrong decisions.

    A decision is wrong if the policy refuses a commit of a partition's owner, or accepts a commit of a member that has
    lost the partition (a zombie). Simulates a group with the rules of the broker. Needs no broker.
    """
    from tenure.simulation.commit_history import HistoryParameters, play
    from tenure.simulation.fences import judge

    if picture is not None and not picture.parent.is_dir():
        raise Misuse(f"There is no directory {picture.parent} for the picture: create it, or name another file")
    pyplot = None if picture is None else fences_picture.plotting()
    parameters = HistoryParameters(members, partitions, rebalances, seed, heartbeat_delay_ms)
    history = list(play(parameters))
    verdicts = [judge(history, policy) for policy in PASSES]
    if json:
        print_json(_as_json(parameters, verdicts, history[-1].at_ms))
    else:
        print_message(_summarize_history(parameters, verdicts[0], history[-1].at_ms))
        print_table(COLUMNS, [_row(verdict) for verdict in verdicts])
    if picture is not None:
        fences_picture.draw(pyplot, verdicts, history, picture)


def _summarize_history(parameters: "HistoryParameters", verdict: "Verdict", ended_ms: int) -> str:
    group = (
        f"a group of {parameters.members}, {ended_ms / 60_000:.0f} minutes, {parameters.rebalances} rebalances, "
        f"seed {parameters.seed}"
    )
    return (
        f"{group}: {verdict.honest:,} commits of members that have owned the partition since the commit's epoch "
        f"(honest), {verdict.zombies:,} that arrived after the member had lost the partition (zombies), "
        f"{verdict.foreign:,} of partitions that the member had given up before it learned the commit's epoch "
        "(foreign)."
    )


def _row(verdict: "Verdict") -> Sequence[object]:
    return (
        verdict.policy,
        len(verdict.false_refusals_ms),
        len(verdict.accepted_zombies_ms),
        len(verdict.foreign_accepted_ms),
        PASSES[verdict.policy],
    )


def _as_json(parameters: "HistoryParameters", verdicts: Sequence["Verdict"], ended_ms: int) -> dict[str, Any]:
    first = verdicts[0]
    return {
        "history": parameters._asdict() | {"ended_ms": ended_ms},
        "honest": first.honest,
        "zombies": first.zombies,
        "foreign": first.foreign,
        "policies": [
            {
                "policy": verdict.policy,
                "honest_refused": len(verdict.false_refusals_ms),
                "zombies_accepted": len(verdict.accepted_zombies_ms),
                "foreign_accepted": len(verdict.foreign_accepted_ms),
            }
            for verdict in verdicts
        ],
    }
