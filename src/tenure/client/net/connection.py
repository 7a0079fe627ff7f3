"""One connection to one broker. Requests are pipelined, and responses arrive in the same order (rule 1.3).

A request that times out closes the connection, because its late response could be taken for that of another request.
"""

import asyncio
from collections import deque
from functools import cache
from importlib.metadata import version as version_of
from itertools import count
from typing import Final, TypeVar, cast

from tenure.client.errors import BrokerUnreachable, RequestTimedOut, UnsupportedByBroker
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.frame_buffer import FrameBuffer
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import RequestHeader, decode_response, encode_request
from tenure.protocol.message import Data, MalformedMessage, Message
from tenure.protocol.messages import ApiVersionsRequest, ApiVersionsResponse

R = TypeVar("R", bound=Message)

CLIENT_SOFTWARE_NAME: Final = "tenure"
SESSION_PART: Final = 0.85
"""Fraction of the lifetime of an authenticated session in which new requests are sent. The rest is for responses."""


class Disconnected(BrokerUnreachable):
    """The connection is closed. It is unknown whether the broker processed the request."""


@cache
def software_version() -> str:
    return version_of("tenure")


class _Pending:
    """Request that waits for its response."""

    __slots__ = ("answer", "api_key", "correlation_id", "timer", "version")

    def __init__(self, api_key: ApiKey, version: int, correlation_id: int, answer: asyncio.Future[Message]) -> None:
        self.api_key: Final = api_key
        self.version: Final = version
        self.correlation_id: Final = correlation_id
        self.answer: Final = answer
        self.timer: asyncio.TimerHandle | None = None


class BrokerConnection(asyncio.BufferedProtocol):
    """Connection to a broker, used on one event loop. Create it with `connect.connect`. Not thread-safe."""

    def __init__(self, address: BrokerAddress, client_id: str) -> None:
        self.address: Final = address
        self._client_id: Final = client_id
        self._loop: Final = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._inbox: Final = FrameBuffer()
        self._pending: deque[_Pending] = deque()
        self._writable: Final = asyncio.Event()
        """Event that is set while the socket has accepted all written bytes."""
        self._correlation_ids: Final = count(1)
        self._closed_because: str | None = None
        self._is_retired = False
        """True if the connection accepts no new requests because its authenticated session ends soon."""
        self._broker_versions: dict[int, tuple[int, int]] = {}
        """Lowest and highest version by API key, as the broker advertises them; empty until the handshake."""
        self.features: dict[str, int] = {}
        """Finalized level by feature name, for example `metadata.version`."""

    # --- public interface ---------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """True if requests can be sent."""
        return self._transport is not None and self._closed_because is None and not self._is_retired

    @property
    def closed_because(self) -> str | None:
        """Reason why the connection was closed; None while it is open."""
        return self._closed_because

    def send(
        self,
        request: Message,
        answers: type[R],  # noqa: ARG002 - tells the type checker what the future holds
        *,
        timeout_ms: int,
        min_version: int = 0,
        max_version: int = 0x7FFF,
    ) -> asyncio.Future[R]:
        """Write a request and return the future of its response.

        The future raises `Disconnected` or `RequestTimedOut`. If the method itself raises `Disconnected` or
        `UnsupportedByBroker`, nothing was sent.
        """
        version = self.usable_version(ApiKey(request.KEY), min_version, max_version)
        return cast("asyncio.Future[R]", self._send(request, version, timeout_ms))

    async def request(
        self, request: Message, answers: type[R], *, timeout_ms: int, min_version: int = 0, max_version: int = 0x7FFF
    ) -> R:
        """Send a request and return its response. Raises the errors of `send` and of its future."""
        return await self.send(
            request, answers, timeout_ms=timeout_ms, min_version=min_version, max_version=max_version
        )

    async def post(self, request: Message, *, max_version: int = 0x7FFF) -> None:
        """Write a request that has no response; return when the socket has accepted all bytes."""
        version = self.usable_version(ApiKey(request.KEY), 0, max_version)
        self._write(request, version, next(self._correlation_ids))
        await self._writable.wait()

    def usable_version(self, api_key: ApiKey, min_version: int = 0, max_version: int = 0x7FFF) -> int:
        """Return the newest version of an API that both sides support (rule 1.4.7). Raises `UnsupportedByBroker`."""
        ours = APIS[api_key]
        theirs = self._broker_versions.get(api_key)
        if theirs is not None:
            version = min(theirs[1], ours.max_version, max_version)
            if version >= max(theirs[0], ours.min_version, min_version):
                return version
        offer = "has none" if theirs is None else f"has versions {theirs[0]} to {theirs[1]}"
        raise UnsupportedByBroker(
            f"{ours.name} is not supported by the broker at {self.address}: this client needs a version from "
            f"{max(ours.min_version, min_version)} to {min(ours.max_version, max_version)}, and the broker {offer}."
        )

    def close(self) -> None:
        """Close the connection; pending requests fail with `Disconnected`."""
        self._fail("the client closed it")

    # --- handshake ----------------------------------------------------------------------------------------------------

    async def negotiate(self, timeout_ms: int) -> None:
        """Request the broker's API versions.

        The first request uses the newest version of ApiVersions that this client supports (rule 1.4.2).
        """
        ours = APIS[ApiKey.API_VERSIONS]
        answer = await self._api_versions(ours.max_version, timeout_ms)
        if answer.error_code == ErrorCode.UNSUPPORTED_VERSION:
            theirs = {entry.api_key: entry.max_version for entry in answer.api_keys}
            answer = await self._api_versions(min(ours.max_version, theirs.get(ApiKey.API_VERSIONS, 0)), timeout_ms)
        if answer.error_code != ErrorCode.NONE:
            name = ErrorCode(answer.error_code).name
            raise UnsupportedByBroker(f"ApiVersions request failed at the broker at {self.address} ({name}).")
        self._broker_versions = {entry.api_key: (entry.min_version, entry.max_version) for entry in answer.api_keys}
        self.features = {feature.name: feature.max_version_level for feature in answer.finalized_features}

    async def _api_versions(self, version: int, timeout_ms: int) -> ApiVersionsResponse:
        request = ApiVersionsRequest()
        if version >= 3:
            request = ApiVersionsRequest(
                client_software_name=CLIENT_SOFTWARE_NAME, client_software_version=software_version()
            )
        return cast("ApiVersionsResponse", await self._send(request, version, timeout_ms))

    def retire_in(self, session_ms: int) -> None:
        """Schedule the end of this connection before its SASL session expires. A new connection authenticates again."""
        self._loop.call_later(session_ms * SESSION_PART / 1000, self._retire)

    def _retire(self) -> None:
        """Accept no new requests, and close the connection once all pending requests have a response."""
        self._is_retired = True
        if not self._pending:
            self.close()

    # --- requests out -------------------------------------------------------------------------------------------------

    def _send(self, request: Message, version: int, timeout_ms: int) -> asyncio.Future[Message]:
        pending = _Pending(ApiKey(request.KEY), version, next(self._correlation_ids), self._loop.create_future())
        self._write(request, version, pending.correlation_id)
        pending.timer = self._loop.call_later(timeout_ms / 1000, self._time_out, pending, timeout_ms)
        self._pending.append(pending)
        return pending.answer

    def _write(self, request: Message, version: int, correlation_id: int) -> None:
        if self._transport is None or self._closed_because is not None:
            raise Disconnected(f"Connection to {self.address} is closed: {self._closed_because}.")
        header = RequestHeader(request.KEY, version, correlation_id, self._client_id)
        self._transport.write(encode_request(header, request))

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def _time_out(self, pending: _Pending, timeout_ms: int) -> None:
        if not pending.answer.done():
            name = APIS[pending.api_key].name
            message = (
                f"{name} request timed out: the broker at {self.address} did not answer in {timeout_ms / 1000:g} s."
            )
            pending.answer.set_exception(RequestTimedOut(message))
        self._fail(f"a request timed out after {timeout_ms / 1000:g} s")

    # --- answers in ---------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(0)
        self._writable.set()

    def get_buffer(self, _sizehint: int) -> memoryview:
        return self._inbox.writable()

    def buffer_updated(self, nbytes: int) -> None:
        try:
            for frame in self._inbox.received(nbytes):
                self._answer(frame)
        except MalformedMessage as error:
            self._fail(f"the broker sent a malformed frame: {error}")

    def _answer(self, frame: Data) -> None:
        if not self._pending:
            raise MalformedMessage("a response that belongs to no request")
        pending = self._pending.popleft()
        if pending.timer is not None:
            pending.timer.cancel()
        correlation_id, message = self._decode(pending, frame)
        if correlation_id != pending.correlation_id:
            raise MalformedMessage(
                f"a response with correlation id {correlation_id} instead of {pending.correlation_id}"
            )
        if not pending.answer.done():
            pending.answer.set_result(message)
        if self._is_retired and not self._pending:
            self.close()

    def _decode(self, pending: _Pending, frame: Data) -> tuple[int, Message]:
        unsupported = ErrorCode.UNSUPPORTED_VERSION.to_bytes(2, "big")
        if pending.api_key is ApiKey.API_VERSIONS and frame[4:6] == unsupported:
            return decode_response(pending.api_key, 0, frame)  # rule 1.4.2: this refusal is always of version 0
        return decode_response(pending.api_key, pending.version, frame)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail("the broker closed it" if exc is None else f"{exc}")

    def _fail(self, because: str) -> None:
        if self._closed_because is not None:
            return
        self._closed_because = because
        self._writable.set()
        if self._transport is not None:
            self._transport.abort()
        while self._pending:
            pending = self._pending.popleft()
            if pending.timer is not None:
                pending.timer.cancel()
            if not pending.answer.done():
                lost = Disconnected(f"Connection to {self.address} was lost before the answer arrived: {because}.")
                pending.answer.set_exception(lost)
