"""`tenure move`: copy topics, groups and ACLs from one cluster to another."""

import time
from typing import Final

import typer

from tenure.admin.times import parse_duration_ms
from tenure.cli.connect import BootstrapServers, CommandConfig, address_of, cluster_at
from tenure.cli.options import move as option
from tenure.cli.output import Misuse, fail_if, listed, print_message, print_result, print_table
from tenure.client.net.event_loop import run
from tenure.exit_status import ExitStatus
from tenure.limits.move import FOLLOW_INTERVAL_S
from tenure.move.cluster_move import ClusterMove, MovePlan, PassResult
from tenure.move.options import ALL, WATCH_S, MoveOptions
from tenure.plural import format_count

UNITS: Final = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


def move(
    to: option.To = None,
    from_: option.From = None,
    remote_config: option.RemoteConfig = None,
    topics: option.Topics = None,
    exclude: option.Exclude = None,
    groups: option.Groups = None,
    last: option.Last = None,
    without_config: option.WithoutConfig = None,
    no_acls: option.NoAcls = False,
    append: option.Append = False,
    replication_factor: option.ReplicationFactor = None,
    rate: option.Rate = None,
    follow: option.Follow = False,
    verify: option.Verify = False,
    watch: option.Watch = None,
    dry_run: option.DryRun = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Move topics, groups and ACLs to another cluster (--to) or from another cluster (--from).

    Clients may continue to run. The copy can be interrupted with Ctrl-C or a kill: run the same command again to
    continue. No record is copied twice. Exit status 1: groups still commit at the source, or something was not moved.
    """
    _refuse_unclear_direction(to, from_)
    here, there = cluster_at(bootstrap_servers, command_config), cluster_at(to or from_, remote_config)
    source, target = (here, there) if to is not None else (there, here)
    options = MoveOptions(
        source,
        target,
        topics=listed(topics) or ALL,
        exclude=listed(exclude),
        groups=listed(groups) or ALL,
        last_ms=None if last is None else _duration_ms(last),
        bytes_per_second=None if rate is None else _bytes(rate),
        appends=append,
        replication_factor=replication_factor,
        without_configs=listed(without_config),
        moves_acls=not no_acls,
        watch_s=_watch_s(watch, switches_over=to is not None),
    )
    moving = ClusterMove(options)
    try:
        plan = run(moving.plan())
        if dry_run:
            _print_plan(plan, options)
        else:
            _run(moving, plan, follows=follow, verifies=verify, addresses=(address_of(source), address_of(target)))
    except KeyboardInterrupt:
        moving.close()  # ends the progress line
        print_message("move: stopped. Run the same command again to continue.")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    finally:
        moving.close()


def _refuse_unclear_direction(to: str | None, from_: str | None) -> None:
    if to is None and from_ is None:
        raise Misuse("Missing option: name the other cluster with --to or with --from")
    if to is not None and from_ is not None:
        raise Misuse("--to and --from exclude each other: give --to, and name the source with --bootstrap-servers")


def _run(moving: ClusterMove, plan: MovePlan, *, follows: bool, verifies: bool, addresses: tuple[str, str]) -> None:
    note = run(moving.begin(plan))
    if note:
        print_message(note)
    passed = run(moving.run_pass(plan))
    while follows:
        time.sleep(FOLLOW_INTERVAL_S)
        passed = run(moving.run_pass(plan))
    _print_totals(moving, plan, passed)
    failures = [group.trouble for group in passed.groups if group.trouble]
    if verifies:
        failures += _verify(moving, plan)
    _print_late_settings(plan, addresses)
    if moving.options.watch_s is not None and passed.committed:
        still_used = run(moving.watch(passed.committed))
        _print_switch_over(moving, passed, still_used, addresses)
        failures += still_used.values()
    fail_if(failures)


# --- output -----------------------------------------------------------------------------------------------------------


def _print_plan(plan: MovePlan, options: MoveOptions) -> None:
    print_table(
        ["topic", "partitions", "offsets", "at the target", "settings", "settings left out"],
        [
            [
                topic.topic,
                topic.partitions,
                topic.offsets,
                "exists" if topic.exists else "is created",
                " ".join(f"{key}={value}" for key, value in topic.configs.items()),
                "; ".join(f"{key}: {why}" for key, why in topic.left_out.items()),
            ]
            for topic in plan.topics
        ],
    )
    if plan.groups:
        print_table(
            ["group", "committed offsets"], [[group, len(offsets)] for group, offsets in sorted(plan.groups.items())]
        )
    if plan.acls is not None:
        print_result(f"ACLs: {len(plan.acls)}.")
    else:
        print_result("ACLs: none, the source has no authorizer." if options.moves_acls else "ACLs: not copied.")


def _print_totals(moving: ClusterMove, plan: MovePlan, passed: PassResult) -> None:
    totals = moving.totals
    rate = totals.size_bytes / totals.seconds / 1e6 if totals.seconds else 0.0
    print_result(
        f"Copied {format_count(totals.records, 'record')} ({totals.size_bytes / 1e6:,.1f} MB, {rate:.1f} MB/s) of "
        f"{format_count(len(plan.topics), 'topic')}."
    )
    if totals.skipped_offsets:
        print_result(f"Offsets deleted at the source before they were copied (retention): {totals.skipped_offsets:,}.")
    for group in passed.groups:
        if not group.trouble:
            written = (
                f"{format_count(len(group.written), 'offset')} written" if group.written else "offsets are up to date"
            )
            ahead = f", {len(group.ahead)} unchanged because the target has later ones" if group.ahead else ""
            print_result(f"Group '{group.group_id}': {written}{ahead}.")


def _verify(moving: ClusterMove, plan: MovePlan) -> list[str]:
    compared = run(moving.verify(plan))
    different = [one for one in compared if not one.is_equal]
    counted = format_count(sum(one.source.records for one in compared), "record")
    kind = " (of compacted topics, the newest of each key)" if plan.has_compacted else ""
    print_result(f"Verified {counted}{kind} of {format_count(len(compared), 'partition')}: {len(different)} differ.")
    return [
        f"Partition {one.partition} differs: {format_count(one.source.records, 'record')} with digest "
        f"{one.source.content.hex()} at the source, {one.target.records} with {one.target.content.hex()} at the target."
        for one in different
    ]


def _print_late_settings(plan: MovePlan, addresses: tuple[str, str]) -> None:
    source, target = addresses
    for topic in sorted(topic.topic for topic in plan.topics if topic.left_out.get("message.timestamp.type")):
        print_result(
            f"Topic '{topic}' has message.timestamp.type=LogAppendTime at {source}: set it at {target} after the move."
        )


def _print_switch_over(
    moving: ClusterMove, passed: PassResult, still_used: dict[str, str], addresses: tuple[str, str]
) -> None:
    source, target = addresses
    idle = sorted(passed.committed.keys() - still_used.keys())
    if idle and moving.options.watch_s:
        print_result(f"No commits at {source} in {moving.options.watch_s:g} s: {', '.join(idle)}.")
    print_result("To switch over: stop producers and members, run the same command again, and start them with:")
    for group in sorted(passed.committed):
        print_result(f"  group.id={group} bootstrap.servers={target}")
    print_result(
        f"When all groups have moved: tenure groups delete {moving.progress_group} --bootstrap-servers {target}"
    )


# --- options ----------------------------------------------------------------------------------------------------------


def _watch_s(text: str | None, *, switches_over: bool) -> float | None:
    """Return the time in s for which the source is watched for commits; None for no watch.

    If `text` is None, the source is watched only if `switches_over` is true, because the groups then leave the source.
    """
    if text is None:
        return WATCH_S if switches_over else None
    return _duration_ms(text) / 1000


def _duration_ms(text: str) -> int:
    try:
        return parse_duration_ms(text)
    except ValueError as error:
        raise Misuse(str(error)) from None


def _bytes(text: str) -> int:
    number, unit = (text[:-1], text[-1].upper()) if text and text[-1].isalpha() else (text, "")
    if not number.isdecimal() or not int(number) or unit not in UNITS:
        raise Misuse(f"Invalid rate {text!r}: write it as bytes per second, such as 500K, 20M or 1G")
    return int(number) * UNITS[unit]
