"""UpdateFeatures (API key 57, KIP-584).

Changes: v1 dry runs (KIP-778), v2 no results for single features in the response.

The levels are stored in the metadata log. At level 0 of `group.version`, the broker refuses heartbeats of consumer
groups; at level 0 of `streams.version`, those of streams groups. `transaction.version` tells clients which protocol to
use; the broker accepts all protocols at every level. As in Kafka, no feature changes unless all changes of the request
are possible.
"""

import logging
from functools import partial
from typing import Final

from tenure.broker.features import METADATA_VERSION, SUPPORTED, TRANSACTION_VERSION
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import FeaturesFinalized
from tenure.coordinator.metadata.commands import SetFeatureLevels
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)

log = logging.getLogger("tenure.broker")

UPGRADE: Final = 1
SAFE_DOWNGRADE: Final = 2
UNSAFE_DOWNGRADE: Final = 3
UPGRADE_TYPES_SINCE: Final = 1
FORMAT_OF_TRANSACTIONS: Final = 1
"""Level of `transaction.version` whose record format Tenure writes in `__transaction_state`. It cannot be lowered to a
level below this one."""


def handle(context: Context, request: Request, message: UpdateFeaturesRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        text = "the client may not ALTER the cluster"
        request.answer(UpdateFeaturesResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED, error_message=text))
        return
    for update in message.feature_updates:
        if (refused := _refusal(context, update, _upgrade_type(update, request.version))) is not None:
            error_code, why = refused
            text = f"feature {update.feature} cannot get level {update.max_version_level}: {why}"
            request.answer(UpdateFeaturesResponse(error_code=error_code, error_message=text))
            return
    levels = {update.feature: update.max_version_level for update in message.feature_updates}
    if message.validate_only:
        _respond(request, levels)
    else:
        context.metadata.ask(SetFeatureLevels(levels), partial(_set, request, levels, dict(context.features)))


def _set(request: Request, levels: dict[str, int], before: dict[str, int], answer: Refused | FeaturesFinalized) -> None:
    if isinstance(answer, Refused):
        text = "the feature levels were not stored"
        request.answer(UpdateFeaturesResponse(error_code=answer.error_code, error_message=text))
        return
    for name, level in levels.items():
        if before.get(name, 0) != level:
            log.info("feature %s: level %d -> %d", name, before.get(name, 0), level)
    _respond(request, levels)


def _respond(request: Request, levels: dict[str, int]) -> None:
    results = [UpdatableFeatureResult(name, ErrorCode.NONE, "NONE") for name in levels]
    request.answer(UpdateFeaturesResponse(error_message=None, results=results))


def _upgrade_type(update: FeatureUpdateKey, version: int) -> int:
    if version >= UPGRADE_TYPES_SINCE:
        return update.upgrade_type
    return SAFE_DOWNGRADE if update.allow_downgrade else UPGRADE


def _refusal(context: Context, update: FeatureUpdateKey, upgrade_type: int) -> tuple[ErrorCode, str] | None:
    level = update.max_version_level
    if upgrade_type not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        why = f"unknown upgrade type {upgrade_type}: use 1 (upgrade), 2 (safe downgrade) or 3 (unsafe downgrade)"
        return ErrorCode.INVALID_UPDATE_VERSION, why
    if level < 0 or update.feature not in SUPPORTED:
        known = ", ".join(sorted(SUPPORTED))
        return ErrorCode.INVALID_UPDATE_VERSION, f"unknown feature or negative level: this broker has {known}"
    low, high = SUPPORTED[update.feature]
    if not low <= level <= high:
        return ErrorCode.INVALID_UPDATE_VERSION, f"this broker supports levels {low} to {high}"
    current = context.features.get(update.feature, 0)
    if level < current and (upgrade_type == UPGRADE or update.feature == METADATA_VERSION):
        return ErrorCode.INVALID_UPDATE_VERSION, f"its level is {current}, and this request may not lower it"
    if level > current and upgrade_type != UPGRADE:
        return ErrorCode.INVALID_UPDATE_VERSION, f"its level is {current}, and a downgrade cannot raise it"
    if update.feature == TRANSACTION_VERSION and level < min(current, FORMAT_OF_TRANSACTIONS):
        return ErrorCode.FEATURE_UPDATE_FAILED, "Tenure writes records of transactions only in the format of level 1"
    return None


route = Route(UpdateFeaturesRequest, handle)
