"""What a Python worker of Spark imports: as little as may be, because each new worker pays for it."""

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pyarrow as pa

from tenure.pipeline.engine.task import Job, run_bundle
from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import Result


def stage_bundle(job: Job, files: Files, bundle: Bundle) -> list[Result]:
    return run_bundle(job, bundle, files, new_id)


def run_in_background(work: Callable[[], None]) -> None:
    """In a thread of this worker, one at a time, while the worker goes on with other tasks or waits for one. What fails
    there, or ends with the worker, has never happened."""

    def alone() -> None:
        with ONE_AT_A_TIME, suppress(OSError, PipelineStopped):
            work()

    threading.Thread(target=alone, name="tenure-snapshot", daemon=True).start()


ONE_AT_A_TIME: Final = threading.Lock()


def pass_rows(rows: pa.Table, _: KeyedState) -> pa.Table:
    return rows


def new_id() -> str:
    """22 characters of base64url: 16 random bytes."""
    return secrets.token_urlsafe(16)
