"""Parameters of random tests: `make check` runs the first one, `make test` runs all."""

from collections.abc import Iterable
from typing import Any

import pytest


def quick_first(values: Iterable[Any]) -> list[Any]:
    """Return values for `parametrize`, all but the first marked `long`."""
    first, *others = values
    return [first, *(pytest.param(other, marks=pytest.mark.long) for other in others)]
