"""Lenders of several transactional ids at once, on real brokers."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import SIGCONT, SIGSTOP

from tenure.admin import Admin
from tenure.client.producer.transaction_lender import TransactionLender
from tests.serving import serving

PATIENCE_S = 60.0


def test_init_all__coordinator_of_one_transactional_id_hangs__other_ids_initialized(tmp_path: Path) -> None:
    for name in ("slow", "quick"):
        (tmp_path / name).mkdir()
    with serving(tmp_path / "slow") as slow, serving(tmp_path / "quick") as quick, ThreadPoolExecutor(1) as threads:
        lenders = [TransactionLender(slow.address, "a"), TransactionLender(quick.address, "b")]
        slow.signal(SIGSTOP)
        try:
            failures = threads.submit(TransactionLender.init_all, lenders)
            until_s = time.monotonic() + PATIENCE_S
            with Admin(quick.address) as admin:
                while "b" not in [one.transactional_id for one in admin.list_transactions()]:
                    assert time.monotonic() < until_s
                    time.sleep(0.02)
            assert not failures.done()
        finally:
            slow.signal(SIGCONT)
        assert failures.result(PATIENCE_S) == [None, None]
        assert lenders[0].begin().transactional_id == "a"
