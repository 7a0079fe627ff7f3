"""Commands `tenure pipeline ...`."""

import typer

from tenure.cli.pipeline import (
    backfill as pipeline_backfill,
)
from tenure.cli.pipeline import (
    control as pipeline_control,
)
from tenure.cli.pipeline import (
    instances as pipeline_instances,
)
from tenure.cli.pipeline import (
    prepare as pipeline_prepare,
)
from tenure.cli.pipeline import (
    run as pipeline_run,
)
from tenure.cli.pipeline import (
    state as pipeline_state,
)
from tenure.cli.pipeline import (
    status as pipeline_status,
)

commands = typer.Typer(
    help="Run and manage Spark pipelines.",
    no_args_is_help=True,
)

RUN, STATUS, MEMBERS, STATE = "Run", "Status", "Members", "State"

commands.command("run", rich_help_panel=RUN)(pipeline_run.run)
commands.command("prepare", rich_help_panel=RUN)(pipeline_prepare.prepare)
commands.command("backfill", rich_help_panel=RUN)(pipeline_backfill.backfill)
commands.command("stop", rich_help_panel=RUN)(pipeline_control.stop)
commands.command("pause", rich_help_panel=RUN)(pipeline_control.pause)
commands.command("resume", rich_help_panel=RUN)(pipeline_control.resume)
commands.command("status", rich_help_panel=STATUS)(pipeline_status.status)
commands.command("instances", rich_help_panel=MEMBERS)(pipeline_instances.instances)
commands.add_typer(pipeline_state.commands, name="state", rich_help_panel=STATE)
commands.command("repartition", rich_help_panel=STATE)(pipeline_state.repartition)
