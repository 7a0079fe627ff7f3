"""The state that a pipeline keeps, read from beside: for people, tests and dashboards."""

from typing import Final

import pyarrow as pa

from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.head import read_head
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layout import Layout
from tenure.pipeline.state_files import load
from tenure.protocol.types import PartitionId, TopicName

ATTEMPTS: Final = 5
"""A running pipeline sweeps what it has superseded, perhaps between our look at a HEAD and at the files it names."""


def kept_state(files: Files, layout: Layout, topic: str, schema: pa.Schema) -> pa.Table:
    """Every key of every lane, as of the lane's last published run."""
    directory = layout.state_directory(Lane((TopicName(topic),), PartitionId(0))).rpartition("/")[0]
    partitions = [name.rpartition("-")[2] for name in files.names(directory) if name.startswith(f"{topic}-")]
    lanes = [Lane((TopicName(topic),), PartitionId(int(number))) for number in partitions if number.isdecimal()]
    return pa.concat_tables(
        [schema.empty_table(), *(lane_state(files, layout, lane, schema) for lane in sorted(lanes))]
    )


def lane_state(files: Files, layout: Layout, lane: Lane, schema: pa.Schema) -> pa.Table:
    for attempt in range(ATTEMPTS):
        head = read_head(files, layout, lane)
        if head is None:
            break
        try:
            return load(files, layout.state_directory(lane), lane, head[1].state, schema)
        except PipelineStopped:
            if attempt == ATTEMPTS - 1:
                raise
    return schema.empty_table()
