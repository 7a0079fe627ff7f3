"""Reports of the tasks of a `transform` about the lanes (partition numbers) that they read, in a shared directory.

Another user may be able to write to that directory. A false report must not run code in the driver, or change the
committed offsets. So a report is JSON with a keyed digest (HMAC-SHA-256). Each batch has a random key, which Spark
sends with the tasks.
"""

import hmac
import json
import secrets
from dataclasses import asdict, dataclass, field

from tenure.pipeline.output.files import Files
from tenure.pipeline.values.decoded_records import BadRecord
from tenure.pipeline.values.lanes import Range
from tenure.pipeline.values.manifest import Manifest, StateFile

DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class LaneReport:
    """Offset ranges that a task has read from one lane, with the number of records and the bad records."""

    ranges: tuple[Range, ...] = ()
    records: int = 0
    bad_records: int = 0
    dead_letters: StateFile | None = None
    """File with the bad records for the dead-letter topic."""
    stopped_at: BadRecord | None = None
    """Bad record at which the task stopped; then the other fields are empty."""


class BadReport(Exception):
    """A report file was not written by a task of this batch."""


@dataclass(frozen=True, slots=True)
class LaneReports:
    """Report files of one batch. Picklable.

    In all methods, `manifest` is the manifest of the report's lane, as it was before the lane's records were read.
    """

    files: Files
    directory: str
    key: bytes = field(default_factory=lambda: secrets.token_bytes(DIGEST_BYTES), repr=False)

    def write(self, manifest: Manifest, report: LaneReport) -> None:
        """Write the report of a lane."""
        data = json.dumps(asdict(report)).encode()
        self.files.write(report_path(self.directory, manifest), self._digest(manifest, data) + data)

    def read(self, manifest: Manifest) -> LaneReport | None:
        """Return the report of a lane; None if its task has written none. Raises BadReport."""
        path = report_path(self.directory, manifest)
        if self.files.size(path) is None:
            return None
        written = self.files.read(path)
        found, data = written[:DIGEST_BYTES], written[DIGEST_BYTES:]
        if not hmac.compare_digest(found, self._digest(manifest, data)):
            raise BadReport(
                f"report {path} was not written by a task of this batch: check the permissions of {self.directory}"
            )
        return _decode(**json.loads(data))

    def _digest(self, manifest: Manifest, data: bytes) -> bytes:
        return hmac.digest(self.key, manifest.id.encode() + data, "sha256")


def report_path(directory: str, manifest: Manifest) -> str:
    """Return the path of the report of the manifest's lane."""
    return f"{directory}/{manifest.id}.read"


def _decode(
    ranges: list[dict[str, object]],
    records: int,
    bad_records: int,
    dead_letters: dict[str, object] | None,
    stopped_at: list[object] | None,
) -> LaneReport:
    return LaneReport(
        tuple(Range(**part) for part in ranges),  # type: ignore[arg-type]
        records,
        bad_records,
        dead_letters and StateFile(**dead_letters),  # type: ignore[arg-type]
        stopped_at and BadRecord(*stopped_at),  # type: ignore[arg-type]
    )
