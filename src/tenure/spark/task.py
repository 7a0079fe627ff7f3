"""What a Python worker of Spark imports: as little as may be, because each new worker pays for it."""

import secrets

import pyarrow as pa

from tenure.pipeline.files import Files
from tenure.pipeline.plan import Bundle
from tenure.pipeline.stager import Result
from tenure.pipeline.state import KeyedState
from tenure.pipeline.task import Job, run_bundle


def staged_in_a_task(job: Job, files: Files, bundle: Bundle) -> list[Result]:
    return run_bundle(job, bundle, files, new_id)


def untouched(rows: pa.Table, _: KeyedState) -> pa.Table:
    return rows


def new_id() -> str:
    """22 characters of base64url: 16 random bytes."""
    return secrets.token_urlsafe(16)
