"""The short form of the runs in which allocations fail."""

from pathlib import Path

import pytest

pytest.importorskip("_testcapi", reason="this build of CPython has no tests of its own")

from tests.adversary.failing_allocations import run

pytestmark = pytest.mark.long


def test_broker__allocations_fail_one_by_one__answers_or_closes_and_goes_on(tmp_path: Path) -> None:
    outcome = run(tmp_path / "failing", range(1, 400, 13))
    assert outcome.failures == []
    assert outcome.restarts, "no failure was met outside of requests"
    assert outcome.answered < outcome.requests - outcome.restarts, "no request met a failure"
