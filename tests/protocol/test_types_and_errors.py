"""Topic ids as text, and the error codes."""

import pytest

from tenure.protocol.errors import MESSAGES, ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID, TopicId, topic_id_from_text, topic_id_text
from tests.protocol.samples import rng


def test_topic_id_text__known_ids__same_text_as_in_kafka() -> None:
    assert topic_id_text(ZERO_TOPIC_ID) == "AAAAAAAAAAAAAAAAAAAAAA"
    assert topic_id_text(TopicId(bytes(range(1, 17)))) == "AQIDBAUGBwgJCgsMDQ4PEA"


def test_topic_id_text__converted_to_text_and_back__same_id() -> None:
    draw = rng("topic id")
    for _ in range(100):
        topic_id = TopicId(draw.randbytes(16))
        assert topic_id_from_text(topic_id_text(topic_id)) == topic_id


@pytest.mark.parametrize(
    "text", ["", "flights", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AQIDBAUGBwgJCgsMDQ4PEB", "ä" * 22]
)
def test_topic_id_from_text__invalid_text__refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a topic id"):
        topic_id_from_text(text)


def test_error_codes__minus_1_to_136__each_with_a_message() -> None:
    assert sorted(ErrorCode) == list(range(-1, 137)) == sorted(MESSAGES)


def test_error_codes__fenced_instance_id_and_member_id_required__numbers_82_and_79() -> None:
    assert ErrorCode.FENCED_INSTANCE_ID == 82
    assert ErrorCode.MEMBER_ID_REQUIRED == 79


def test_error_codes__retriable_ones__same_as_in_kafka() -> None:
    assert ErrorCode.COORDINATOR_LOAD_IN_PROGRESS.retriable
    assert not ErrorCode.REBALANCE_IN_PROGRESS.retriable
    assert not ErrorCode.FENCED_INSTANCE_ID.retriable


def test_error_codes__unknown_number__unknown_server_error() -> None:
    assert ErrorCode(9_999) is ErrorCode.UNKNOWN_SERVER_ERROR
