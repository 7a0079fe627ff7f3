"""Request in progress: client, message and version; also sends the response."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from tenure.broker.coordinators.guarded_callback import guarded
from tenure.broker.security.principal import Principal
from tenure.limits.broker import ANSWERED_AT_ONCE_MAX
from tenure.protocol.dialect import Dialect
from tenure.protocol.message import InvalidMessage

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from tenure.broker.config.listener import Address
    from tenure.broker.server.connection import Connection
    from tenure.protocol.message import Message

T = TypeVar("T")


class Request:
    __slots__ = ("_correlation_id", "_dialect", "client_id", "connection", "version")

    def __init__(self, connection: "Connection", dialect: Dialect, correlation_id: int, client_id: str | None) -> None:
        self.connection = connection
        self.client_id = client_id
        self.version = dialect.version
        self._dialect = dialect
        self._correlation_id = correlation_id

    @property
    def broker_address(self) -> "Address":
        """Address of this broker that clients of the request's listener get."""
        return self.connection.advertised

    @property
    def principal(self) -> Principal:
        """Principal of the client."""
        return self.connection.principal

    @property
    def host(self) -> str:
        """IP address of the client as text."""
        return self.connection.peer_host

    @property
    def api_key(self) -> int:
        return self._dialect.api_key

    @property
    def client_host(self) -> str:
        """Host of the client in Java's form, for example `/10.0.0.1`, as in Kafka's group metadata (rule 2.16)."""
        return f"/{self.connection.peer_host}"

    def answer(self, response: "Message") -> None:
        """Send the response.

        If the response cannot be encoded, close the connection, so that the client does not wait in vain.
        """
        try:
            pieces = self._dialect.write(self._correlation_id, response)
        # A name from the client is too long for this version, or the response is too large.
        except InvalidMessage as error:
            self.connection.refuse(str(error))
        except Exception as error:
            self.connection.fail(error)
        else:
            self.connection.respond(pieces)

    def answer_in_steps(self, response: "Message", entries: int = ANSWERED_AT_ONCE_MAX + 1) -> Iterable[None]:
        """Return the steps that encode the response; the last step sends the response.

        `entries` is the number of entries in the response, for example groups. With at most ANSWERED_AT_ONCE_MAX
        entries, this method sends the response itself and returns no steps.
        """
        if entries > ANSWERED_AT_ONCE_MAX:
            return self._encode_in_steps(response)
        self.answer(response)
        return ()

    def _encode_in_steps(self, response: "Message") -> Iterator[None]:
        try:
            pieces = yield from self._dialect.write_in_steps(self._correlation_id, response)
        except InvalidMessage as error:
            self.connection.refuse(str(error))
        else:
            self.connection.respond(pieces)

    def go_on(self, steps: Iterable[None], entries: int = ANSWERED_AT_ONCE_MAX + 1) -> None:
        """Run `steps`, the rest of the work for this request, in turn with the work of other connections.

        `entries` is the number of entries that the work is for. With at most ANSWERED_AT_ONCE_MAX entries, all steps
        run at once.
        """
        if entries > ANSWERED_AT_ONCE_MAX:
            self.connection.go_on_soon(iter(steps))
            return
        try:
            for _ in steps:
                pass
        except Exception as error:
            self.connection.fail(error)

    def go_on_with(self, work: "asyncio.Future[T]", then: "Callable[[T], Iterable[None]]") -> None:
        """Run `then(result)` in steps when `work` on a thread is done. If the work fails, close the connection."""

        def finish(done: "asyncio.Future[T]") -> None:
            if not done.cancelled() and not self.connection.closed:
                self.go_on(then(done.result()))

        work.add_done_callback(self.callback(finish))

    def callback(self, then: "Callable[..., None]") -> "Callable[..., None]":
        """Return a callback that continues the request with `then`.

        If `then` fails, the callback closes the connection, because the client would wait for an answer in vain. The
        callback itself raises no error, so its caller can go on with the requests of other clients.
        """
        return guarded(then, self.connection.fail)

    # --- quotas (none apply to this request) --------------------------------------------------------------------------

    def fetch_bytes_max(self, requested: int) -> int:
        """Return how many bytes a fetch may return, at most `requested`; a quota may reduce it."""
        return requested

    def throttles_fetch(self, size_bytes: int) -> bool:  # noqa: ARG002
        """Record the size of fetched records, if a quota applies to this request.

        Return True if the quota is exceeded, so that the response must be empty.
        """
        return False

    def may_mutate(self, partitions: int, *, is_strict: bool) -> bool:  # noqa: ARG002
        """Record partitions to create or delete, if a quota applies to this request.

        Return False if they must be refused with THROTTLING_QUOTA_EXCEEDED (KIP-599). With `is_strict` false, for
        versions without this error, return True; the client is then only throttled.
        """
        return True

    # --- completion ---------------------------------------------------------------------------------------------------

    def refuse(self, why: str) -> None:
        """Close the connection, because the protocol has no response for the error."""
        self.connection.refuse(why)

    def count_error(self, error_code: int) -> None:
        """Count an error in the response that is not in its top-level `error_code`."""
        self._dialect.count_error(error_code)

    def answer_nothing(self) -> None:
        self.connection.respond_nothing()
