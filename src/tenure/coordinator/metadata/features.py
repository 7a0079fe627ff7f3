"""Feature levels (KIP-584), which determine the formats and protocols in use: supported, and finalized ones.

The finalized levels are stored in the same records as in Apache Kafka, which does not start on a metadata log without
`metadata.version`.
"""

from collections.abc import Mapping
from typing import Final

from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import FeaturesFinalized, FeaturesUpdated
from tenure.coordinator.metadata.commands import FeatureUpdate, FinalizeFeatures, UpdateFeatures
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import FeatureLevelRecord

GROUP_VERSION: Final = "group.version"
METADATA_VERSION: Final = "metadata.version"
STREAMS_VERSION: Final = "streams.version"
TRANSACTION_VERSION: Final = "transaction.version"

SUPPORTED_LEVELS: Final = {
    GROUP_VERSION: (0, 1),
    METADATA_VERSION: (7, 33),
    STREAMS_VERSION: (0, 1),
    TRANSACTION_VERSION: (0, 2),
}
"""(lowest level, highest level) by feature.

All group protocols except share groups are supported, and both versions of transactions.
"""

INITIAL_LEVELS: Final = {METADATA_VERSION: 30, GROUP_VERSION: 1, STREAMS_VERSION: 1, TRANSACTION_VERSION: 2}
"""Levels of a new cluster.

Consumer and streams groups are enabled (KIP-848, KIP-1071), every end of a transaction raises the producer's epoch
(KIP-890), and metadata records have the versions of Kafka 4.3.
"""

READABLE_LEVELS: Final = {
    **SUPPORTED_LEVELS,
    "eligible.leader.replicas.version": (0, 1),
    "kraft.version": (0, 1),
    "share.version": (0, 2),
}
"""(lowest level, highest level) by feature. Tenure serves a directory of Apache Kafka only if its levels are within."""

UPGRADE: Final = 1
SAFE_DOWNGRADE: Final = 2
UNSAFE_DOWNGRADE: Final = 3
FORMAT_OF_TRANSACTIONS: Final = 1
"""Level of `transaction.version` whose record format Tenure writes in `__transaction_state`. It cannot be lowered to a
level below this one."""


def finalize_features(metadata: Metadata, ask: AskId, finalize: FinalizeFeatures) -> CoordinatorResult:
    """Set the given levels of features. A feature that has a level, even 0, keeps it."""
    levels = {name: level for name, level in finalize.levels.items() if name not in metadata.features}
    return CoordinatorResult(_records(levels), [(ask, FeaturesFinalized())])


def update_features(metadata: Metadata, ask: AskId, update: UpdateFeatures) -> CoordinatorResult:
    """Set the levels of features. As in Kafka, no feature changes unless all changes of the command are possible."""
    for change in update.changes:
        if refused := _refusal(change, metadata.features.get(change.name, 0)):
            return CoordinatorResult((), [(ask, refused)])
    levels = {change.name: change.level for change in update.changes}
    before = {name: current for name, level in levels.items() if (current := metadata.features.get(name, 0)) != level}
    records = [] if update.validate_only else _records({name: levels[name] for name in before})
    return CoordinatorResult(records, [(ask, FeaturesUpdated(before))])


def _refusal(change: FeatureUpdate, current: int) -> Refused | None:
    """Return why a feature that has the level `current` cannot be changed in this way; None if it can."""
    error_code, why = ErrorCode.INVALID_UPDATE_VERSION, ""
    low, high = SUPPORTED_LEVELS.get(change.name, (0, 0))
    if change.upgrade_type not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        why = f"unknown upgrade type {change.upgrade_type}: use 1 (upgrade), 2 (safe downgrade) or 3 (unsafe downgrade)"
    elif change.level < 0 or change.name not in SUPPORTED_LEVELS:
        why = f"unknown feature or negative level: this broker has {', '.join(sorted(SUPPORTED_LEVELS))}"
    elif not low <= change.level <= high:
        why = f"this broker supports levels {low} to {high}"
    elif change.level < current and (change.upgrade_type == UPGRADE or change.name == METADATA_VERSION):
        why = f"its level is {current}, and this request may not lower it"
    elif change.level > current and change.upgrade_type != UPGRADE:
        why = f"its level is {current}, and a downgrade cannot raise it"
    elif change.name == TRANSACTION_VERSION and change.level < min(current, FORMAT_OF_TRANSACTIONS):
        error_code = ErrorCode.FEATURE_UPDATE_FAILED
        why = "Tenure writes records of transactions only in the format of level 1"
    if not why:
        return None
    return Refused(error_code, message=f"feature {change.name} cannot get level {change.level}: {why}")


def _records(levels: Mapping[str, int]) -> list[LogRecord]:
    return [LogRecord(None, FeatureLevelRecord(name, level)) for name, level in levels.items()]


def feature_finalized(metadata: Metadata, record: FeatureLevelRecord) -> None:
    """Set the level of a feature. Level 0 is kept, so that the next start does not enable the feature again."""
    metadata.features[record.name] = record.feature_level
