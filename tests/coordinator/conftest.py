"""The option `--rewrite-scenarios`, which writes the present traces into the scenario files for review."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-scenarios", action="store_true", help="rewrite the traces of the scenario files")
