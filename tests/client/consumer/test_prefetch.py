"""Fetched records: a consumer keeps a view of the response, or a copy of a small part of it."""

import pytest

from tenure.client.consumer.prefetch import without_large_response
from tenure.limits.client import RESPONSE_HELD_FACTOR_MAX

RECORDS = b"records of one partition"


@pytest.mark.parametrize(
    ("factor", "is_copied"), [(RESPONSE_HELD_FACTOR_MAX, False), (RESPONSE_HELD_FACTOR_MAX + 1, True)]
)
def test_fetched_records__small_part_of_a_large_response__copied(factor: int, is_copied: bool) -> None:
    response = memoryview(bytearray(RECORDS * factor)).toreadonly()
    records = without_large_response(response[: len(RECORDS)])
    assert bytes(records) == RECORDS
    assert isinstance(records, bytes) is is_copied
