"""The pipeline's own state, as the committed pointers name it: every aircraft's figures, by tail number."""

from typing import TYPE_CHECKING

from examples.flight_delays import pipeline
from examples.flights_data import FIGURES, TOPIC
from tenure.admin import Admin
from tenure.pipeline.files import LocalFiles
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import decode, parse_pointer
from tenure.pipeline.state_files import load
from tenure.protocol.types import GroupId, PartitionId, TopicName

if TYPE_CHECKING:
    import pandas as pd


def read_state(bootstrap_servers: str, directory: str) -> "pd.DataFrame":
    """Pointer, manifest, base and deltas of each lane, every digest checked on the way."""
    import pandas as pd

    work = pipeline(directory)
    layout, files = Layout.of(GroupId(work.name), work.sink.path), LocalFiles()
    tables = []
    with Admin(bootstrap_servers) as admin:
        committed = admin.committed_offsets(work.name)
    for partition, position in committed.items():
        pointer = parse_pointer(position.metadata)
        assert pointer is not None, f"the committed offset of {partition} names no manifest"
        lane = Lane((TopicName(TOPIC),), PartitionId(partition.partition))
        manifest = decode(files.read(layout.manifest(lane, pointer.manifest_id)), pointer)
        tables.append(load(files, layout.state_directory(lane), lane, manifest.state, work.state_schema).to_pandas())
    state = pd.concat(tables).set_index("tailnum")
    state["destinations"] = state["destinations"].map(len)
    return state.loc[state["flights"] > 0, FIGURES].sort_index()
