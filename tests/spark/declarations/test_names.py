"""Names that `tenure.spark` exports are not hidden by modules."""

from importlib.util import find_spec

import pytest

import tenure.spark


@pytest.mark.parametrize("name", tenure.spark.__all__)
def test_exported_name__of_tenure_spark__no_module_has_this_name(name: str) -> None:
    """Importing a module `tenure.spark.x` binds x in the package, and would replace a function of that name."""
    assert find_spec(f"tenure.spark.{name}") is None, f"rename src/tenure/spark/{name}.py"
