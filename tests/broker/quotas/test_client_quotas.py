"""Precedence of quotas and throttle times, in virtual time."""

import pytest

from tenure.broker.quotas.client_quotas import ClientQuotas, QuotaKind
from tenure.broker.quotas.rates import Rate, TokenBucket, Windows
from tenure.limits.broker import QUOTA_CLIENTS_MAX

KAFKA: Windows = Windows(11, 1_000)
LADDER: list[tuple[tuple[str, str | None], ...]] = [
    (("client-id", "c"), ("user", "u")),
    (("client-id", None), ("user", "u")),
    (("user", "u"),),
    (("client-id", "c"), ("user", None)),
    (("client-id", None), ("user", None)),
    (("user", None),),
    (("client-id", "c"),),
    (("client-id", None),),
]
"""Entities whose quotas apply to client c of user u, the most important first."""


def bound(quotas: ClientQuotas, user: str, client_id: str) -> float | None:
    allowance = quotas.of(user, client_id).produce
    return None if allowance is None else allowance.bound


@pytest.mark.parametrize("first", range(len(LADDER)))
def test_precedence__several_entities_have_a_quota__most_specific_applies(first: int) -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({entity: {"producer_byte_rate": float(rank)} for rank, entity in enumerate(LADDER) if rank >= first})
    assert bound(quotas, "u", "c") == first


def test_precedence__client_without_id__only_quotas_of_users() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("client-id", None),): {"producer_byte_rate": 1.0}})
    assert bound(quotas, "u", "") is None
    quotas.reload({(("client-id", None),): {"producer_byte_rate": 1.0}, (("user", None),): {"producer_byte_rate": 2.0}})
    assert bound(quotas, "u", "") == 2


def test_activity__only_addresses_have_quotas__requests_are_not_metered() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    assert not quotas.is_active
    quotas.reload({(("ip", None),): {"connection_creation_rate": 1.0}})
    assert not quotas.is_active
    quotas.reload({(("user", "u"),): {"request_percentage": 1.0}})
    assert quotas.is_active


def test_scope__quota_of_a_user__shared_by_all_client_ids() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("user", "u"),): {"producer_byte_rate": 10.0}})
    first, second = quotas.of("u", "a").produce, quotas.of("u", "b").produce
    assert first is not None
    assert second is not None
    assert first.used is second.used
    assert quotas.throttle_ms(QuotaKind.PRODUCE, first, 100, 0) == 0
    assert quotas.throttle_ms(QuotaKind.PRODUCE, second, 20, 0) == 2_000, "120 bytes are those of 12 s, not of 10 s"


def test_change__new_bound__rate_is_kept() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("user", "u"),): {"producer_byte_rate": 1_000.0}})
    assert quotas.throttle_ms(QuotaKind.PRODUCE, quotas.of("u", "a").produce, 500, 0) == 0
    quotas.reload({(("user", "u"),): {"producer_byte_rate": 10.0}})
    assert quotas.throttle_ms(QuotaKind.PRODUCE, quotas.of("u", "a").produce, 0, 0) == 40_000


def test_request_time__far_above_quota__throttle_is_one_window() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("user", "u"),): {"request_percentage": 1.0}})
    assert quotas.throttle_ms(QuotaKind.REQUEST, quotas.of("u", "a").request, 10_000, 0) == 1_000


def test_bytes__client_that_obeys_the_throttle_times__rate_of_the_quota() -> None:
    """Send in 1,000 s of virtual time what the quota allows, and one burst."""
    rate, now_ms, sent = Rate(KAFKA), 0, 0
    while now_ms < 1_000_000:
        rate.record(100, now_ms)
        sent += 100
        now_ms += rate.throttle_ms(1_000, now_ms) + 1
    assert 1_000_000 <= sent <= 1_010_000 + 1_000_000 // 100


def test_token_bucket__overdrawn__accepts_again_after_the_throttle_time() -> None:
    bucket = TokenBucket(Windows(10, 1_000))
    bucket.record(25, 2.0, 0)
    assert bucket.throttle_ms(2.0, 0) == 2_500
    assert bucket.tokens(2.0, 2_499) < 0
    assert bucket.tokens(2.0, 2_500) == pytest.approx(0)
    assert bucket.tokens(2.0, 1_000_000) == 20, "never more than the windows hold"


def test_clients__more_than_are_kept__oldest_are_forgotten() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("client-id", None),): {"producer_byte_rate": 10.0}})
    first = quotas.of("u", "0").produce
    for number in range(QUOTA_CLIENTS_MAX + 1):
        quotas.of("u", str(number))
    assert quotas.of("u", "0").produce is not first
