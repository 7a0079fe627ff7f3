"""The command line imports the called command only."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from tenure.cli.command_line import COMMANDS, command_line
from tests.command_line import app

IMPORTED = """
import sys
from tenure.cli.command_line import COMMANDS, command_line
command_line(sys.argv[1])
print(*[name for name, place in COMMANDS.items() if f"tenure.cli.{place}" in sys.modules])
"""


@pytest.mark.parametrize("name", COMMANDS)
def test_command_line__only_the_called_command_loaded__same_help_as_with_all_commands(name: str) -> None:
    alone, among_all = (CliRunner().invoke(line, [name, "--help"]) for line in (command_line(name), app))
    assert alone.exit_code == 0
    assert alone.output == among_all.output


@pytest.mark.parametrize("arguments", [[], ["--help"], ["nope"]])
def test_command_line__no_or_unknown_command__same_output_as_with_all_commands(arguments: list[str]) -> None:
    found, expected = (CliRunner().invoke(line, arguments) for line in (command_line(*arguments[:1]), app))
    assert (found.exit_code, found.output) == (expected.exit_code, expected.output)
    assert found.exit_code == 2 or all(name in found.output for name in COMMANDS)


@pytest.mark.parametrize(("argument", "imported"), [("pipeline", ["pipeline"]), ("--version", [])])
def test_command_line__command_or_version__no_other_command_imported(argument: str, imported: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTED, argument], capture_output=True, text=True, check=True, timeout=120
    )
    assert ended.stdout.split() == imported
