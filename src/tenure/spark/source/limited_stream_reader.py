"""Stream reader for Spark 4.2 and later. Spark passes the start and the limit of each batch."""

from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    ReadMinRows,
    SupportsTriggerAvailableNow,
)

from tenure.spark.source.offset_bounds import from_json, to_json
from tenure.spark.source.readers import Offset, StreamReader


class LimitedStreamReader(StreamReader, SupportsTriggerAvailableNow):
    """Reader of a stream in batches of limited size."""

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        if self.options.max_offsets is not None:
            return ReadMaxRows(self.options.max_offsets)
        return ReadAllAvailable() if self.options.min_offsets is None else ReadMinRows(self.options.min_offsets)

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802
        max_records = limit.max_rows if isinstance(limit, ReadMaxRows) else None
        min_records = None if isinstance(limit, ReadAllAvailable) else self.options.min_offsets
        return to_json(self.stream.next_offsets(from_json(start), max_records, min_records))

    def reportLatestOffset(self) -> Offset:  # noqa: N802
        return to_json(self.stream.newest_offsets())

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self.stream.stop_at_end()
