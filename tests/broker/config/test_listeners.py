"""Listeners of the broker: names, protocols, and addresses for clients."""

import pytest

from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.config.listeners import BrokerListener, SecurityProtocol, configured_listeners
from tenure.broker.config.start_error import StartError

IN_THE_CLEAR = SecurityProtocol.PLAINTEXT
MAP = "listener.security.protocol.map=INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT,PLAINTEXT:PLAINTEXT"


def listeners(*flags: str, listen: str | None = None) -> list[BrokerListener]:
    settings, _ = load_settings(flags=[MAP, *flags])
    return configured_listeners(settings, listen)


def test_listeners__two_named_and_one_advertised__both_with_their_client_addresses() -> None:
    found = listeners(
        "listeners=inside://127.0.0.1:9092, OUTSIDE://[::1]:9093", "advertised.listeners=OUTSIDE://broker.example:19093"
    )
    assert found == [
        BrokerListener("INSIDE", IN_THE_CLEAR, Address("127.0.0.1", 9092)),
        BrokerListener("OUTSIDE", IN_THE_CLEAR, Address("::1", 9093), Address("broker.example", 19093)),
    ]
    assert [listener.client_address for listener in found] == [("127.0.0.1", 9092), ("broker.example", 19093)]


def test_listeners__listen_flag_and_listeners_setting__flag_overrides_the_setting() -> None:
    assert listeners("listeners=INSIDE://127.0.0.1:1", listen="127.0.0.1:0") == [
        BrokerListener("PLAINTEXT", IN_THE_CLEAR, Address("127.0.0.1", 0))
    ]


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["listeners=PLAINTEXT://a:1,PLAINTEXT://b:2"], "listeners names the listener PLAINTEXT twice"),
        (["listeners=a:1,b:2"], "listeners names the listener PLAINTEXT twice"),
        (["listeners=OTHER://a:1"], "add OTHER:PROTOCOL to listener.security.protocol.map"),
        (["listeners=INSIDE://a"], "listeners 'a' is not an address"),
        (["advertised.listeners=OUTSIDE://a:1"], "advertised.listeners names OUTSIDE, which is not a listener"),
        (["advertised.listeners=PLAINTEXT://a:0"], "is not an address that clients can connect to"),
        (["listener.security.protocol.map=INSIDE:TLS"], "'INSIDE:TLS' is not NAME:PROTOCOL"),
        (["listener.security.protocol.map=INSIDE"], "'INSIDE' is not NAME:PROTOCOL"),
    ],
)
def test_listeners__invalid__refused_with_key_and_remedy(flags: list[str], why: str) -> None:
    with pytest.raises(StartError) as refused:
        listeners(*flags)
    assert why in str(refused.value)
