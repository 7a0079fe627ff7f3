"""Limits on connections, on real sockets: waiting, refused and closed connections."""

from pathlib import Path

from tenure.protocol.messages import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasRequest,
    ApiVersionsRequest,
    OpData,
)
from tests.broker.wire import Wire
from tests.serving import Serving, serving
from tests.wire import Wire as AnyWire

HELLO = ApiVersionsRequest("test", "1")
TWO_LISTENERS = ("--listen", "INSIDE://127.0.0.1:0,OUTSIDE://127.0.0.1:0", "--memory")
NAMES = "listener.security.protocol.map=INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT"


def ports(broker: Serving) -> tuple[int, int]:
    inside, outside = (int(entry.rpartition(":")[2]) for entry in broker.address.split(","))
    return inside, outside


def is_refused(wire: Wire) -> bool:
    try:
        wire.send(HELLO)
    except ConnectionError:
        return True
    return wire.is_closed()


def test_max_connections_per_ip__reached__refused_until_another_connection_closes(tmp_path: Path) -> None:
    limits = ("max.connections.per.ip=1", "max.connections.per.ip.overrides=127.0.0.2:2")
    with serving(tmp_path, *limits, options=("--memory",)) as broker:
        first = Wire(broker)
        assert first.ask(HELLO).error_code == 0
        with Wire(broker) as second:
            assert is_refused(second)
        others = [AnyWire(broker.host, broker.port, source="127.0.0.2") for _ in range(2)]
        assert [other.ask(HELLO).error_code for other in others] == [0, 0]
        first.close()
        while True:  # until the broker has noticed the closed connection
            with Wire(broker) as again:
                if not is_refused(again):
                    break
        assert "refused a connection from 127.0.0.1: this address has 1 connection already" in broker.log
        for other in others:
            other.close()


def test_max_connections__reached__next_connection_waits_until_one_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path, "max.connections=2", options=("--memory",)) as broker:
        first, second = Wire(broker), Wire(broker)
        assert [wire.ask(HELLO).error_code for wire in (first, second)] == [0, 0]
        with Wire(broker) as third:
            third.send(HELLO)
            assert third.is_parked()
            first.close()
            assert third.receive().error_code == 0
            assert second.ask(HELLO).error_code == 0
        second.close()


def test_max_connections__inter_broker_connection_above_the_limit__least_recently_used_client_disconnected(
    tmp_path: Path,
) -> None:
    settings = (NAMES, "max.connections=2", "inter.broker.listener.name=INSIDE")
    with serving(tmp_path, *settings, options=TWO_LISTENERS) as broker:
        inside, outside = ports(broker)
        used, unused = AnyWire("127.0.0.1", outside), AnyWire("127.0.0.1", outside)
        for wire in (used, unused, used):
            assert wire.ask(HELLO).error_code == 0
        with AnyWire("127.0.0.1", inside) as operator:
            assert operator.ask(HELLO).error_code == 0
            assert used.ask(HELLO).error_code == 0
            assert unused._socket.recv(1) == b""
        assert "this one was used least recently" in broker.log
        used.close()
        unused.close()


def test_max_connections_of_a_listener__reached__other_listener_accepts(tmp_path: Path) -> None:
    settings = (NAMES, "listener.name.outside.max.connections=1")
    with serving(tmp_path, *settings, options=TWO_LISTENERS) as broker:
        inside, outside = ports(broker)
        with AnyWire("127.0.0.1", outside) as first, AnyWire("127.0.0.1", outside) as second:
            assert first.ask(HELLO).error_code == 0
            second.send(HELLO)
            assert not second.has_response(within_s=0.2)
            with AnyWire("127.0.0.1", inside) as other:
                assert other.ask(HELLO).error_code == 0
            first.close()
            assert second.receive().error_code == 0


def test_connection_creation_rate__burst_of_connections__all_accepted_after_a_wait(tmp_path: Path) -> None:
    with serving(tmp_path, "max.connection.creation.rate=10", "quota.window.num=2", options=("--memory",)) as broker:
        wires = [Wire(broker) for _ in range(20)]
        for wire in wires:
            wire.send(HELLO)
        assert [wire.receive().error_code for wire in wires] == [0] * 20
        for wire in wires:
            wire.close()


def test_connection_creation_rate__quota_of_an_ip_exceeded__refused(tmp_path: Path) -> None:
    with serving(tmp_path, options=("--memory",)) as broker:
        entity = [AlterClientQuotasEntity("ip", "127.0.0.2")]
        entry = AlterClientQuotasEntry(entity, [OpData("connection_creation_rate", 1.0)])
        with Wire(broker) as wire:
            assert [one.error_code for one in wire.ask(AlterClientQuotasRequest([entry])).entries] == [0]
        accepted = 0
        for _ in range(30):
            with AnyWire(broker.host, broker.port, source="127.0.0.2") as wire:
                wire.send(HELLO)
                try:
                    accepted += wire.receive().error_code == 0
                except ConnectionError:
                    break
        assert 10 <= accepted < 30
        with Wire(broker) as other:
            assert other.ask(HELLO).error_code == 0
        assert "connects too often (quota connection_creation_rate)" in broker.log
