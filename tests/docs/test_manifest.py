"""The manifest of docs/on-a-cluster.md: valid for Kubernetes, and with options that exist."""

import re
from typing import Any

import pytest
import yaml
from typer.main import get_command

from tests.command_line import app
from tests.docs.pages import DOCS

OBJECTS: list[dict[str, Any]] = [
    one
    for block in re.findall(r"```yaml\n(.*?)```", (DOCS / "on-a-cluster.md").read_text("utf-8"), re.DOTALL)
    for one in yaml.safe_load_all(block)
]


@pytest.mark.long
@pytest.mark.parametrize("version", ["1.30", "1.34"])
@pytest.mark.parametrize("described", OBJECTS, ids=lambda described: described["kind"])
def test_kubernetes_manifest__each_object__valid_for_the_schema_of_kubernetes(
    described: dict[str, Any], version: str
) -> None:
    import kubernetes_validate  # Here, because the grammars that it reads take every worker a second.

    kubernetes_validate.validate(described, version, strict=True)


@pytest.mark.long
def test_kubernetes_manifest__unknown_field_added__refused_by_the_schema() -> None:
    import kubernetes_validate

    stateful_set = next(one for one in OBJECTS if one["kind"] == "StatefulSet")
    with pytest.raises(kubernetes_validate.ValidationError, match="replica"):
        kubernetes_validate.validate(
            stateful_set | {"spec": stateful_set["spec"] | {"replica": 1}}, "1.34", strict=True
        )


def test_kubernetes_manifest__command_of_the_driver__exists_with_its_options() -> None:
    (driver,) = next(one for one in OBJECTS if one["kind"] == "StatefulSet")["spec"]["template"]["spec"]["containers"]
    name, *path, _ = driver["command"]
    assert (name, path) == ("tenure", ["pipeline", "run"])
    command: Any = get_command(app)
    for word in path:
        command = command.commands[word]
    options = {option for parameter in command.params for option in parameter.opts}
    assert {argument.partition("=")[0] for argument in driver["args"]} <= options
