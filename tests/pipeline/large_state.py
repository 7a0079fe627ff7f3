"""Worker that opens a large state for the first time, and prints how much memory that took.

python -m tests.pipeline.large_state PLACE MANIFEST
"""

import json
import sys
from pathlib import Path

import pyarrow as pa

from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.keyed_state import KeyedState, state_schema
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.values.manifest import Manifest, decode

SCHEMA = state_schema("word", "text string")


def lane_state(place: str, manifest: Manifest) -> LaneState:
    layout = Layout.of(manifest.group, f"{place}/out")
    return LaneState(LocalFiles(), layout, manifest.lane, SCHEMA, cache=StateCache(f"{place}/cache"))


def main(place: str, sealed: str) -> None:
    manifest = decode(Path(sealed).read_bytes())
    state = lane_state(place, manifest)
    for _ in range(2):  # From the state directory, and from this host's copy.
        keyed = KeyedState(state.open(manifest.state))
        keys = pa.array([f"w{number}" for number in range(0, 100_000, 1000)])
        found = keyed.get(keys)
        keyed.put(keys, found)
        state.stage(manifest, keyed)
    mapped = sum(batch.nbytes for batch in keyed.before.base.to_batches())
    print(json.dumps({"state": mapped, "allocated": pa.default_memory_pool().max_memory(), "found": len(found)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
