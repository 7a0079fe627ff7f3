"""Options of `tenure what-if`."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

OF_CHANGE: Final = "With the change"

Bounce: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="rolling|all|one|none",
        help="Members that restart: one after the other, all at once, a single one, or none.",
    ),
]

Down: TypeAlias = Annotated[
    str, typer.Option(metavar="DURATION", help="Time from the end of a process to the start of its successor.")
]

Wait: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="DURATION",
        help="Time from the start of one member to the stop of the next one.",
        show_default="until the group is stable",
    ),
]

Crash: TypeAlias = Annotated[bool, typer.Option("--crash", help="Kill the members: they do not leave the group.")]

Times: TypeAlias = Annotated[int, typer.Option(min=1, max=1_000, help="Number of times that these members restart.")]

Static: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--static/--dynamic", help="Give all members a group.instance.id, or none.", rich_help_panel=OF_CHANGE
    ),
]

Protocol: TypeAlias = Annotated[
    str | None, typer.Option(metavar="classic|consumer", help="Kafka's group.protocol.", rich_help_panel=OF_CHANGE)
]

Assignor: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="range, roundrobin, sticky or cooperative-sticky; with the consumer protocol: uniform or range.",
        rich_help_panel=OF_CHANGE,
    ),
]

SessionTimeout: TypeAlias = Annotated[
    str | None, typer.Option(metavar="DURATION", help="Session timeout.", rich_help_panel=OF_CHANGE)
]

HeartbeatInterval: TypeAlias = Annotated[
    str | None, typer.Option(metavar="DURATION", help="Heartbeat interval.", rich_help_panel=OF_CHANGE)
]

Members: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="+N|-N", help="Members that join (+N) or leave (-N) before the restarts.", rich_help_panel=OF_CHANGE
    ),
]

Current: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Present value of a setting that brokers do not report, such as session.timeout.ms=10000; may be "
        "repeated.",
    ),
]

Audit: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="DIRECTORY",
        help="Replay the history of the group in this audit, instead of --bounce on the live group.",
    ),
]

PollInterval: TypeAlias = Annotated[str, typer.Option(metavar="DURATION", help="Time between two polls of a member.")]

Seed: TypeAlias = Annotated[int, typer.Option(help="Seed of random values, such as the times of polls.")]

Picture: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE.png", help="Write a picture of paused partitions over time.")
]
