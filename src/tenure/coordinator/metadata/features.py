"""Finalized feature levels of the cluster (KIP-584), which determine the formats and protocols in use.

The levels are stored in the same records as in Apache Kafka, which does not start on a metadata log without
`metadata.version`.
"""

from collections.abc import Mapping

from tenure.coordinator.metadata.answers import FeaturesFinalized
from tenure.coordinator.metadata.commands import FinalizeFeatures, SetFeatureLevels
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.generated.cluster_metadata import FeatureLevelRecord


def finalize_features(metadata: Metadata, ask: AskId, finalize: FinalizeFeatures) -> CoordinatorResult:
    """Set the given levels of features. A feature that has a level, even 0, keeps it."""
    return _levels_set(ask, {name: level for name, level in finalize.levels.items() if name not in metadata.features})


def set_feature_levels(metadata: Metadata, ask: AskId, change: SetFeatureLevels) -> CoordinatorResult:
    """Set the given levels of features. The caller has checked that the broker supports them."""
    changed = {name: level for name, level in change.levels.items() if metadata.features.get(name, 0) != level}
    return _levels_set(ask, changed)


def _levels_set(ask: AskId, levels: Mapping[str, int]) -> CoordinatorResult:
    records = [LogRecord(None, FeatureLevelRecord(name, level)) for name, level in levels.items()]
    return CoordinatorResult(records, [(ask, FeaturesFinalized())])


def feature_finalized(metadata: Metadata, record: FeatureLevelRecord) -> None:
    """Set the level of a feature. Level 0 is kept, so that the next start does not enable the feature again."""
    metadata.features[record.name] = record.feature_level
