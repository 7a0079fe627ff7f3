"""All commands but a starting `serve`, which `tenure.cli.main` takes before anything here is loaded."""

import typer

app = typer.Typer(
    name="tenure",
    help="Consumer groups that keep their seats: a Kafka-compatible broker and the tools around it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def _tenure() -> None:
    """A callback keeps the commands named, even while there is only one."""


@app.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
def serve(arguments: list[str] = typer.Argument(None, hidden=True)) -> None:  # noqa: B008
    """Start a broker: `tenure serve --help` says how."""
    from tenure.cli.serve import main

    raise typer.Exit(main(arguments or []))
