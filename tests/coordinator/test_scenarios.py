"""Scenario files, which specify the coordinator: each command with the complete trace of its effects."""

from pathlib import Path

import pytest

from tests.coordinator.scenario import read, run

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario__its_commands_run__same_trace_as_in_the_file(path: Path, request: pytest.FixtureRequest) -> None:
    blocks = read(path)
    written = "\n".join(block.text() for block in blocks)
    for block, trace in run(blocks):
        block.trace = trace
    now = "\n".join(block.text() for block in blocks)
    if request.config.getoption("--rewrite-scenarios", default=False):
        path.write_text(now)
    else:
        assert now == written
