"""`tenure pipeline ...`"""

import typer

from tenure.cli import run_pipeline

commands = typer.Typer(
    help="Run Spark pipelines that are members of a group, and look after them.",
    no_args_is_help=True,
)

RUN = "Run"

commands.command("run", rich_help_panel=RUN)(run_pipeline.run)
