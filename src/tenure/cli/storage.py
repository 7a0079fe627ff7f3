"""`tenure storage ...`: check and repair a broker's data directory while no broker uses it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from tenure.cli.output import Json, Misuse, count_of, print_json, print_table, say, tell
from tenure.exit_status import ExitStatus
from tenure.protocol.types import topic_id_text
from tenure.storage.data_directory import node_id_of
from tenure.storage.errors import StorageError
from tenure.storage.files import LocalDataFiles
from tenure.storage.recovery.inventory_check import Finding
from tenure.storage.recovery.repair import Repair
from tenure.storage.recovery.repair import check as check_directory

commands = typer.Typer(help="Check and repair the data directory of a stopped broker.", no_args_is_help=True)

Directory: TypeAlias = Annotated[Path, typer.Argument(metavar="DATA_DIR", show_default=False)]


@commands.command()
def check(directory: Directory, json: Json = False) -> None:
    """List the problems that keep the broker from starting on the directory. Changes nothing.

    Problems are missing or damaged files, and content that Apache Kafka left and Tenure cannot serve. Exit status 1 if
    there are any.
    """
    from tenure.broker.process.takeover import find_unsupported  # serves this command only

    files, path = LocalDataFiles(), str(directory.absolute())
    with _errors():
        findings, inventory_damage = check_directory(path)
        unsupported = find_unsupported(files, path, node_id_of(files, path))
    if json:
        print_json(
            {
                "data_directory": str(directory.absolute()),
                "findings": [_json(finding) for finding in findings],
                "inventory_damage": inventory_damage,
                "unsupported": unsupported,
            }
        )
    elif findings:
        print_table(
            ["object", "problem", "lost"], [[finding.object, finding.problem, finding.lost] for finding in findings]
        )
    _say_damage(inventory_damage)
    if findings:
        say(
            f"{count_of(findings, 'finding')}: the broker does not start. Restore what is missing from a backup, or "
            f"accept the loss with `tenure storage repair {directory}`."
        )
    if unsupported:
        say(
            f"Apache Kafka has used {directory}, and Tenure cannot serve: {'; '.join(unsupported)}. `tenure serve "
            "--force` sets it aside."
        )
    if findings or unsupported:
        raise typer.Exit(ExitStatus.FAILED)
    if inventory_damage is None:
        say(f"{directory} is complete.")


@commands.command()
def repair(
    directory: Directory,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept", metavar="OBJECT", help="Object whose loss is accepted, as `check` names it; may be repeated."
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Accept every loss.")] = False,
    json: Json = False,
) -> None:
    """Accept losses, so that the broker can start again. Deletes nothing; damaged files are set aside."""
    if bool(accept) == all_:
        raise Misuse("Name what to accept with --accept OBJECT, or accept everything with --all.")
    with _errors():
        repairing = Repair.begin(str(directory.absolute()))
        try:
            chosen = [finding for finding in repairing.findings if all_ or finding.object in (accept or [])]
            _refuse_unknown(accept or [], repairing.findings)
            done = [(finding, repairing.accept(finding)) for finding in chosen]
        finally:
            repairing.close()
    left = [finding for finding in repairing.findings if finding not in chosen]
    if json:
        print_json(
            {
                "accepted": [_json(finding) | {"action": action} for finding, action in done],
                "left": [_json(finding) for finding in left],
            }
        )
    else:
        for finding, action in done:
            tell(f"Accepted: {finding}. Action: {action}.")
    _say_damage(repairing.inventory_damage)
    if left:
        say(f"{count_of(left, 'finding')} left, see `tenure storage check {directory}`: the broker does not start.")
        raise typer.Exit(ExitStatus.FAILED)
    if repairing.inventory_damage is None:
        say(f"{directory} is complete." if done else f"{directory} is complete: there was nothing to repair.")


def _say_damage(inventory_damage: str | None) -> None:
    if inventory_damage is not None:
        say(f"{inventory_damage}.")


def _refuse_unknown(accept: list[str], findings: list[Finding]) -> None:
    objects = [finding.object for finding in findings]
    for name in accept:
        if name not in objects:
            known = f"there are {', '.join(objects)}" if objects else "there is none"
            raise Misuse(f"There is no finding {name!r}; {known}.")


def _json(finding: Finding) -> dict[str, Any]:
    return finding._asdict() | {
        "topic_id": None if finding.topic_id is None else topic_id_text(finding.topic_id),
        "lost": finding.lost,
    }


@contextmanager
def _errors() -> Iterator[None]:
    """Convert storage errors to errors of the command, which are printed as one sentence."""
    try:
        yield
    except StorageError as error:
        raise ValueError(str(error)) from None
    except OSError as error:
        raise ValueError(f"{error.filename} cannot be used ({error.strerror}).") from None
