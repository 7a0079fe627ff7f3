"""Several listeners of one broker: each returns the addresses for its own clients."""

from pathlib import Path

from tenure.protocol.messages import DescribeClusterRequest, FindCoordinatorRequest, MetadataRequest
from tests.serving import serving
from tests.wire import Wire

SETTINGS = (
    "listener.security.protocol.map=INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT",
    "advertised.listeners=OUTSIDE://broker.example:19092",
)


def test_listeners__two_configured__metadata_has_the_address_of_the_listener_used(tmp_path: Path) -> None:
    listen = ("--listen", "INSIDE://127.0.0.1:0,OUTSIDE://127.0.0.1:0", "--memory")
    with serving(tmp_path, *SETTINGS, options=listen) as broker:
        inside, outside = (int(entry.rpartition(":")[2]) for entry in broker.address.split(","))
        for port, expected in ((inside, ("127.0.0.1", inside)), (outside, ("broker.example", 19092))):
            with Wire("127.0.0.1", port) as wire:
                coordinator = wire.ask(FindCoordinatorRequest("g"), 0)
                (by_metadata,) = wire.ask(MetadataRequest([])).brokers
                (by_description,) = wire.ask(DescribeClusterRequest()).brokers
            assert {(at.host, at.port) for at in (coordinator, by_metadata, by_description)} == {expected}
