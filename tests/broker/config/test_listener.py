"""Addresses that the broker listens at, and those that it may advertise."""

import pytest

from tenure.broker.config.listener import Address, parse_advertised_address, parse_listener, refuse_open_address
from tenure.broker.config.start_error import StartError


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "localhost", "LOCALHOST", "::ffff:127.0.0.1"])
def test_listen_address__loopback_address_or_localhost__accepted(host: str) -> None:
    refuse_open_address(Address(host, 9092), insecure=False)


@pytest.mark.parametrize(
    "host", ["127.evil.com", "127.0.0.1.evil.com", "localhost.evil.com", "127.1", "", "0.0.0.0", "::", "10.0.0.1"]
)
def test_listen_address__not_a_loopback_address__refused_unless_insecure(host: str) -> None:
    with pytest.raises(StartError, match="is not a loopback address"):
        refuse_open_address(Address(host, 9092), insecure=False)
    refuse_open_address(Address(host, 9092), insecure=True)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("PLAINTEXT://broker.example:9092", ("broker.example", 9092)),
        ("plaintext://kafka_1:9092", ("kafka_1", 9092)),
        ("[2001:db8::1]:9092", ("2001:db8::1", 9092)),
        ("10.0.0.1:65535", ("10.0.0.1", 65_535)),
        (":9092", ("", 9092)),
    ],
)
def test_listener__text_with_host_and_port__parsed(text: str, address: tuple[str, int]) -> None:
    assert parse_listener(text, setting="listeners") == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SSL://a:1", "asks for SSL, but only PLAINTEXT is supported here"),
        ("a:1,b:2", "names several addresses"),
        ("broker", "is not an address"),
        ("broker:٩", "is not an address"),
        ("broker:65536", "is not an address"),
        ("two words:9092", "has no valid host"),
        ("broker\n10:00:00 INFO stopped:9092", "has no valid host"),
        ("broker\u202e:9092", "has no valid host"),
        ("fe80::1%a\nb:9092", "has no valid host"),
        ("bröker:9092", "has no valid host"),
        ("-broker:9092", "has no valid host"),
        ("broker..example:9092", "has no valid host"),
        ("127.1:9092", "has no valid host"),
        ("1.2.3.256:9092", "has no valid host"),
        (f"{'x' * 64}:9092", "has no valid host"),
        (f"{'x.' * 127}xy:9092", "has no valid host"),
    ],
)
def test_listener__invalid__refused_in_one_printable_line(text: str, why: str) -> None:
    with pytest.raises(StartError) as refused:
        parse_listener(text, setting="advertised.listeners")
    assert str(refused.value).startswith("advertised.listeners ")
    assert why in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "text", ["0.0.0.0:9092", "[::]:9092", "[0:0:0:0:0:0:0:0]:9092", "[::ffff:0.0.0.0]:9092", ":9092", "broker:0"]
)
def test_advertised_listener__address_that_clients_cannot_connect_to__refused(text: str) -> None:
    with pytest.raises(StartError, match="name the host and the port under which they reach this broker"):
        parse_advertised_address(text, setting="advertised.listeners")
