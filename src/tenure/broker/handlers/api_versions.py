"""ApiVersions (API key 18).

Changes: v1 throttle time; v3 flexible encoding, client software and features; v4 features with minimum version 0; v5
cluster id and node id of the broker that the client expects (KIP-1242).

This is the only API for which a request in an unknown version is answered: in version 0, with only the range of
ApiVersions itself (rule 1.4.2).
"""

import re
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.metadata.features import SUPPORTED_LEVELS
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ApiVersion,
    ApiVersionsRequest,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

SOFTWARE: Final = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")

NO_NODE: Final = -1


def handle(context: Context, request: Request, message: ApiVersionsRequest) -> None:
    if request.version >= 3 and not (
        SOFTWARE.fullmatch(message.client_software_name) and SOFTWARE.fullmatch(message.client_software_version)
    ):
        request.answer(ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST))
        return
    if (error_code := _error_in(context, message)) is not None:
        request.answer(ApiVersionsResponse(error_code=error_code))
        return
    request.answer(
        ApiVersionsResponse(
            api_keys=[_entry(key) for key in sorted(APIS)],
            supported_features=[
                SupportedFeatureKey(name, low, high)
                for name, (low, high) in SUPPORTED_LEVELS.items()
                if low > 0 or request.version >= 4  # rule 1.4.4: older clients reject level 0
            ],
            finalized_features_epoch=context.metadata.log.high_watermark,
            finalized_features=[
                FinalizedFeatureKey(name, level, level) for name, level in sorted(context.features.items()) if level
            ],
        )
    )


def _error_in(context: Context, message: ApiVersionsRequest) -> ErrorCode | None:
    """Return an error if the request names another cluster or node than this broker's (KIP-1242, rule 1.4.9).

    Naming only one of the two is an error, too.
    """
    if message.cluster_id is None and message.node_id == NO_NODE:
        return None
    if message.cluster_id is None or message.node_id == NO_NODE:
        return ErrorCode.INVALID_REQUEST
    is_here = message.cluster_id == context.cluster_id and message.node_id == context.node_id
    return None if is_here else ErrorCode.REBOOTSTRAP_REQUIRED


def unknown_version() -> ApiVersionsResponse:
    """Return the response to a request in an unknown version. It has to be encoded in version 0."""
    return ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=[_entry(ApiKey.API_VERSIONS)])


def _entry(key: ApiKey) -> ApiVersion:
    api = APIS[key]
    return ApiVersion(key, api.advertised_min_version, api.max_version)


route = Route(ApiVersionsRequest, handle)
