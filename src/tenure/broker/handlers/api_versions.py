"""ApiVersions (18). v1 throttle time, v3 flexible, client software, features; v4 features from version 0.

The one API whose unknown versions are answered: in version 0, with the range of ApiVersions alone (rule 1.4.2).
"""

import re
from typing import TYPE_CHECKING, Final

from tenure.broker.offered import OFFERED
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ApiVersion,
    ApiVersionsRequest,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

if TYPE_CHECKING:
    from tenure.broker.broker import Broker

SOFTWARE: Final = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")

FEATURES: Final = (("group.version", 0, 0), ("metadata.version", 7, 30), ("transaction.version", 0, 0))
"""(name, lowest, highest level): classic groups without the new protocol, transactions without their coordinator."""
METADATA_LEVEL: Final = 30
"""The metadata version of Kafka 4.3, whose records we write."""
FEATURES_EPOCH: Final = 0


def handle(_: "Broker", request: Request, message: ApiVersionsRequest) -> None:
    if request.version >= 3 and not (
        SOFTWARE.fullmatch(message.client_software_name) and SOFTWARE.fullmatch(message.client_software_version)
    ):
        request.answer(ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST))
        return
    request.answer(
        ApiVersionsResponse(
            api_keys=[_entry(key) for key in sorted(OFFERED)],
            supported_features=[
                SupportedFeatureKey(name, low, high)
                for name, low, high in FEATURES
                if low > 0 or request.version >= 4  # rule 1.4.4: older clients reject level 0
            ],
            finalized_features_epoch=FEATURES_EPOCH,
            finalized_features=[FinalizedFeatureKey("metadata.version", METADATA_LEVEL, METADATA_LEVEL)],
        )
    )


def unknown_version() -> ApiVersionsResponse:
    """To be written in version 0."""
    return ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=[_entry(ApiKey.API_VERSIONS)])


def _entry(key: ApiKey) -> ApiVersion:
    api = APIS[key]
    return ApiVersion(key, api.advertised_min_version, api.max_version)


route = Route(ApiVersionsRequest, handle)
