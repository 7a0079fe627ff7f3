"""ApiVersions, which is answered in every version (rule 1.4)."""

import pytest

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import decode
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.messages import ApiVersion, ApiVersionsRequest, ApiVersionsResponse
from tests.broker.wire import Wire

LIBRARY = ApiVersionsRequest("a-library", "1.0")


def ranges(response: ApiVersionsResponse) -> dict[int, tuple[int, int]]:
    return {entry.api_key: (entry.min_version, entry.max_version) for entry in response.api_keys}


@pytest.mark.parametrize("version", range(6))
def test_api_versions__every_version__all_apis_in_order_with_their_version_ranges(wire: Wire, version: int) -> None:
    response = wire.ask(LIBRARY, version)
    assert response.error_code == ErrorCode.NONE
    keys = [entry.api_key for entry in response.api_keys]
    assert keys == sorted(APIS)
    assert ranges(response)[ApiKey.OFFSET_COMMIT] == (2, 10)
    assert ranges(response)[ApiKey.JOIN_GROUP] == (0, 9)
    assert ranges(response)[ApiKey.PRODUCE] == (0, 13)  # rule 1.4.8


def test_api_versions__unsupported_request_version__answer_in_version_0_with_the_supported_range(wire: Wire) -> None:
    frame = bytearray(encode_request(RequestHeader(ApiKey.API_VERSIONS, 4, 7, "future"), LIBRARY))
    frame[6:8] = (99).to_bytes(2, "big")
    wire.send_bytes(frame)
    answer = wire.receive_bytes()
    assert answer[:4] == (7).to_bytes(4, "big")
    response = decode(ApiVersionsResponse, 0, answer, 4)
    assert response.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert response.api_keys == [ApiVersion(ApiKey.API_VERSIONS, 0, 5)]
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE  # the connection goes on


@pytest.mark.parametrize(("name", "version"), [("", "1"), ("-dash-first", "1"), ("ok", "no spaces"), ("ok", "")])
def test_api_versions__invalid_software_name__invalid_request(wire: Wire, name: str, version: str) -> None:
    response = wire.ask(ApiVersionsRequest(name, version))
    assert response.error_code == ErrorCode.INVALID_REQUEST


def test_api_versions__request_version_3__features_with_minimum_level_0_left_out(wire: Wire) -> None:
    assert [f.name for f in wire.ask(LIBRARY, 3).supported_features] == ["metadata.version"]
    assert "group.version" in [f.name for f in wire.ask(LIBRARY, 4).supported_features]
