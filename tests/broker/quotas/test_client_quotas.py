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
    quota = quotas.of(user, client_id).produce
    return None if quota is None else quota.bound


@pytest.mark.parametrize("first", range(len(LADDER)))
def test_client_quota__several_entities_have_one__most_specific_applies(first: int) -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({entity: {"producer_byte_rate": float(rank)} for rank, entity in enumerate(LADDER) if rank >= first})
    assert bound(quotas, "u", "c") == first


def test_client_quota__client_without_client_id__quota_of_its_user_applies() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("client-id", None),): {"producer_byte_rate": 1.0}})
    assert bound(quotas, "u", "") is None
    quotas.reload({(("client-id", None),): {"producer_byte_rate": 1.0}, (("user", None),): {"producer_byte_rate": 2.0}})
    assert bound(quotas, "u", "") == 2


def test_client_quotas__only_ip_addresses_have_quotas__requests_are_not_metered() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    assert not quotas.is_active
    quotas.reload({(("ip", None),): {"connection_creation_rate": 1.0}})
    assert not quotas.is_active
    quotas.reload({(("user", "u"),): {"request_percentage": 1.0}})
    assert quotas.is_active


def test_quota_of_a_user__two_client_ids__share_the_quota() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("user", "u"),): {"producer_byte_rate": 10.0}})
    first, second = quotas.of("u", "a").produce, quotas.of("u", "b").produce
    assert first is not None
    assert second is not None
    assert first.used is second.used
    assert quotas.throttle_ms(QuotaKind.PRODUCE, first, 100, 0) == 0
    assert quotas.throttle_ms(QuotaKind.PRODUCE, second, 20, 0) == 2_000, "120 bytes are those of 12 s, not of 10 s"


def test_quota_change__bound_lowered__bytes_sent_before_included_in_the_rate() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("user", "u"),): {"producer_byte_rate": 1_000.0}})
    assert quotas.throttle_ms(QuotaKind.PRODUCE, quotas.of("u", "a").produce, 500, 0) == 0
    quotas.reload({(("user", "u"),): {"producer_byte_rate": 10.0}})
    assert quotas.throttle_ms(QuotaKind.PRODUCE, quotas.of("u", "a").produce, 0, 0) == 40_000


def test_request_percentage__far_above_the_quota__throttle_time_of_one_window() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("user", "u"),): {"request_percentage": 1.0}})
    assert quotas.throttle_ms(QuotaKind.REQUEST, quotas.of("u", "a").request, 10_000, 0) == 1_000


def test_byte_rate__client_waits_for_each_throttle_time__equals_the_quota() -> None:
    """Send in 1,000 s of virtual time what the quota allows, and one burst."""
    rate, now_ms, sent = Rate(KAFKA), 0, 0
    while now_ms < 1_000_000:
        rate.record(100, now_ms)
        sent += 100
        now_ms += rate.throttle_ms(1_000, now_ms) + 1
    assert 1_000_000 <= sent <= 1_010_000 + 1_000_000 // 100


def test_mutation_quota__token_bucket_overdrawn__accepts_again_after_the_throttle_time() -> None:
    bucket = TokenBucket(Windows(10, 1_000))
    bucket.record(25, 2.0, 0)
    assert bucket.throttle_ms(2.0, 0) == 2_500
    assert bucket.tokens(2.0, 2_499) < 0
    assert bucket.tokens(2.0, 2_500) == pytest.approx(0)
    assert bucket.tokens(2.0, 1_000_000) == 20, "never more than the windows hold"


def test_quota_clients__more_than_the_maximum_in_memory__oldest_removed() -> None:
    quotas = ClientQuotas(KAFKA, KAFKA)
    quotas.reload({(("client-id", None),): {"producer_byte_rate": 10.0}})
    first = quotas.of("u", "0").produce
    for number in range(QUOTA_CLIENTS_MAX + 1):
        quotas.of("u", str(number))
    assert quotas.of("u", "0").produce is not first
