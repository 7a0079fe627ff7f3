"""Brokers that run out of memory outside of requests, and a short run with failing allocations."""

from pathlib import Path

import pytest

pytest.importorskip("_testcapi", reason="this build of CPython has no tests of its own")

from tenure.broker.process.restart import CANNOT_RESTART
from tests.adversary.client import Client
from tests.adversary.failing_allocations import REQUESTS, FailingBroker, prepare, run
from tests.broker.monitoring.test_metrics import address_of, read

pytestmark = pytest.mark.long


def test_broker__memory_allocations_fail_one_by_one__answers_or_closes_connections_and_continues(
    tmp_path: Path,
) -> None:
    outcome = run(tmp_path / "failing", range(1, 400, 31))
    assert outcome.failures == []
    assert outcome.restarts, "no failure was met outside of requests"
    assert outcome.answered < outcome.requests - outcome.restarts, "no request met a failure"


def test_broker__out_of_memory_outside_of_requests__restarts_with_the_same_addresses_and_data(tmp_path: Path) -> None:
    with FailingBroker(tmp_path / "failing", "--metrics", "127.0.0.1:0") as broker:
        prepare(broker)
        monitoring = address_of(broker)
        for restarts in (1, 2):
            broker.run_out_of_memory()
            assert broker.restarts == restarts
            with Client(broker) as client:
                client.exchange([REQUESTS["fetch"](0), REQUESTS["produce"](0)])
                assert not client.is_closed
            assert address_of(broker) == monitoring
            assert read(broker, "/healthz")[0] == 200
        assert broker.terminate() == 0


def test_broker_with_data_in_memory_only__out_of_memory_outside_of_requests__ends_with_an_error_of_one_sentence(
    tmp_path: Path,
) -> None:
    with FailingBroker(tmp_path / "failing", "--memory") as broker:
        broker.run_out_of_memory()
        assert broker.wait() == 1
        assert CANNOT_RESTART.decode() in broker.log
