"""Commands `tenure pipeline ...`."""

import typer

from tenure.cli.pipeline import backfill, control, instances, prepare, run, state, status

commands = typer.Typer(
    help="Run and manage Spark pipelines.",
    no_args_is_help=True,
)

RUN, STATUS, MEMBERS, STATE = "Run", "Status", "Members", "State"

commands.command("run", rich_help_panel=RUN)(run.run)
commands.command("prepare", rich_help_panel=RUN)(prepare.prepare)
commands.command("backfill", rich_help_panel=RUN)(backfill.backfill)
commands.command("stop", rich_help_panel=RUN)(control.stop)
commands.command("pause", rich_help_panel=RUN)(control.pause)
commands.command("resume", rich_help_panel=RUN)(control.resume)
commands.command("status", rich_help_panel=STATUS)(status.status)
commands.command("instances", rich_help_panel=MEMBERS)(instances.instances)
commands.add_typer(state.commands, name="state", rich_help_panel=STATE)
commands.command("repartition", rich_help_panel=STATE)(state.repartition)
