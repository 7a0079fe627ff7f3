"""`tenure storage ...`: check and repair a broker's data directory while no broker uses it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from tenure.cli.output import Json, Misuse, print_json, print_message, print_result, print_table
from tenure.exit_status import ExitStatus
from tenure.plural import format_count
from tenure.protocol.types import topic_id_text
from tenure.storage.data_directory import node_id_of
from tenure.storage.errors import StorageError
from tenure.storage.files import ReadOnlyFiles
from tenure.storage.recovery.apache_kafka import CLUSTER_METADATA
from tenure.storage.recovery.inventory_check import Finding
from tenure.storage.recovery.repair import Repair
from tenure.storage.recovery.repair import check as check_directory

if TYPE_CHECKING:
    from tenure.broker.process.contents import Contents
    from tenure.broker.process.kafka_directory import Unsupported
    from tenure.storage.recovery.damage import Damage

commands = typer.Typer(help="Check and repair the data directory of a stopped broker.", no_args_is_help=True)

Directory: TypeAlias = Annotated[Path, typer.Argument(metavar="DATA_DIR", show_default=False)]


@commands.command()
def check(
    directory: Directory,
    records: Annotated[
        bool, typer.Option("--records", help="Also verify every record batch, which reads all logs.")
    ] = False,
    json: Json = False,
) -> None:
    """Print the contents and the problems of a directory of Tenure or Apache Kafka. Changes nothing.

    Also says whether Tenure can start on the directory, and whether Apache Kafka can.

    Problems are missing or damaged files, and content that Apache Kafka left and Tenure cannot serve. Exit status 1 if
    there are any.
    """
    with _errors():
        report = _read_report(str(directory.absolute()), records=records)
    of_kafka = _verdict_of_kafka(directory, report)
    if json:
        print_json(_report_json(directory, report, of_kafka))
    else:
        _print_contents(report.contents)
        _print_problems(report)
    _print_remedies(directory, report)
    print_message(of_kafka)
    if report.has_problems:
        raise typer.Exit(ExitStatus.FAILED)
    if report.inventory_damage is None:
        print_message(f"Tenure starts: {directory} is complete.")


class _Report(NamedTuple):
    """Contents and problems of a data directory."""

    contents: "Contents"
    findings: list[Finding]
    inventory_damage: str | None
    damages: "list[Damage]"
    """Damaged record batches; empty if they were not read."""
    unsupported: "Unsupported"

    @property
    def unread_logs(self) -> list[str]:
        """Log of each coordinator that could not be read, with the reason."""
        return [reason for reason in self.contents.unreadable if not reason.startswith(CLUSTER_METADATA)]

    @property
    def has_problems(self) -> bool:
        return bool(self.findings or self.damages or self.unsupported.named or self.unread_logs)


def _read_report(path: str, *, records: bool) -> _Report:
    # These modules serve this command only.
    from tenure.broker.process.contents import find_damaged_records, read_contents
    from tenure.broker.process.kafka_directory import unsupported_objects

    files = ReadOnlyFiles()
    findings, inventory_damage = check_directory(path)
    unsupported = unsupported_objects(files, path, node_id_of(files, path))
    damages = list(find_damaged_records(files, path)) if records else []
    return _Report(read_contents(files, path), findings, inventory_damage, damages, unsupported)


def _report_json(directory: Path, report: _Report, of_kafka: str) -> dict[str, Any]:
    return {
        "data_directory": str(directory.absolute()),
        "contents": report.contents._asdict(),
        "findings": [_json(finding) for finding in report.findings],
        "inventory_damage": report.inventory_damage,
        "damages": [damage._asdict() for damage in report.damages],
        "unsupported": report.unsupported.named,
        "apache_kafka": of_kafka,
    }


def _print_contents(contents: "Contents") -> None:
    stopped = "stopped cleanly" if contents.was_clean else "not stopped cleanly"
    features = ", ".join(f"{name} {level}" for name, level in contents.features.items()) or "none"
    print_result(f"Last broker: {contents.last_broker}, {stopped}. Feature levels: {features}.")
    numbers = [
        (contents.topics, "topic"),
        (contents.partitions, "partition"),
        (contents.groups, "group"),
        (contents.committed_offsets, "committed offset"),
        (contents.transactional_ids, "transactional id"),
        (contents.users, "user"),
        (contents.acls, "ACL"),
        (contents.quotas, "quota"),
    ]
    counted = ", ".join(format_count(number, name) for number, name in numbers)
    print_result(f"Contents: {counted}, {contents.log_bytes / 1e6:,.1f} MB of logs.")
    for reason in contents.unreadable:
        print_result(f"Not counted: {reason}.")


def _print_problems(report: _Report) -> None:
    if report.findings:
        rows = [[finding.object, finding.problem, finding.lost] for finding in report.findings]
        print_table(["object", "problem", "lost"], rows)
    for damage in report.damages:
        print_result(f"{damage}.")


def _print_remedies(directory: Path, report: _Report) -> None:
    _say_damage(report.inventory_damage)
    if report.findings:
        print_message(
            f"{format_count(len(report.findings), 'finding')}: the broker does not start. Restore what is missing "
            f"from a backup, or accept the loss with `tenure storage repair {directory}`."
        )
    _print_unsupported(directory, report.unsupported)
    for reason in report.unread_logs:
        print_message(
            f"Tenure starts, and refuses requests for the groups or transactional ids in {reason}. Use the broker "
            "version that wrote this log."
        )


def _print_unsupported(directory: Path, unsupported: "Unsupported") -> None:
    if unsupported.lost:
        print_message(f"{directory} lacks data of Apache Kafka: {'; '.join(unsupported.lost)}.")
    others = [name for name in unsupported.named if name not in unsupported.lost]
    if others:
        print_message(f"{directory} has objects that Tenure cannot serve: {'; '.join(others)}. {unsupported.remedy}.")


def _verdict_of_kafka(directory: Path, report: _Report) -> str:
    if report.unsupported.has_lost_metadata:
        return "Apache Kafka does not start without its metadata log or a snapshot, and does not report damage in them."
    if "metadata.version" not in report.contents.features and report.unsupported.blocking:
        return "Apache Kafka starts with the metadata that `kafka-storage.sh format` has written."
    if report.unsupported.lost:
        return "Apache Kafka starts, and begins the missing partitions without records. Restore them first."
    if "metadata.version" not in report.contents.features:
        return "Apache Kafka does not start: the metadata log has no feature levels. Start Tenure once first."
    if report.findings or report.damages:
        return (
            "Apache Kafka does not report this loss: it begins missing partitions without records, and loses topics "
            "whose metadata comes after the damage. Repair the directory first."
        )
    if report.contents.last_broker == "Tenure":
        return f"Apache Kafka starts with the properties that `tenure handover {directory} --to kafka` prints."
    return "Apache Kafka starts with the properties file that it had before."


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
    _print_accepted(done, left, as_json=json)
    _say_damage(repairing.inventory_damage)
    if left:
        print_message(
            f"{format_count(len(left), 'finding')} left, see `tenure storage check {directory}`: "
            "the broker does not start."
        )
        raise typer.Exit(ExitStatus.FAILED)
    if repairing.inventory_damage is None:
        print_message(f"{directory} is complete." if done else f"{directory} is complete: there was nothing to repair.")


def _print_accepted(accepted: Sequence[tuple[Finding, str]], left: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "accepted": [_json(finding) | {"action": action} for finding, action in accepted],
                "left": [_json(finding) for finding in left],
            }
        )
    else:
        for finding, action in accepted:
            print_result(f"Accepted: {finding}. Action: {action}.")


def _say_damage(inventory_damage: str | None) -> None:
    if inventory_damage is not None:
        print_message(f"{inventory_damage}.")


def _refuse_unknown(accept: list[str], findings: list[Finding]) -> None:
    objects = [finding.object for finding in findings]
    for name in accept:
        if name not in objects:
            known = f"the findings are {', '.join(objects)}" if objects else "nothing is missing or damaged"
            raise Misuse(f"Unknown object {name!r}: {known}.")


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
        raise ValueError(f"File {error.filename} cannot be used ({error.strerror}).") from None
