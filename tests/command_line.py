"""Command line of `tenure` with all commands, as one typer application."""

from typing import Final

from tenure.cli.command_line import command_line

app: Final = command_line()
