"""Interface of the sinks of a pipeline."""

from collections.abc import Iterable
from typing import Protocol

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher


class Sink(Protocol):
    """Interface of all sinks except topics."""

    @property
    def path(self) -> str:
        """Absolute directory or URL of the sink's files; empty for a sink without files."""

    @property
    def where(self) -> str:
        """Description of the sink in error messages."""

    @property
    def staged(self) -> ParquetFiles:
        """Format of the files in which tasks stage rows."""

    def check(self) -> None:
        """Check that the sink is usable, before the pipeline starts.

        Raises:
            PipelineConfigError: The sink does not fit the declaration.
            PipelineStopped: The sink is not reachable.
        """

    def check_rows(self, columns: pa.Schema) -> None:
        """Check that the sink can take rows with these columns. Called after `check`, before the pipeline runs.

        Raises:
            PipelineConfigError: The sink cannot take such rows.
            PipelineStopped: The sink is not reachable.
        """

    def publisher(self, side: str) -> Publisher:
        """Return the publisher for the output with the name `side`; "" is the main output."""


def checked_names(setting: str, value: object) -> tuple[str, ...]:
    """Return column names as a tuple. `value` is one name or a list of names.

    Raises PipelineConfigError, whose message begins with `setting`, if a name is empty or occurs twice.
    """
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else None
    if names is None or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise PipelineConfigError(f"{setting} must be a list of different column names, not {value!r}.")
    return names


def check_has_columns(sink: str, columns: pa.Schema, setting: str, names: Iterable[str]) -> None:
    """Raise PipelineConfigError if the rows of a sink lack a column.

    Args:
        sink: Description of the sink, for the message.
        columns: Columns of the rows.
        setting: Name of the setting in which the user wrote `names`, for the message.
        names: Names of the columns that must exist.
    """
    for name in names:
        if name not in columns.names:
            known = ", ".join(columns.names)
            raise PipelineConfigError(
                f"The pipeline's rows for {sink} have no column '{name}' ({setting}), only {known}: add it to the last"
                " step."
            )
