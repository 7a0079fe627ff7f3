"""Access to a Kafka cluster: brokers, topics, coordinators, and the connections to them.

Retriable errors are retried with exponential backoff until `patience_ms` is over; then the last error is raised. There
may be several connections to one broker, each with a name. A broker answers the requests of one connection in order
(rule 1.3.1). Therefore a request that may be answered late (a parked join, a waiting fetch) uses a connection of its
own.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, TypeVar

from tenure.backoff import REQUEST, Backoff
from tenure.client.errors import BrokerUnreachable, Closed, RequestRefused, RequestTimedOut, UnknownTopic
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.connect import connect
from tenure.client.net.connection import BrokerConnection
from tenure.client.net.security import PLAINTEXT, Security
from tenure.client.values import PartitionDescription, TopicDescription, TopicLayout, TopicPartition
from tenure.limits.client import CONNECT_TIMEOUT_MS
from tenure.protocol.apis import ApiKey
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

CLOSED: Final = "The client is closed; create a new one."

SEVERAL_KEYS_VERSION: Final = 4
"""First version of FindCoordinator that asks for several keys (Kafka 3.0)."""

GROUP_KEY: Final = 0
TRANSACTION_KEY: Final = 1
"""GROUP_KEY and TRANSACTION_KEY are the types of a key in FindCoordinator: group id and transactional id."""

GENERAL: Final = "general"
"""Name of the connection for requests that a broker answers at once."""


class RetriableError(RequestRefused):
    """Error after which a retry of the request may succeed."""


def check(error_code: int, problem: str, failure: type[RequestRefused] = RequestRefused) -> None:
    """Raise an error unless the error code is NONE. Its message is `problem`, followed by the meaning of the code.

    Args:
        error_code: Kafka's error code.
        problem: First words of the message.
        failure: Class of the error for a code that is not retriable.

    Raises:
        RetriableError: The code is retriable.
        RequestRefused: The code is not retriable.
    """
    if error_code == ErrorCode.NONE:
        return
    code = ErrorCode(error_code)
    message = f"{problem}: {code.message} ({code.name})."
    raise (RetriableError if code.retriable else failure)(message, code)


class Cluster:
    """Connections to a cluster, and its metadata. Not thread-safe: use it on one event loop only."""

    def __init__(
        self,
        bootstrap_servers: tuple[BrokerAddress, ...],
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
        self._brokers: dict[int, BrokerAddress] = {}
        self._leaders: dict[TopicPartition, int] = {}
        self._connections: dict[tuple[BrokerAddress, str], BrokerConnection] = {}
        self._connecting: dict[tuple[BrokerAddress, str], asyncio.Lock] = {}
        self._closed = False

    # --- connections --------------------------------------------------------------------------------------------------

    async def connection(self, address: BrokerAddress, name: str = GENERAL) -> BrokerConnection:
        """Return the open connection `name` to a broker; connect if there is none.

        Raises `BrokerUnreachable`, `Closed`.
        """
        async with self._connecting.setdefault((address, name), asyncio.Lock()):
            if self._closed:
                raise Closed(CLOSED)
            found = self._connections.get((address, name))
            if found is None or not found.is_open:
                timeout_ms = min(CONNECT_TIMEOUT_MS, self.request_timeout_ms)
                found = await connect(address, self.client_id, timeout_ms, self._security)
                self._connections[address, name] = found
            return found

    async def any_connection(self) -> BrokerConnection:
        """Return a connection to any broker: known brokers first, then the bootstrap servers."""
        causes: list[str] = []
        for address in dict.fromkeys([*self._brokers.values(), *self.bootstrap_servers]):
            try:
                return await self.connection(address)
            except BrokerUnreachable as error:
                causes.append(str(error).rstrip("."))
        raise BrokerUnreachable(
            f"No broker is reachable ({'; '.join(causes)}). Start a broker there (`tenure serve`), or correct "
            "'bootstrap.servers'."
        )

    def close_connections(self, name: str) -> None:
        """Close the connections with this name. Their pending requests fail with `Disconnected`."""
        for key in [key for key in self._connections if key[1] == name]:
            self._connections.pop(key).close()

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        for connection in self._connections.values():
            connection.close()

    # --- requests -----------------------------------------------------------------------------------------------------

    async def retry(self, attempt: Callable[[], Awaitable[T]], patience_ms: int | None = None) -> T:
        """Call `attempt` until it succeeds; return its result. After `patience_ms`, raise its last retriable error."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + (self.patience_ms if patience_ms is None else patience_ms) / 1000
        backoff = Backoff(REQUEST)
        while True:
            try:
                return await attempt()
            except (BrokerUnreachable, RequestTimedOut, RetriableError):
                if self._closed:
                    raise Closed(CLOSED) from None
                delay_s = backoff.next_s()
                if loop.time() + delay_s > give_up_at:
                    raise
            await asyncio.sleep(delay_s)

    async def request_any(self, request: Message, answers: type[R], *, min_version: int = 0) -> R:
        """Send a request to any broker, without retries, and return the response."""
        connection = await self.any_connection()
        return await connection.request(request, answers, timeout_ms=self.request_timeout_ms, min_version=min_version)

    async def brokers(self) -> list[BrokerAddress]:
        """Return the addresses of all brokers. Sends one request, without retries."""
        await self.metadata([])
        return sorted(self._brokers.values())

    # --- topics -------------------------------------------------------------------------------------------------------

    async def metadata(self, topics: Iterable[str] | None, *, create: bool = False) -> MetadataResponse:
        """Request metadata, without retries, and store its brokers and leaders.

        Args:
            topics: Topic names; None requests all topics.
            create: Whether the broker may create missing topics (`auto.create.topics.enable`).
        """
        wanted = None if topics is None else [MetadataRequestTopic(name=TopicName(topic)) for topic in topics]
        request = MetadataRequest(topics=wanted, allow_auto_topic_creation=create)
        answer = await self.request_any(request, MetadataResponse)
        check(answer.error_code, "Metadata request failed")
        self._brokers = {broker.node_id: BrokerAddress(broker.host, broker.port) for broker in answer.brokers}
        for topic in answer.topics:
            for partition in topic.partitions:
                self._leaders[TopicPartition(topic.name or "", partition.partition_index)] = partition.leader_id
        return answer

    async def describe_topics(
        self, topics: Iterable[str] | None, patience_ms: int | None = None
    ) -> list[TopicDescription]:
        """Return descriptions sorted by topic name. Raises `UnknownTopic` if one of the topics does not exist."""

        async def attempt() -> list[TopicDescription]:
            answer = await self.metadata(topics)
            for topic in answer.topics:
                self.check_topic(topic)
            return sorted(map(_description, answer.topics))

        return await self.retry(attempt, patience_ms)

    async def partition_counts(self, topics: Iterable[str]) -> dict[str, int]:
        """Return the number of partitions by topic; 0 for topics that do not exist."""

        async def attempt() -> dict[str, int]:
            answer = await self.metadata(topics)
            return {topic.name or "": len(topic.partitions) for topic in answer.topics}

        return await self.retry(attempt)

    async def topics_with_racks(self, topics: Iterable[str]) -> dict[str, TopicLayout]:
        """Return the layout of each topic: partition count and replica racks, for assignors (KIP-881).

        A topic that does not exist has no partitions.
        """

        async def attempt() -> dict[str, TopicLayout]:
            answer = await self.metadata(topics)
            racks = {broker.node_id: broker.rack for broker in answer.brokers if broker.rack}
            return {topic.name or "": topic_with_racks(topic, racks) for topic in answer.topics}

        return await self.retry(attempt)

    async def topic_names(self, topic_ids: Iterable[TopicId]) -> dict[TopicId, str]:
        """Return the topic name of each known id. Sends one request, without retries."""
        request = MetadataRequest(topics=[MetadataRequestTopic(topic_id, None) for topic_id in topic_ids])
        answer = await self.request_any(request, MetadataResponse, min_version=12)
        check(answer.error_code, "Metadata request failed")
        return {topic.topic_id: topic.name for topic in answer.topics if topic.name is not None}

    async def leader(self, partition: TopicPartition) -> BrokerAddress:
        """Return the address of a partition's leader.

        Raises:
            UnknownTopic: The topic or partition does not exist.
            RetriableError: The partition has no leader at the moment.
        """
        address = self._brokers.get(self._leaders.get(partition, -1))
        if address is not None:
            return address
        answer = await self.metadata([partition.topic])
        for topic in answer.topics:
            self.check_topic(topic)
        if partition not in self._leaders:
            raise UnknownTopic(
                f"Unknown partition {partition}: topic '{partition.topic}' has no partition {partition.partition}.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
        address = self._brokers.get(self._leaders[partition])
        if address is None:
            raise RetriableError(f"Partition {partition} has no leader at the moment.", ErrorCode.LEADER_NOT_AVAILABLE)
        return address

    def forget_leader(self, partition: TopicPartition) -> None:
        """Request new metadata before the next use of this partition's leader."""
        self._leaders.pop(partition, None)

    def check_topic(self, topic: MetadataResponseTopic) -> None:
        """Raise an error if the broker returned an error code for this topic."""
        if topic.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            raise UnknownTopic(
                f"Unknown topic '{topic.name}' at {', '.join(map(str, self.bootstrap_servers))}. Create it with "
                f"`tenure topics create {topic.name}`.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
        check(topic.error_code, f"Topic '{topic.name}' is not usable")

    # --- coordinators -------------------------------------------------------------------------------------------------

    async def coordinator(self, group_id: str) -> BrokerAddress:
        """Return the address of a group's coordinator. Sends one request.

        Raises:
            RetriableError: No coordinator is available at the moment (rule 1.8).
        """
        return await self._coordinator(group_id, GROUP_KEY, f"Group '{group_id}' has no coordinator")

    async def transaction_coordinator(self, transactional_id: str) -> BrokerAddress:
        """Return the address of a transaction coordinator. Sends one request.

        Raises:
            RetriableError: No coordinator is available at the moment.
        """
        problem = f"Transactional id '{transactional_id}' has no coordinator"
        return await self._coordinator(transactional_id, TRANSACTION_KEY, problem)

    async def _coordinator(self, key: str, key_type: int, problem: str) -> BrokerAddress:
        connection = await self.any_connection()
        if connection.usable_version(ApiKey.FIND_COORDINATOR) >= SEVERAL_KEYS_VERSION:
            request = FindCoordinatorRequest(key_type=key_type, coordinator_keys=[key])
        else:
            request = FindCoordinatorRequest(key=key, key_type=key_type)
        answer = await connection.request(request, FindCoordinatorResponse, timeout_ms=self.request_timeout_ms)
        found = answer.coordinators[0] if answer.coordinators else answer
        check(found.error_code, problem)
        return BrokerAddress(found.host, found.port)

    async def request_coordinator(
        self, group_id: str, request: Message, answers: type[R], *, min_version: int = 0
    ) -> R:
        """Send a request to a group's coordinator on the connection `GENERAL`, without retries. Return the response."""
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


def topic_with_racks(topic: MetadataResponseTopic, racks: Mapping[BrokerId, str]) -> TopicLayout:
    """Return the layout of a topic. The layout has racks only if at least one broker has a rack."""
    if not racks:
        return TopicLayout(len(topic.partitions))
    partitions = sorted(topic.partitions, key=lambda partition: partition.partition_index)
    replica_racks = [
        frozenset(racks[node] for node in partition.replica_nodes if node in racks) for partition in partitions
    ]
    return TopicLayout(len(partitions), replica_racks)
