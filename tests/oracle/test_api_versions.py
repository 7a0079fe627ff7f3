"""Advertised API versions are those of Apache Kafka, key by key."""

from __future__ import annotations

import socket
import struct

import pytest

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.messages import ApiVersionsRequest
from tests.kafka_versions import NEWEST, newest_version, versions_in_kafka
from tests.oracle.side import PATIENCE_S, Side

pytestmark = pytest.mark.oracle

NOT_OFFERED = {
    ApiKey.SHARE_GROUP_HEARTBEAT,
    ApiKey.SHARE_GROUP_DESCRIBE,
    ApiKey.SHARE_FETCH,
    ApiKey.SHARE_ACKNOWLEDGE,
    ApiKey.INITIALIZE_SHARE_GROUP_STATE,
    ApiKey.READ_SHARE_GROUP_STATE,
    ApiKey.WRITE_SHARE_GROUP_STATE,
    ApiKey.DELETE_SHARE_GROUP_STATE,
    ApiKey.READ_SHARE_GROUP_STATE_SUMMARY,
    ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS,
    ApiKey.ALTER_SHARE_GROUP_OFFSETS,
    ApiKey.DELETE_SHARE_GROUP_OFFSETS,
}
"""APIs of share groups (KIP-932)."""


def ranges(side: Side, version: int) -> dict[int, tuple[int, int]]:
    request = ApiVersionsRequest(client_software_name="oracle", client_software_version="1")
    answer = side.session().ask("A", request, version)
    assert answer.error_code == 0
    keys = [one.api_key for one in answer.api_keys]
    assert keys == sorted(keys)
    return {one.api_key: (one.min_version, one.max_version) for one in answer.api_keys}


def in_kafka(ours: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Return our versions without those that the version of Apache Kafka under test does not have."""
    known = {key: versions for key, versions in ours.items() if NEWEST.get(key, 0) >= 0}
    return {key: (oldest, NEWEST.get(key, newest)) for key, (oldest, newest) in known.items()}


@pytest.mark.parametrize("version", versions_in_kafka(ApiKey.API_VERSIONS))
def test_api_versions__all_apis_except_share_groups__same_versions_as_apache_kafka(
    version: int, kafka: Side, tenure: Side
) -> None:
    expected, ours = ranges(kafka, version), ranges(tenure, version)
    assert in_kafka(ours) == {key: versions for key, versions in expected.items() if key not in NOT_OFFERED}
    assert expected.keys() >= NOT_OFFERED


@pytest.mark.parametrize("version", [6, 99])
def test_api_versions__unknown_request_version__same_version_0_answer_as_apache_kafka(
    version: int, kafka: Side, tenure: Side
) -> None:
    frame = struct.pack(">ihhihb", 11, 18, version, 7, -1, 0)
    key = ApiKey.API_VERSIONS
    ours, theirs = (struct.pack(">hhh", key, 0, newest) for newest in (APIS[key].max_version, newest_version(key)))
    assert exchange(tenure, frame).replace(ours, theirs) == exchange(kafka, frame)


@pytest.mark.parametrize("name", ["", "-oracle", "ora cle", "oracle"])
def test_api_versions__valid_and_invalid_software_names__same_result_as_apache_kafka(
    name: str, kafka: Side, tenure: Side
) -> None:
    request = ApiVersionsRequest(client_software_name=name, client_software_version="1")
    expected, ours = (side.session().ask("A", request, 4).error_code for side in (kafka, tenure))
    assert ours == expected


@pytest.mark.parametrize(
    "frame",
    [
        struct.pack(">ihhih", 10, 999, 0, 1, -1),
        struct.pack(">ihhih", 10, 12, 99, 1, -1),
        struct.pack(">ihhih", 10, 12, 0, 1, -1),
        struct.pack(">i", -5),
        struct.pack(">i", 1 << 30),
    ],
    ids=["unknown-key", "unknown-version", "body-missing", "negative-size", "oversized"],
)
def test_malformed_frames__sent_to_both_brokers__connection_closed(frame: bytes, kafka: Side, tenure: Side) -> None:
    assert exchange(kafka, frame) == b""
    assert exchange(tenure, frame) == b""


def exchange(side: Side, frame: bytes) -> bytes:
    """Return the frame that comes back on a new connection; b"" if the broker closes it."""
    with socket.create_connection((side.host, side.port), timeout=PATIENCE_S) as connection:
        connection.sendall(frame)
        with connection.makefile("rb") as answers:
            try:
                size = answers.read(4)
                return size + answers.read(int.from_bytes(size, "big"))
            except ConnectionResetError:
                return b""
