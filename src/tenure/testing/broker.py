"""Broker of `tenure serve` in a thread of the test process, by default with its data in memory."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from tenure.broker.broker import Broker as WholeBroker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.config.listeners import BrokerListener, SecurityProtocol
from tenure.broker.requests.context import Context
from tenure.broker.security.security import security_by_listener
from tenure.broker.server.server import Server
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.records import SessionExtended
from tenure.limits.coordinator import INITIAL_DELAY_MIN_MS
from tenure.plural import format_count
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GroupId, MemberId
from tenure.storage.data_directory import DataDirectory
from tenure.storage.files import DataFiles, LocalDataFiles
from tenure.storage.memory import MemoryFiles
from tenure.testing import groups
from tenure.testing.clock import Clock
from tenure.testing.faults import Act, Fault, FaultyDispatcher, api_key, late, lose_request, lose_response
from tenure.testing.groups import GroupState, Member

if TYPE_CHECKING:
    from tenure.admin import Admin
    from tenure.broker.coordinators.groups import GroupsServed
    from tenure.testing.security import BrokerSecurity, Credentials, SecurityFiles

T = TypeVar("T")

HOST: Final = "127.0.0.1"
START_TIMEOUT_S: Final = 30.0
POLL_S: Final = 0.01
IN_MEMORY: Final = {"tenure.data.durability": "memory", "tenure.coordinator.durability": "memory"}
FOR_TESTS: Final = {
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "1",
    "group.consumer.assignment.interval.ms": "0",
    "group.consumer.heartbeat.interval.ms": "100",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "offsets.topic.num.partitions": "1",
}
"""Settings for tests: fast rebalances, and any session timeout."""


class Broker:
    """Broker for tests, which runs from `start` (or `with`) to `stop`. Thread-safe.

    `settings` are Kafka's broker keys. With a `directory` the data is on disk, and remains after the end of the broker.
    Otherwise the data is in memory: `restart` keeps it, and it is lost together with this object. With `security` (a
    security protocol, or a `BrokerSecurity`) the broker has certificates and users: see `credentials`.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        *,
        directory: Path | None = None,
        security: "BrokerSecurity | str | None" = None,
    ) -> None:
        values = {**FOR_TESTS, **(IN_MEMORY if directory is None else {}), **(settings or {})}
        self._secured: Final = None if security is None else _security_files(security)
        self._protocol: Final = SecurityProtocol.PLAINTEXT if self._secured is None else self._secured.protocol
        if self._secured is not None:
            values |= self._secured.settings(values)
        self._settings, _ = load_settings(flags=[f"{key}={_text(value)}" for key, value in values.items()])
        self._path: Final = "/memory" if directory is None else str(directory)
        self._files: Final[DataFiles] = MemoryFiles() if directory is None else LocalDataFiles()
        self._faults: Final[list[Fault]] = []
        self._port = 0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._broker: WholeBroker
        self._server: Server
        self._directory: DataDirectory
        self._clock: Clock

    # --- its life -----------------------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """Address for `bootstrap.servers`."""
        return f"{HOST}:{self._port}"

    def credentials(self, user: str | None = None, mechanism: str | None = None) -> "Credentials":
        """Return a user's connection settings, for each client library.

        Args:
            user: One of the users; default: the first one.
            mechanism: SASL mechanism; default: the broker's first one.

        Raises:
            ValueError: The user is unknown, or the broker was created without `security`.
        """
        if self._secured is None:
            raise ValueError('This broker has no users: create it with Broker(security="SASL_SSL").')
        return self._secured.credentials(self.address, user, mechanism)

    def renew_certificates(self) -> None:
        """Replace the certificates of the broker and of all users. New connections use the new certificates."""
        if self._secured is None:
            raise ValueError('This broker has no certificates: create it with Broker(security="SSL").')
        self._secured.renew_certificates()
        self._broker.context.certificates[self._protocol.value].maybe_reload()

    @property
    def _config(self) -> dict[str, Any]:
        """Return the settings for the clients inside this class."""
        if self._secured is None:
            return {"bootstrap.servers": self.address}
        return self._secured.own_credentials(self.address).librdkafka

    def start(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tenure-broker", daemon=True)
        self._thread.start()
        self._clock = Clock(self._loop)
        self._run(self._open())
        return self

    def stop(self) -> None:
        if self._thread is not None:
            self._run(self._close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(START_TIMEOUT_S)
            self._loop.close()
            self._thread = None

    def restart(self) -> None:
        """Stop, and start again with the same data and port.

        All connections break, and requests that wait in the broker are lost.
        """
        self._run(self._close())
        self._run(self._open())

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def _open(self) -> None:
        listening = socket.create_server((HOST, self._port))
        self._port = listening.getsockname()[1]
        self._directory = DataDirectory.open(self._path, files=self._files)
        address = Address(HOST, self._port)
        self._broker = WholeBroker(Context(self._settings, self._directory, address, self._loop, self._clock))
        await self._broker.start()
        self._server = Server(self._broker, FaultyDispatcher(self._broker.context, self._faults, self._pass_join_delay))
        listener = BrokerListener(self._protocol.value, self._protocol, address)
        await self._server.start(listening, listener, security_by_listener(self._settings, [listener])[listener.name])

    async def _close(self) -> None:
        await self._server.stop()
        self._directory.close(clean=self._broker.close())

    # --- topics, records, offsets -------------------------------------------------------------------------------------

    def create_topic(self, name: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None:
        """Create a topic. Raises `RequestRefused` if it exists."""
        with self._admin() as admin:
            admin.create_topics([name], partitions=partitions, configs=dict(configs or {}))

    def produce(
        self,
        topic: str,
        values: Iterable[bytes | str | None],
        *,
        key: bytes | str | None = None,
        partition: int | None = None,
    ) -> None:
        """Produce one record for each value; return after the broker has stored all of them.

        All records have the same `key`. Without `partition`, the key determines the partition. Without a key, the
        records go to any partition.
        """
        from tenure.client import Producer

        with Producer(self._config) as producer:
            for value in values:
                producer.send(topic, _bytes(key), _bytes(value), partition)

    def records(self, topic: str) -> list[tuple[int, int, bytes | None, bytes | None]]:
        """Return all records as (partition, offset, key, value), sorted by partition and offset."""
        from tenure.client import read_arrow

        table = read_arrow(self._config, topic).select(["partition", "offset", "key", "value"])
        return [tuple(row.values()) for row in table.to_pylist()]

    def commit(self, group: str, offsets: Mapping[tuple[str, int], int]) -> None:
        """Commit offsets for a group without members. `offsets` is a mapping from (topic, partition) to offset."""
        from tenure.client.net.bootstrap import bootstrap
        from tenure.client.net.cluster import Cluster
        from tenure.client.net.event_loop import run
        from tenure.client.queries.group_changes import commit_from_outside
        from tenure.client.values import OffsetAndMetadata, TopicPartition

        async def work() -> dict[TopicPartition, ErrorCode]:
            at = bootstrap(self._config)
            cluster = Cluster(
                at.servers, client_id="tenure.testing", request_timeout_ms=10_000, patience_ms=10_000,
                security=at.security,
            )  # fmt: skip
            try:
                positions = {TopicPartition(*each): OffsetAndMetadata(offset) for each, offset in offsets.items()}
                return await commit_from_outside(cluster, group, positions)
            finally:
                cluster.close()

        for partition, error_code in run(work()).items():
            if error_code is not ErrorCode.NONE:
                raise RuntimeError(
                    f"The offset of {partition} was not committed: {error_code.message} ({error_code.name})."
                )

    def committed(self, group: str) -> dict[tuple[str, int], int]:
        """Return the committed offsets of a group, by (topic, partition)."""
        with self._admin() as admin:
            found = admin.committed_offsets(group)
            return {(partition.topic, partition.partition): committed.offset for partition, committed in found.items()}

    def _admin(self) -> "Admin":
        from tenure.admin import Admin
        from tenure.limits.client import PATIENCE_MS

        return Admin(self._config, patience_ms=PATIENCE_MS)  # the default is shorter, for users at a terminal

    # --- groups -------------------------------------------------------------------------------------------------------

    def group(self, group: str) -> GroupState:
        """Return the coordinator's present state of a classic or consumer group; state "Dead" if it does not exist."""
        return self._on_loop(lambda: self._state_of(group))

    def members(self, group: str) -> tuple[Member, ...]:
        return self.group(group).members

    def wait_until_stable(self, group: str, members: int | None = None, *, timeout_s: float = 30.0) -> GroupState:
        """Wait until the group is stable, and has `members` members if given. Raises TimeoutError with the state."""
        give_up_at = time.monotonic() + timeout_s
        while True:
            state = self.group(group)
            if state.state == "Stable" and members in (None, len(state.members)):
                return state
            if time.monotonic() > give_up_at:
                wanted = "" if members is None else f" with {format_count(members, 'member')}"
                raise TimeoutError(f"Group '{group}' is not stable{wanted} after {timeout_s:g} s: its state is {state}")
            time.sleep(POLL_S)

    def rebalance(self, group: str) -> None:
        """Start a rebalance of a group. The response to a member's next heartbeat informs the member."""
        with self._admin() as admin:
            admin.rebalance(group)

    def expire(
        self,
        group: str,
        *,
        instance_id: str | None = None,
        member_id: str | None = None,
        client_id: str | None = None,
    ) -> Member:
        """End the session of one member, and return the removed member. Its client need not cooperate.

        The arguments that are not None must all match the member. A group with one member needs no argument.

        Raises:
            LookupError: No member, or more than one, matches the arguments.
        """

        def expire() -> Member:
            served, now = self._shard_of(group), self._clock.now()
            served.work(now)  # earlier requests first: a heartbeat would extend the session again
            members = self._state_of(group).members
            expired = groups.only_member(
                members, group, instance_id=instance_id, member_id=member_id, client_id=client_id
            )
            served.host.shard.apply(SessionExtended(GroupId(group), MemberId(expired.member_id), now.tick_ms))
            served.work(now)
            return expired

        return self._on_loop(expire)

    def fence(self, group: str, instance_id: str) -> Member:
        """Let another application take over an instance id. The next request of its previous holder is fenced.

        The other application sends no heartbeats, so its session times out.
        """

        async def fence() -> Member:
            fenced = groups.only_member(self._state_of(group).members, group, instance_id=instance_id)
            found = groups.group_of(self._shard_of(group).host.shard, group)
            assert found is not None
            for command in groups.takeover(found, MemberId(fenced.member_id)):
                answered: asyncio.Future[object] = self._loop.create_future()
                self._broker.context.groups.ask(group, command, answered.set_result)
                answer = await answered
                if isinstance(answer, Refused):
                    raise RuntimeError(f"Instance id '{instance_id}' was not taken over: {answer.error_code.name}.")
            return fenced

        return self._run(fence())

    def restart_coordinator(self) -> None:
        """Simulate a fail-over: load the groups from their log, and answer waiting requests with NOT_COORDINATOR."""

        def reload() -> None:
            for served in self._broker.context.groups.active:
                served.reload("the test has called restart_coordinator")

        self._on_loop(reload)

    # --- time ---------------------------------------------------------------------------------------------------------

    def stop_time(self) -> None:
        """Stop the broker's clock.

        No session, transaction, timeout or retention ends until the clock is advanced or started. Each JoinGroup
        request still advances the clock by a millisecond, because an empty group waits for 1 ms after its first join.
        """
        self._change_time(self._clock.stop)

    def start_time(self) -> None:
        """Start the broker's clock again, at the time at which it was stopped."""
        self._change_time(self._clock.start)

    def advance(self, seconds: float) -> None:
        """Advance the broker's clock at once. Members with a shorter session timeout expire."""
        self._change_time(lambda: self._clock.advance(int(seconds * 1000)))

    def _pass_join_delay(self) -> None:
        """Advance a stopped clock by the millisecond for which the first join of an empty group waits (rule 2.7)."""
        if self._clock.is_stopped:
            self._change_clock(lambda: self._clock.advance(INITIAL_DELAY_MIN_MS))

    def _change_time(self, change: Callable[[], None]) -> None:
        self._on_loop(lambda: self._change_clock(change))

    def _change_clock(self, change: Callable[[], None]) -> None:
        """Call `change`, which changes the clock, and handle deadlines that are now over. Runs on the event loop."""
        shards = self._broker.context.shards
        for served in shards:
            served.work(self._clock.now())  # requests that arrived before the change get the old time
        change()
        for served in shards:
            served.time_was_moved()
            served.work(self._clock.now())

    # --- faults -------------------------------------------------------------------------------------------------------

    def delay(self, api: str, seconds: float, *, client_id: str | None = None, times: int = 1) -> Fault:
        """Delay the next `times` requests of an API ("Heartbeat", "JoinGroup", ...).

        Requests of all clients are delayed, or only those of `client_id`.
        """
        return self._add(api, client_id, times, late(seconds))

    def drop_request(self, api: str, *, client_id: str | None = None, times: int = 1) -> Fault:
        """Drop the next `times` requests of an API unprocessed, and close their connections.

        Requests of all clients are dropped, or only those of `client_id`.
        """
        return self._add(api, client_id, times, lose_request)

    def drop_response(self, api: str, *, client_id: str | None = None, times: int = 1) -> Fault:
        """Process the next `times` requests of an API, but close their connections instead of answering.

        Requests of all clients are affected, or only those of `client_id`.
        """
        return self._add(api, client_id, times, lose_response)

    def cut_connections(self) -> None:
        """Close all client connections now."""
        self._on_loop(self._server.close_connections)

    def _add(self, api: str, client_id: str | None, times: int, act: Act) -> Fault:
        fault = Fault(api_key(api), client_id, times, act)
        self._on_loop(lambda: self._faults.append(fault))
        return fault

    # --- the loop -----------------------------------------------------------------------------------------------------

    def _shard_of(self, group: str) -> "GroupsServed":
        return self._broker.context.groups.of(group)

    def _state_of(self, group: str) -> GroupState:
        """Return the state of a group. Call this on the event loop."""
        return groups.state_of(self._shard_of(group).host.shard, group, self._broker.context.topics, self._clock.now())

    def _on_loop(self, work: Callable[[], T]) -> T:
        async def run() -> T:
            return work()

        return self._run(run())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(START_TIMEOUT_S)


def _security_files(security: "BrokerSecurity | str") -> "SecurityFiles":
    from tenure.testing.security import BrokerSecurity, SecurityFiles

    return SecurityFiles(BrokerSecurity(security) if isinstance(security, str) else security)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bytes(value: bytes | str | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value
