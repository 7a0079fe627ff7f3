"""Feature levels over the wire: changed, described, in effect, and kept over a restart (KIP-584)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ApiVersionsRequest,
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    FeatureUpdateKey,
    StreamsGroupDescribeRequest,
    StreamsGroupHeartbeatRequest,
    UpdateFeaturesRequest,
)
from tests.broker.wire import Wire
from tests.serving import Serving, serving

UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
MEMBER = "a" * 22


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("features")) as running:
        yield running


@pytest.fixture
def wire(broker: Serving) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection


def update(wire: Wire, name: str, level: int, kind: int, *, validate_only: bool = False) -> tuple[int, str]:
    updates = [FeatureUpdateKey(name, level, False, kind)]
    answer = wire.ask(UpdateFeaturesRequest(feature_updates=updates, validate_only=validate_only))
    return answer.error_code, answer.error_message or ""


def levels(wire: Wire) -> dict[str, int]:
    return {each.name: each.max_version_level for each in wire.ask(ApiVersionsRequest("t", "1")).finalized_features}


def codes(wire: Wire) -> list[int]:
    """Return the error codes of heartbeats and descriptions of both kinds of groups."""
    beat = ConsumerGroupHeartbeatRequest("g", MEMBER, 5)
    streams_beat = StreamsGroupHeartbeatRequest("g", MEMBER, 5)
    described = [ConsumerGroupDescribeRequest(["g"]), StreamsGroupDescribeRequest(["g"])]
    return [wire.ask(beat).error_code, wire.ask(streams_beat).error_code] + [
        wire.ask(request).groups[0].error_code for request in described
    ]


@pytest.mark.long
@pytest.mark.parametrize(("feature", "disabled"), [("group.version", 0), ("streams.version", 1)])
def test_update_features__group_protocol_disabled__its_apis_unsupported_until_it_is_enabled_again(
    broker: Serving, feature: str, disabled: int
) -> None:
    with Wire(broker) as wire:
        enabled = codes(wire)
        epoch = wire.ask(ApiVersionsRequest("t", "1")).finalized_features_epoch
        assert update(wire, feature, 0, SAFE_DOWNGRADE) == (0, "")
        assert feature not in levels(wire)
        assert wire.ask(ApiVersionsRequest("t", "1")).finalized_features_epoch > epoch
    broker.restart()
    with Wire(broker) as wire:
        assert feature not in levels(wire)
        expected = [
            ErrorCode.UNSUPPORTED_VERSION if at % 2 == disabled else code for at, code in enumerate(codes(wire))
        ]
        assert codes(wire) == expected
        assert ErrorCode.UNSUPPORTED_VERSION in expected
        assert update(wire, feature, 1, UPGRADE) == (0, "")
        assert levels(wire)[feature] == 1
        assert codes(wire) == enabled


@pytest.mark.long
def test_update_features__metadata_version_upgraded__same_version_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            assert levels(wire)["metadata.version"] == 30
            assert update(wire, "metadata.version", 33, UPGRADE, validate_only=True) == (0, "")
            assert levels(wire)["metadata.version"] == 30
            assert update(wire, "metadata.version", 33, UPGRADE) == (0, "")
        broker.restart()
        with Wire(broker) as wire:
            assert levels(wire)["metadata.version"] == 33
        assert "feature metadata.version: level 30 -> 33" in broker.log


@pytest.mark.parametrize(
    ("name", "level", "kind", "code", "why"),
    [
        ("group.version", 0, UPGRADE, ErrorCode.INVALID_UPDATE_VERSION, "this request may not lower it"),
        ("group.version", 1, 9, ErrorCode.INVALID_UPDATE_VERSION, "unknown upgrade type 9"),
        ("group.version", 2, UPGRADE, ErrorCode.INVALID_UPDATE_VERSION, "supports levels 0 to 1"),
        ("metadata.version", 25, SAFE_DOWNGRADE, ErrorCode.INVALID_UPDATE_VERSION, "this request may not lower it"),
        ("metadata.version", 34, UPGRADE, ErrorCode.INVALID_UPDATE_VERSION, "supports levels 7 to 33"),
        ("share.version", 1, UPGRADE, ErrorCode.INVALID_UPDATE_VERSION, "unknown feature or negative level"),
        ("transaction.version", 0, SAFE_DOWNGRADE, ErrorCode.FEATURE_UPDATE_FAILED, "only in the format of level 1"),
    ],
)
def test_update_features__impossible_change__refused_with_the_reason(
    wire: Wire, name: str, level: int, kind: int, code: ErrorCode, why: str
) -> None:
    before = levels(wire)
    error_code, message = update(wire, name, level, kind)
    assert error_code == code
    assert why in message
    assert levels(wire) == before
