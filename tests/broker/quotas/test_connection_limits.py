"""Limits on connections, in virtual time."""

import pytest

from tenure.broker.config.configuration import load_settings
from tenure.broker.quotas.connection_limits import ConnectionLimits, canonical_address


def limits(**values: object) -> ConnectionLimits:
    settings, _ = load_settings(flags=[f"{name.replace('_', '.')}={value}" for name, value in values.items()])
    return ConnectionLimits(settings)


def test_max_connections__reached__only_the_inter_broker_listener_accepts() -> None:
    found = limits(inter_broker_listener_name="INNER", max_connections=2)
    for _ in range(2):
        assert found.has_room("OUTER")
        found.opened("OUTER", "10.0.0.1")
    assert not found.has_room("OUTER")
    assert found.has_room("INNER")
    found.opened("INNER", "10.0.0.1")
    assert found.is_exceeded
    found.closed("OUTER", "10.0.0.1")
    assert not found.is_exceeded
    assert not found.has_room("OUTER")
    found.closed("OUTER", "10.0.0.1")
    assert found.has_room("OUTER")


def test_max_connections__set_for_one_listener__other_listeners_not_limited() -> None:
    found = limits(**{"listener.name.small.max.connections": 1})
    found.opened("SMALL", "10.0.0.1")
    assert not found.has_room("SMALL")
    assert found.has_room("LARGE")


def test_max_connections_per_ip__override_in_any_notation_of_the_address__override_applies() -> None:
    found = limits(max_connections_per_ip=1, max_connections_per_ip_overrides="10.0.0.2:2,::1:0")
    for host, allowed in [("10.0.0.1", 1), ("10.0.0.2", 1), ("::ffff:10.0.0.2", 1), ("10.0.0.2", 0), ("0:0::1", 0)]:
        refusal = found.refusal(host, 0)
        assert (refusal is None) == bool(allowed), host
        if refusal is None:
            found.opened("L", host)
    found.closed("L", "10.0.0.1")
    assert found.refusal("10.0.0.1", 0) is None


def test_connection_creation_rate__exceeded__accept_waits_one_window_at_most() -> None:
    found = limits(max_connection_creation_rate=1)
    waits = [found.throttle_ms("L", 0) for _ in range(30)]
    assert waits[:10] == [0] * 10, "ten windows that have passed allow ten"
    assert waits[10] == 1_000
    assert max(waits) == 1_000
    assert found.throttle_ms("L", 60_000) == 0


def test_connection_creation_rate__quota_of_an_ip_exceeded__refused_connections_do_not_count() -> None:
    found = limits()
    found.reload({(("ip", "10.0.0.1"),): {"connection_creation_rate": 1.0}, (("ip", None),): {}})
    refusals = [found.refusal("10.0.0.1", 0) for _ in range(12)]
    assert refusals[:10] == [None] * 10
    assert all(refusal is not None and refusal.delay_ms == 1_000 for refusal in refusals[10:])
    assert found.refusal("10.0.0.9", 0) is None
    assert found.refusal("10.0.0.1", 11_000) is None


@pytest.mark.parametrize(
    ("host", "expected"),
    [("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("0:0:0::1", "::1"), ("fe80::1%eth0", "fe80::1")],
)
def test_ip_address__equivalent_notations__same_canonical_text(host: str, expected: str) -> None:
    assert canonical_address(host) == expected
