"""Functions that Spark tasks run in Python workers."""

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pyarrow as pa

from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import Result


def stage_bundle(job: Job, files: Files, bundle: Bundle) -> list[Result]:
    """Stage every lane of a bundle, and return the results."""
    return run_bundle(job, bundle, files, new_id)


def run_in_background(work: Callable[[], None]) -> None:
    """Run `work` in a background thread, while this worker runs other tasks. Such threads run one after the other.

    If `work` fails, or the worker ends, the work is lost without an error.
    """

    def alone() -> None:
        with ONE_AT_A_TIME, suppress(OSError, PipelineStopped):
            work()

    threading.Thread(target=alone, name="tenure-snapshot", daemon=True).start()


ONE_AT_A_TIME: Final = threading.Lock()


def pass_rows(rows: pa.Table, _: KeyedState) -> pa.Table:
    """Return the rows unchanged."""
    return rows


def new_id() -> str:
    """Return 16 random bytes as 22 characters of base64url."""
    return secrets.token_urlsafe(16)
