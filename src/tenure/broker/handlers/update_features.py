"""UpdateFeatures (API key 57, KIP-584).

Changes: v1 dry runs (KIP-778), v2 no results for single features in the response.

The metadata shard decides whether the changes are possible, and stores the levels in its log. At level 0 of
`group.version`, the broker refuses heartbeats of consumer groups; at level 0 of `streams.version`, those of streams
groups. `transaction.version` tells clients which protocol to use; the broker accepts all protocols at every level.
"""

import logging
from functools import partial
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import FeaturesUpdated
from tenure.coordinator.metadata.commands import FeatureUpdate, UpdateFeatures
from tenure.coordinator.metadata.features import SAFE_DOWNGRADE, UPGRADE
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)

log = logging.getLogger("tenure.broker")

UPGRADE_TYPES_SINCE: Final = 1


def handle(context: Context, request: Request, message: UpdateFeaturesRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        text = "the client may not ALTER the cluster"
        request.answer(UpdateFeaturesResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED, error_message=text))
        return
    changes = [
        FeatureUpdate(update.feature, update.max_version_level, _upgrade_type(update, request.version))
        for update in message.feature_updates
    ]
    update = UpdateFeatures(changes, message.validate_only)
    context.metadata.ask(update, request.callback(partial(_updated, request, update)))


def _updated(request: Request, update: UpdateFeatures, answer: Refused | FeaturesUpdated) -> None:
    if isinstance(answer, Refused):
        text = answer.message or "the feature levels were not stored"
        request.answer(UpdateFeaturesResponse(error_code=answer.error_code, error_message=text))
        return
    for change in update.changes:
        if change.name in answer.before and not update.validate_only:
            log.info("feature %s: level %d -> %d", change.name, answer.before[change.name], change.level)
    results = [UpdatableFeatureResult(change.name, ErrorCode.NONE, "NONE") for change in update.changes]
    request.answer(UpdateFeaturesResponse(error_message=None, results=results))


def _upgrade_type(update: FeatureUpdateKey, version: int) -> int:
    if version >= UPGRADE_TYPES_SINCE:
        return update.upgrade_type
    return SAFE_DOWNGRADE if update.allow_downgrade else UPGRADE


route = Route(UpdateFeaturesRequest, handle)
