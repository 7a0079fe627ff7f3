"""`--rewrite-scenarios` writes the traces as they are now; review reads the difference."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-scenarios", action="store_true", help="rewrite the traces of the scenario files")
