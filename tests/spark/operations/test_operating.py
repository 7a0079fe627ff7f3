"""`docs/operating-pipelines.md`: its snippets run, its commands exist, its metrics are those of the catalogue."""

import inspect
import re
import shlex
from typing import Any

import pytest
import typer

from tenure.spark import Pipeline
from tenure.spark.reporting.metrics import CATALOGUE
from tests.command_line import app
from tests.docs.pages import DOCS, run

PAGE = "operating-pipelines.md"

PROGRAMS_ONLY = {"self", "observer", "spark", "security", "ending_offsets"}
"""Options that the command line lacks, or has in another form."""

COMMAND_ONLY = {"reference", "command_config", "progress", "restart"}


def command(*names: str) -> Any:
    found: Any = typer.main.get_command(app)
    for name in names:
        found = found.commands[name]
    return found


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_page_operating__all_snippets_in_order__run_without_errors() -> None:
    run(PAGE, 3)


def test_page_operating__commands_on_it__exist_with_their_options() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / PAGE).read_text("utf-8"), re.DOTALL)
    lines = [shlex.split(line) for block in blocks for line in block.splitlines()]
    assert len(lines) >= 10
    for program, *names, _ in ([*words[:3], ""] for words in lines):
        assert program == "tenure"
        command(*names)
    for words in lines:
        known = {option for parameter in command(*words[1:3]).params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, words


def test_page_operating__metrics_on_it__same_as_the_catalogue() -> None:
    written = [line for line in (DOCS / PAGE).read_text("utf-8").splitlines() if line.startswith("| `")]
    assert written == [
        f"| `{metric.name}` | {metric.kind.value} | {metric.unit or '-'} | {', '.join(metric.labels)} | {metric.help} |"
        for metric in CATALOGUE
    ]


def test_run_command__options__same_as_the_arguments_of_pipeline_run() -> None:
    method = set(inspect.signature(Pipeline.run).parameters) - PROGRAMS_ONLY
    assert {parameter.name for parameter in command("pipeline", "run").params} - COMMAND_ONLY == method
