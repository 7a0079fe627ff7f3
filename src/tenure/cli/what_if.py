"""`tenure what-if`: cost of restarts of a group, as it is and with a change."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from tenure.admin.times import parse_duration_ms
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Group, Json, Misuse, print_json, print_table, say, setting

if TYPE_CHECKING:
    from tenure.whatif import Forecast, History, Situation

Duration: TypeAlias = str
OF_CHANGE = "With the change"


def what_if(
    group: Group,
    bounce: Annotated[
        str,
        typer.Option(
            metavar="rolling|all|one|none",
            help="Members that restart: one after the other, all at once, a single one, or none.",
        ),
    ] = "rolling",
    down: Annotated[
        Duration, typer.Option(metavar="DURATION", help="Time from the end of a process to the start of the next.")
    ] = "20s",
    wait: Annotated[
        Duration | None,
        typer.Option(
            metavar="DURATION",
            help="Time between a start and the next stop.",
            show_default="until the group is stable",
        ),
    ] = None,
    crash: Annotated[bool, typer.Option("--crash", help="Kill the members: they do not leave the group.")] = False,
    times: Annotated[int, typer.Option(min=1, max=1_000, help="Number of times that these members restart.")] = 1,
    static: Annotated[
        bool | None,
        typer.Option(
            "--static/--dynamic", help="Give all members a group.instance.id, or none.", rich_help_panel=OF_CHANGE
        ),
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(metavar="classic|consumer", help="Kafka's group.protocol.", rich_help_panel=OF_CHANGE)
    ] = None,
    assignor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="range, roundrobin, sticky or cooperative-sticky; of the consumer protocol uniform or range.",
            rich_help_panel=OF_CHANGE,
        ),
    ] = None,
    session_timeout: Annotated[
        Duration | None, typer.Option(metavar="DURATION", help="Session timeout.", rich_help_panel=OF_CHANGE)
    ] = None,
    heartbeat_interval: Annotated[
        Duration | None, typer.Option(metavar="DURATION", help="Heartbeat interval.", rich_help_panel=OF_CHANGE)
    ] = None,
    members: Annotated[
        str | None,
        typer.Option(
            metavar="+N|-N", help="Members that join (+N) or leave (-N) before the restarts.", rich_help_panel=OF_CHANGE
        ),
    ] = None,
    current: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Present setting that is not in the group's description, such as session.timeout.ms=10000; may be "
            "repeated.",
        ),
    ] = None,
    audit: Annotated[
        str | None,
        typer.Option(
            metavar="DIRECTORY",
            help="Replay the history of the group in this audit, instead of --bounce on the live group.",
        ),
    ] = None,
    poll_interval: Annotated[
        Duration, typer.Option(metavar="DURATION", help="Time between two polls of a member.")
    ] = "100ms",
    seed: Annotated[int, typer.Option(help="Seed of the random phases of members.")] = 1,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Write a picture of paused partitions over time.")
    ] = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Forecast what restarts of a group cost, as it is and with a change.

    Reads the group's description from any Kafka broker, and simulates restarts in virtual time. Changes nothing. With
    --audit, needs no broker: it replays the starts and ends of members that the audit found.
    """
    from tenure.audit.audit_directory import AuditDirectory
    from tenure.whatif import Bounce, GroupChange, forecast
    from tenure.whatif.audited import AuditedGroups
    from tenure.whatif.described import with_settings

    change = GroupChange(
        static, protocol, assignor, _ms(session_timeout), _ms(heartbeat_interval), _signed(members) if members else 0
    )
    restarts: Bounce | History = Bounce(bounce, _ms(down) or 0, _ms(wait), crash, times)
    if audit is not None and restarts != Bounce():
        raise Misuse(
            "--audit replays the restarts of its history: leave out --bounce, --down, --wait, --crash and --times"
        )
    if audit is None:
        situation = _live(group, cluster_at(bootstrap_servers, command_config))
    else:
        situation, restarts = AuditedGroups(AuditDirectory.at(audit)).group(group)
    timing = replace(situation.timing, poll_interval_ms=_ms(poll_interval) or 0)
    situation = with_settings(replace(situation, timing=timing), dict(map(setting, current or ())))
    found = forecast(situation, restarts, None if change == GroupChange() else change, seed=seed)
    if json:
        print_json(found.as_json())
    else:
        _print(found)
    if picture is not None:
        from tenure.whatif.chart import write_picture

        write_picture(found, picture)


def _live(group: str, cluster: dict[str, str]) -> "Situation":
    from tenure.admin import Admin
    from tenure.whatif.described import describe

    with Admin(cluster) as admin:
        return describe(admin, group)


def _ms(duration: str | None) -> int | None:
    try:
        return None if duration is None else parse_duration_ms(duration)
    except ValueError as error:
        raise Misuse(str(error)) from None


def _signed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Misuse(f"--members is {text!r}: write it as +2 or -1") from None


def _print(found: "Forecast") -> None:
    from tenure.whatif.table import about, columns, rows

    say(about(found.situation, found.restarts))
    print_table(columns(found), rows(found))
