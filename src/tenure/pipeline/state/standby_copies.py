"""Copies of the states of lanes that other members own.

With these copies, this host can take over such a lane without reading its state from the state directory.

The committed offset of a lane names the manifest of its last batch, and the manifest names the files of the state. A
host that has copies of these files (`state_cache.py`) opens the state at once. So a standby needs no log of changes: it
reads the committed offsets, and fetches the files that are new.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import BadManifest, BadPointer, Manifest, Pointer, decode, parse_pointer
from tenure.values import OffsetAndMetadata, TopicPartition

log: Final = logging.getLogger("tenure.pipeline")

Committed: TypeAlias = Callable[[Collection[TopicPartition]], Mapping[TopicPartition, OffsetAndMetadata | None]]


class StandbyCopies:
    """Copies of the states of some lanes on this host."""

    def __init__(
        self, files: Files, layout: Layout, lane_state: Callable[[Lane], LaneState], committed: Committed
    ) -> None:
        self._files: Final = files
        self._layout: Final = layout
        self._lane_state: Final = lane_state
        self._committed: Final = committed
        self._manifests: Final[dict[Lane, tuple[Pointer, Manifest]]] = {}
        """Pointer and manifest that were read last for each lane."""
        self._own: Final[dict[Lane, frozenset[str]]] = {}
        """Digests of the copies that were made here, by lane."""

    def refresh(self, lanes: Collection[Lane]) -> dict[Lane, Manifest]:
        """Bring the copies of these lanes up to date.

        Returns:
            Manifest of each lane whose copies are complete. Lanes without a batch, and lanes whose files cannot be read
            now, are left out.

        Raises:
            Exception: Errors of the query for committed offsets.
        """
        for gone in self._own.keys() - set(lanes):
            del self._own[gone]
            self._manifests.pop(gone, None)
        if not lanes:
            return {}
        committed = self._committed([at for lane in lanes for at in lane.partitions])
        found: dict[Lane, Manifest] = {}
        for lane in lanes:
            try:
                if (manifest := self._manifest(lane, committed)) is not None:
                    own = self._own.get(lane, frozenset())
                    self._own[lane] = self._lane_state(lane).keep_copies(manifest.state, own)
                    found[lane] = manifest
            except (PipelineStopped, OSError, BadManifest, BadPointer) as error:
                # The lane's owner may have swept the files meanwhile. It reports damage; the next refresh tries again.
                log.debug(
                    "state of standby lane %s cannot be copied now; the next refresh tries again: %s", lane, error
                )
        return found

    def _manifest(self, lane: Lane, committed: Mapping[TopicPartition, OffsetAndMetadata | None]) -> Manifest | None:
        """Return the manifest of the lane's last committed batch; None if there is none."""
        at = committed.get(lane.partitions[0])
        pointer = None if at is None else parse_pointer(at.metadata)
        if pointer is None:
            return None
        known = self._manifests.get(lane)
        if known is None or known[0] != pointer:
            path = self._layout.manifest(lane, pointer.manifest_id)
            known = self._manifests[lane] = (pointer, decode(self._files.read(path), pointer))
        return known[1]
