"""A Kafka cluster as its clients see it: brokers, topics, coordinators, and connections to each of them.

Whatever a broker answers that may pass by itself is asked again, with growing pauses, until `patience_ms` is over; then
the last answer is raised. Connections are kept by address and *lane*: what may block (a parked join, a waiting fetch)
travels on a lane of its own, because a broker answers the requests of a connection one after the other (rule 1.3.1).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, TypeVar

from tenure.client.addresses import Address
from tenure.client.assignment import Topic
from tenure.client.connection import Connection, connect
from tenure.client.errors import BrokerUnreachable, Closed, RequestRefused, RequestTimedOut, UnknownTopic
from tenure.client.security import PLAINTEXT, Security
from tenure.client.values import PartitionDescription, TopicDescription, TopicPartition
from tenure.limits import CONNECT_TIMEOUT_MS, RETRY_BACKOFF_MAX_MS, RETRY_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponseTopic,
)
from tenure.protocol.types import BrokerId, TopicId, TopicName

T = TypeVar("T")
R = TypeVar("R", bound=Message)

CLOSED: Final = "This client was closed."

GROUP_KEY: Final = 0
TRANSACTION_KEY: Final = 1
"""What FindCoordinator is asked for."""

GENERAL: Final = "general"
"""The lane for what is answered at once."""


class TryAgain(RequestRefused):
    """An answer that may pass by itself."""


def check(error_code: int, what: str, failure: type[RequestRefused] = RequestRefused) -> None:
    """Raise for anything but NONE: `TryAgain` if the code is retriable, else `failure`."""
    if error_code == ErrorCode.NONE:
        return
    code = ErrorCode(error_code)
    message = f"{what}: {code.message} ({code.name})."
    raise (TryAgain if code.retriable else failure)(message, code)


class Cluster:
    """Used on one event loop only."""

    def __init__(
        self,
        bootstrap_servers: tuple[Address, ...],
        *,
        client_id: str,
        request_timeout_ms: int,
        patience_ms: int,
        security: Security = PLAINTEXT,
    ) -> None:
        self.bootstrap_servers: Final = bootstrap_servers
        self.client_id: Final = client_id
        self.request_timeout_ms: Final = request_timeout_ms
        self.patience_ms: Final = patience_ms
        self._security: Final = security
        self._brokers: dict[int, Address] = {}
        self._leaders: dict[TopicPartition, int] = {}
        self._connections: dict[tuple[Address, str], Connection] = {}
        self._connecting: dict[tuple[Address, str], asyncio.Lock] = {}
        self._closed = False

    # --- connections --------------------------------------------------------------------------------------------------

    async def connection(self, address: Address, lane: str = GENERAL) -> Connection:
        """An open connection, made if there is none. Raises `BrokerUnreachable`, `Closed`."""
        async with self._connecting.setdefault((address, lane), asyncio.Lock()):
            if self._closed:
                raise Closed(CLOSED)
            found = self._connections.get((address, lane))
            if found is None or not found.is_open:
                timeout_ms = min(CONNECT_TIMEOUT_MS, self.request_timeout_ms)
                found = await connect(address, self.client_id, timeout_ms, self._security)
                self._connections[address, lane] = found
            return found

    async def any_connection(self) -> Connection:
        """To whichever broker answers: known ones first, then the bootstrap servers."""
        causes: list[str] = []
        for address in dict.fromkeys([*self._brokers.values(), *self.bootstrap_servers]):
            try:
                return await self.connection(address)
            except BrokerUnreachable as error:
                causes.append(str(error).rstrip("."))
        raise BrokerUnreachable(
            f"No broker can be reached ({'; '.join(causes)}): start one there (`tenure serve`), or name others as "
            "bootstrap servers."
        )

    def drop_lane(self, lane: str) -> None:
        """Close the lane's connections; whatever is under way on them fails as disconnected."""
        for key in [key for key in self._connections if key[1] == lane]:
            self._connections.pop(key).close()

    def close(self) -> None:
        self._closed = True
        for connection in self._connections.values():
            connection.close()

    # --- asking -------------------------------------------------------------------------------------------------------

    async def persist(self, attempt: Callable[[], Awaitable[T]], patience_ms: int | None = None) -> T:
        """Repeat what fails in a way that may pass, until patience is over."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + (self.patience_ms if patience_ms is None else patience_ms) / 1000
        pause_s = RETRY_BACKOFF_MS / 1000
        while True:
            try:
                return await attempt()
            except (BrokerUnreachable, RequestTimedOut, TryAgain):
                if self._closed:
                    raise Closed(CLOSED) from None
                if loop.time() + pause_s > give_up_at:
                    raise
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, RETRY_BACKOFF_MAX_MS / 1000)

    async def ask_any(self, request: Message, answers: type[R], *, min_version: int = 0) -> R:
        """One attempt, at any broker."""
        connection = await self.any_connection()
        return await connection.request(request, answers, timeout_ms=self.request_timeout_ms, min_version=min_version)

    async def brokers(self) -> list[Address]:
        """One attempt."""
        await self.metadata([])
        return sorted(self._brokers.values())

    # --- topics -------------------------------------------------------------------------------------------------------

    async def metadata(self, topics: Iterable[str] | None, *, create: bool = False) -> MetadataResponse:
        """One attempt. `topics` None asks for all. Brokers and leaders are remembered."""
        wanted = None if topics is None else [MetadataRequestTopic(name=TopicName(topic)) for topic in topics]
        request = MetadataRequest(topics=wanted, allow_auto_topic_creation=create)
        answer = await self.ask_any(request, MetadataResponse)
        check(answer.error_code, "The broker tells no metadata")
        self._brokers = {broker.node_id: Address(broker.host, broker.port) for broker in answer.brokers}
        for topic in answer.topics:
            for partition in topic.partitions:
                self._leaders[TopicPartition(topic.name or "", partition.partition_index)] = partition.leader_id
        return answer

    async def describe_topics(
        self, topics: Iterable[str] | None, patience_ms: int | None = None
    ) -> list[TopicDescription]:
        """Raises `UnknownTopic` for the first that does not exist."""

        async def attempt() -> list[TopicDescription]:
            answer = await self.metadata(topics)
            for topic in answer.topics:
                self.check_topic(topic)
            return sorted(map(_description, answer.topics))

        return await self.persist(attempt, patience_ms)

    async def partition_counts(self, topics: Iterable[str]) -> dict[str, int]:
        """0 for topics that do not exist."""

        async def attempt() -> dict[str, int]:
            answer = await self.metadata(topics)
            return {topic.name or "": len(topic.partitions) for topic in answer.topics}

        return await self.persist(attempt)

    async def topics_with_racks(self, topics: Iterable[str]) -> dict[str, Topic]:
        """What assignors want to know of topics (KIP-881); no partitions for those that do not exist."""

        async def attempt() -> dict[str, Topic]:
            answer = await self.metadata(topics)
            racks = {broker.node_id: broker.rack for broker in answer.brokers if broker.rack}
            return {topic.name or "": topic_with_racks(topic, racks) for topic in answer.topics}

        return await self.persist(attempt)

    async def topic_names(self, topic_ids: Iterable[TopicId]) -> dict[TopicId, str]:
        """One attempt; without those that no topic has (any more)."""
        request = MetadataRequest(topics=[MetadataRequestTopic(topic_id, None) for topic_id in topic_ids])
        answer = await self.ask_any(request, MetadataResponse, min_version=12)
        check(answer.error_code, "The broker tells no metadata")
        return {topic.topic_id: topic.name for topic in answer.topics if topic.name is not None}

    async def leader(self, partition: TopicPartition) -> Address:
        """Where the leader of a partition is. Raises `UnknownTopic`, or `TryAgain` while there is none."""
        address = self._brokers.get(self._leaders.get(partition, -1))
        if address is not None:
            return address
        answer = await self.metadata([partition.topic])
        for topic in answer.topics:
            self.check_topic(topic)
        if partition not in self._leaders:
            raise UnknownTopic(
                f"Topic '{partition.topic}' has no partition {partition.partition}.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
        address = self._brokers.get(self._leaders[partition])
        if address is None:
            raise TryAgain(f"Partition {partition} has no leader now.", ErrorCode.LEADER_NOT_AVAILABLE)
        return address

    def forget_leader(self, partition: TopicPartition) -> None:
        self._leaders.pop(partition, None)

    def check_topic(self, topic: MetadataResponseTopic) -> None:
        """Raises `UnknownTopic`, or what `check` raises."""
        if topic.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            raise UnknownTopic(
                f"Topic '{topic.name}' does not exist at {', '.join(map(str, self.bootstrap_servers))}: create it with "
                f"`tenure topics create {topic.name}`.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
        check(topic.error_code, f"Topic '{topic.name}' cannot be used")

    # --- coordinators -------------------------------------------------------------------------------------------------

    async def coordinator(self, group_id: str) -> Address:
        """One attempt. Raises `TryAgain` while there is none (rule 1.8)."""
        return await self._coordinator(group_id, GROUP_KEY, f"Group '{group_id}' has no coordinator")

    async def transaction_coordinator(self, transactional_id: str) -> Address:
        """The same."""
        what = f"Transactional id '{transactional_id}' has no coordinator"
        return await self._coordinator(transactional_id, TRANSACTION_KEY, what)

    async def _coordinator(self, key: str, key_type: int, what: str) -> Address:
        request = FindCoordinatorRequest(key_type=key_type, coordinator_keys=[key])
        answer = await self.ask_any(request, FindCoordinatorResponse, min_version=4)
        found = answer.coordinators[0]
        check(found.error_code, what)
        return Address(found.host, found.port)

    async def ask_coordinator(self, group_id: str, request: Message, answers: type[R], *, min_version: int = 0) -> R:
        """One attempt, on the general lane."""
        connection = await self.connection(await self.coordinator(group_id))
        return await connection.request(request, answers, timeout_ms=self.request_timeout_ms, min_version=min_version)


def _description(topic: MetadataResponseTopic) -> TopicDescription:
    partitions = sorted(
        PartitionDescription(
            partition.partition_index,
            partition.leader_id,
            partition.leader_epoch,
            tuple(partition.replica_nodes),
            tuple(partition.isr_nodes),
        )
        for partition in topic.partitions
    )
    return TopicDescription(topic.name or "", topic.topic_id, tuple(partitions), topic.is_internal)


def topic_with_racks(topic: MetadataResponseTopic, racks: Mapping[BrokerId, str]) -> Topic:
    if not racks:
        return Topic(len(topic.partitions))
    partitions = sorted(topic.partitions, key=lambda partition: partition.partition_index)
    replica_racks = [frozenset(racks[node] for node in of.replica_nodes if node in racks) for of in partitions]
    return Topic(len(partitions), replica_racks)
