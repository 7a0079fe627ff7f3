"""Finalized feature levels of the cluster (KIP-584), which determine the formats and protocols in use.

Apache Kafka reads them from the same records. It does not start on a metadata log without `metadata.version`.
"""

from tenure.coordinator.metadata.answers import FeaturesFinalized
from tenure.coordinator.metadata.commands import FinalizeFeatures
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.generated.cluster_metadata import FeatureLevelRecord


def finalize_features(metadata: Metadata, ask: AskId, finalize: FinalizeFeatures) -> CoordinatorResult:
    """Set the given levels of features. A feature that has a level keeps it."""
    missing = {name: level for name, level in finalize.levels.items() if name not in metadata.features}
    records = [LogRecord(None, FeatureLevelRecord(name, level)) for name, level in missing.items()]
    return CoordinatorResult(records, [(ask, FeaturesFinalized())])


def feature_finalized(metadata: Metadata, record: FeatureLevelRecord) -> None:
    """Set the level of a feature; level 0 removes the feature."""
    if record.feature_level:
        metadata.features[record.name] = record.feature_level
    else:
        metadata.features.pop(record.name, None)
