"""What users import from `tenure.spark` stays what it is, whatever else is loaded later."""

from importlib.util import find_spec

import pytest

import tenure.spark


@pytest.mark.parametrize("name", tenure.spark.__all__)
def test_exported_name__is_not_a_module(name: str) -> None:
    """Importing `tenure.spark.x` binds x in the package: a function of that name would be gone."""
    assert find_spec(f"tenure.spark.{name}") is None, f"rename src/tenure/spark/{name}.py"
