"""`tenure what-if`: cost of restarts of a group, as it is and with a change."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.admin.times import parse_duration_ms
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.options import what_if as option
from tenure.cli.output import Group, Json, Misuse, print_json, print_message, print_table, setting

if TYPE_CHECKING:
    from tenure.whatif import Forecast, History, Situation


def what_if(
    group: Group,
    bounce: option.Bounce = "rolling",
    down: option.Down = "20s",
    wait: option.Wait = None,
    crash: option.Crash = False,
    times: option.Times = 1,
    static: option.Static = None,
    protocol: option.Protocol = None,
    assignor: option.Assignor = None,
    session_timeout: option.SessionTimeout = None,
    heartbeat_interval: option.HeartbeatInterval = None,
    members: option.Members = None,
    current: option.Current = None,
    audit: option.Audit = None,
    poll_interval: option.PollInterval = "100ms",
    seed: option.Seed = 1,
    picture: option.Picture = None,
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
        static,
        protocol,
        assignor,
        _ms(session_timeout),
        _ms(heartbeat_interval),
        _parse_members(members) if members else 0,
    )
    restarts: Bounce | History = Bounce(bounce, _ms(down) or 0, _ms(wait), crash, times)
    if audit is not None and restarts != Bounce():
        raise Misuse(
            "--audit replays the restarts that the audit found: leave out --bounce, --down, --wait, --crash and --times"
        )
    if audit is None:
        situation = _live(group, cluster_at(bootstrap_servers, command_config))
    else:
        situation, restarts = AuditedGroups(AuditDirectory.at(audit)).group(group)
    timing = replace(situation.timing, poll_interval_ms=_ms(poll_interval) or 0)
    situation = with_settings(replace(situation, timing=timing), dict(map(setting, current or ())))
    result = forecast(situation, restarts, None if change == GroupChange() else change, seed=seed)
    _print(result, as_json=json, picture=picture)


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


def _parse_members(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Misuse(f"--members is {text!r}: write it as +2 or -1") from None


def _print(result: "Forecast", *, as_json: bool, picture: Path | None) -> None:
    from tenure.whatif.table import about, columns, rows

    if as_json:
        print_json(result.as_json())
    else:
        print_message(about(result.situation, result.restarts))
        print_table(columns(result), rows(result))
    if picture is not None:
        from tenure.whatif.chart import write_picture

        write_picture(result, picture)
