"""Commands, options and configuration files that Markdown files show exist."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from tenure.broker.config.configuration import load_settings
from tenure.cli.serve import _parser
from tests.command_line import app
from tests.docs.links import ROOT, markdown_files

SHOWN = re.compile(r"^[ \t]*(?:\$ )?(tenure [a-z][^\n]*)$|`(tenure [a-z][^`]*)`", re.MULTILINE)
BLOCK = re.compile(r"^```.*?^```$|^ {4}\$ [^\n]*$|(`)[^`\n]+\1", re.MULTILINE | re.DOTALL)
TOML = re.compile(r"^```toml\n(.*?)```", re.MULTILINE | re.DOTALL)
COMMAND: Final = typer.main.get_command(app)
SERVE = {option for action in _parser(with_keys=False)._actions for option in action.option_strings}


def lines(page: Path) -> Iterator[str]:
    for block in BLOCK.finditer(page.read_text("utf-8")):
        for found in SHOWN.finditer(block[0]):
            yield (found[1] or found[2]).partition(" #")[0].strip()


def problem(line: str) -> str | None:
    """Return what is wrong with a command line."""
    words = shlex.split(line.replace("'", '"') if line.count("'") % 2 else line)[1:]
    command: Any = COMMAND
    while words and (below := getattr(command, "commands", {})):
        if words[0] not in below:
            return None if words[0] in ("…", "...") or words[0].startswith("-") else f"no command {words[0]}"
        command = below[words.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts + parameter.secondary_opts}
    unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known | {"--help"}]
    return f"no option {unknown[0]}" if unknown and not (command.name == "serve" and set(unknown) <= SERVE) else None


PAGES = [page for page in markdown_files() if page.parent.name not in ("changelog.d", "decisions")]


def test_commands__in_all_markdown_files__exist_with_their_options() -> None:
    shown = [(page.relative_to(ROOT), line) for page in PAGES for line in lines(page)]
    assert len(shown) > 100
    assert [(page, line, wrong) for page, line in shown if (wrong := problem(line))] == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("tenure groups list --json", None),
        ("tenure groups …", None),
        ("tenure serve --memory", None),
        ("tenure grops list", "no command grops"),
        ("tenure groups list --jsn", "no option --jsn"),
        ("tenure serve --memry", "no option --memry"),
    ],
)
def test_command_check__misspelt_command__found(line: str, wrong: str | None) -> None:
    assert problem(line) == wrong


def test_configuration_files__in_all_markdown_files__are_accepted(tmp_path: Path) -> None:
    files = [block for page in PAGES for block in TOML.findall(page.read_text("utf-8"))]
    assert len(files) > 1
    for number, text in enumerate(files):
        file = tmp_path / f"{number}.toml"
        file.write_text(text)
        _, warnings = load_settings(file=file)
        assert warnings == []
