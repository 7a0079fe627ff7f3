import pytest

from tenure.client.net.addresses import BrokerAddress, parse_bootstrap_servers


def test_bootstrap_servers__several_with_and_without_port_or_ipv6__parsed() -> None:
    parsed = parse_bootstrap_servers("a:1, b ,[::1]:3,[fe80::1]")
    assert parsed == (
        BrokerAddress("a", 1),
        BrokerAddress("b", 9092),
        BrokerAddress("::1", 3),
        BrokerAddress("fe80::1", 9092),
    )
    assert [str(address) for address in parsed] == ["a:1", "b:9092", "[::1]:3", "[fe80::1]:9092"]


def test_bootstrap_servers__list_of_addresses__same_as_a_string_with_commas() -> None:
    assert parse_bootstrap_servers(["a:1", "b:2"]) == parse_bootstrap_servers("a:1,b:2")


@pytest.mark.parametrize("text", ["", ",", "a:b", "a:0", "a:65536", ":1", "a:²"])
def test_bootstrap_servers__invalid__error_shows_the_expected_form(text: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        parse_bootstrap_servers(text)
