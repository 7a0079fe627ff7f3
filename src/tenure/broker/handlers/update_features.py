"""UpdateFeatures (57, KIP-584). v1 dry runs (KIP-778), v2 no results by feature.

The feature levels are fixed by Tenure's version. A request that would change one is refused, after the same checks as
in Kafka.
"""

from typing import Final

from tenure.broker.features import SUPPORTED
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)

UPGRADE: Final = 1
SAFE_DOWNGRADE: Final = 2
UNSAFE_DOWNGRADE: Final = 3
UPGRADE_TYPES_SINCE: Final = 1
METADATA_VERSION: Final = "metadata.version"
LEVELS: Final = {name: (low, high) for name, low, high in SUPPORTED}


def handle(context: Context, request: Request, message: UpdateFeaturesRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        text = "the client may not ALTER the cluster"
        request.answer(UpdateFeaturesResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED, error_message=text))
        return
    for update in message.feature_updates:
        if (refused := _refusal(context, update, _upgrade_type(update, request.version))) is not None:
            error_code, why = refused
            text = f"{update.feature} cannot become {update.max_version_level}: {why}"
            request.answer(UpdateFeaturesResponse(error_code=error_code, error_message=text))
            return
    results = [UpdatableFeatureResult(update.feature, ErrorCode.NONE, "NONE") for update in message.feature_updates]
    request.answer(UpdateFeaturesResponse(error_message=None, results=results))


def _upgrade_type(update: FeatureUpdateKey, version: int) -> int:
    if version >= UPGRADE_TYPES_SINCE:
        return update.upgrade_type
    return SAFE_DOWNGRADE if update.allow_downgrade else UPGRADE


def _refusal(context: Context, update: FeatureUpdateKey, upgrade_type: int) -> tuple[ErrorCode, str] | None:
    level = update.max_version_level
    if upgrade_type not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        return ErrorCode.INVALID_UPDATE_VERSION, "the kind of the update is unknown"
    if level < 0 or update.feature not in LEVELS:
        return ErrorCode.INVALID_UPDATE_VERSION, "there is no such feature or level"
    low, high = LEVELS[update.feature]
    if not low <= level <= high:
        return ErrorCode.INVALID_UPDATE_VERSION, f"this broker supports levels {low} to {high}"
    current = context.features[update.feature]
    if level < current and (upgrade_type == UPGRADE or update.feature == METADATA_VERSION):
        return ErrorCode.INVALID_UPDATE_VERSION, f"it is {current}, and may not be downgraded by this request"
    if level != current:
        return ErrorCode.FEATURE_UPDATE_FAILED, f"this broker runs with level {current} only"
    return None


route = Route(UpdateFeaturesRequest, handle)
