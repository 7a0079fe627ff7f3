"""Options of `tenure move`."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

CLUSTERS: Final = "Clusters"
MOVING: Final = "What to move"
END: Final = "End of the move"

To: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT,...", help="Copy to this cluster.", rich_help_panel=CLUSTERS),
]

From: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="HOST:PORT,...", help="Copy from this cluster.", rich_help_panel=CLUSTERS),
]

RemoteConfig: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Lines KEY=VALUE for TLS and SASL of the cluster of --to or --from.",
        rich_help_panel=CLUSTERS,
    ),
]

Topics: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="TOPIC,...", help="Topics: names, or patterns with * and ?.", rich_help_panel=MOVING),
]

Exclude: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="TOPIC,...", help="Topics to leave out: names or patterns.", rich_help_panel=MOVING),
]

Groups: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="GROUP,...", help="Groups: names or patterns.", rich_help_panel=MOVING),
]

Last: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="DURATION", help="Copy only records of this last period, such as 1h.", rich_help_panel=MOVING),
]

WithoutConfig: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY,...", help="Topic settings that are not copied.", rich_help_panel=MOVING),
]

NoAcls: TypeAlias = Annotated[bool, typer.Option("--no-acls", help="Copy no ACLs.", rich_help_panel=MOVING)]

Append: TypeAlias = Annotated[
    bool,
    typer.Option("--append", help="Add to topics that have records at the target.", rich_help_panel=MOVING),
]

ReplicationFactor: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, help="Replicas of topics that are created.", show_default="the target's default"),
]

Rate: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="BYTES", help="Maximum bytes per second, such as 20M.", show_default="no limit"),
]

Follow: TypeAlias = Annotated[
    bool, typer.Option("--follow", "-f", help="Copy new records until Ctrl-C.", rich_help_panel=END)
]

Verify: TypeAlias = Annotated[
    bool,
    typer.Option("--verify", help="Compare a digest of each partition with the source.", rich_help_panel=END),
]

Watch: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="DURATION",
        help="Time to watch for commits at the source.",
        show_default="10s with --to, none with --from",
        rich_help_panel=END,
    ),
]

DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Print the plan and change nothing.")]
