"""The pipeline's own state, as the committed pointers name it: every aircraft's figures, by tail number."""

from typing import TYPE_CHECKING

from examples.flight_delays import pipeline
from examples.flights_data import FIGURES
from tenure.admin import Admin
from tenure.pipeline.files import LocalFiles
from tenure.pipeline.lanes import Lane
from tenure.pipeline.manifest import decode, parse_pointer
from tenure.pipeline.state_files import load
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.job import job_of

if TYPE_CHECKING:
    import pandas as pd


def read_state(bootstrap_servers: str, directory: str) -> "pd.DataFrame":
    """Pointer, manifest, base and deltas of each lane, every digest checked on the way."""
    import pandas as pd

    work = pipeline(directory)
    job, files = job_of(work, bootstrap_servers), LocalFiles()
    assert job.state is not None
    tables = []
    with Admin(bootstrap_servers) as admin:
        committed = admin.committed_offsets(work.name)
    for partition, position in committed.items():
        pointer = parse_pointer(position.metadata)
        assert pointer is not None, f"the committed offset of {partition} names no manifest"
        lane = Lane((TopicName(partition.topic),), PartitionId(partition.partition))
        manifest = decode(files.read(job.layout.manifest(lane, pointer.manifest_id)), pointer)
        tables.append(load(files, job.layout.state_directory(lane), lane, manifest.state, job.state).to_pandas())
    state = pd.concat(tables).set_index("tailnum").query("flights > 0")
    return state.assign(destinations=state["destinations"].map(len))[FIGURES].sort_index()
