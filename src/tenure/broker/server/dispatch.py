"""Dispatch of frames to the handlers of their APIs.

A request with an unsupported API or version has no response: its connection is closed (rule 1.3.2). Only ApiVersions is
answered in any version, so that newer clients learn the supported versions (rule 1.4.2).
"""

from functools import partial
from importlib import import_module
from time import perf_counter_ns
from typing import Any, Final

from tenure.broker.loop.threads import Threads
from tenure.broker.requests.context import Context
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import Steps
from tenure.broker.server.connection import Connection
from tenure.broker.server.metered_request import MeteredRequest
from tenure.limits.broker import DECODED_AT_ONCE_BYTES_MAX
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.dialect import Dialect
from tenure.protocol.frames import decode_request_header, encode_response
from tenure.protocol.message import Data


class Dispatcher:
    """Dispatcher of frames to handlers. A handler's module is imported when its API is first requested."""

    __slots__ = ("_context", "_decoder", "_quotas", "_routes")

    def __init__(self, context: Context) -> None:
        self._context: Final = context
        self._quotas: Final = context.client_quotas
        self._decoder: Final = Threads(context.loop, 1, "decoder")
        self._routes: dict[bytes, tuple[Dialect, Route[Any]]] = {}
        """Encoding (`Dialect`) and route of an API version, by the API key and version at the start of a frame."""

    @property
    def used_versions(self) -> list[tuple[int, Dialect]]:
        return [(route.kind.KEY, dialect) for dialect, route in self._routes.values()]

    def begin(self, connection: Connection, frame: Data) -> Steps | None:
        """Decode a request and call its handler. Return the remaining steps; None if there are none."""
        key = frame[:4] if type(frame) is bytes else bytes(frame[:4])
        found = self._routes.get(key) or self._learn(connection, frame)
        if found is None:
            return None
        dialect, route = found
        if len(frame) > DECODED_AT_ONCE_BYTES_MAX and route.kind.KEY != ApiKey.PRODUCE:
            # Copied, because `received` reuses its buffer; only records are read without a copy.
            return self._begin_large(connection, bytes(frame), dialect, route)
        if self._quotas.is_active and connection.is_established:
            return self._begin_metered(connection, frame, dialect, route)
        correlation_id, client_id, message = dialect.read(frame)
        return route.handle(self._context, Request(connection, dialect, correlation_id, client_id), message)

    def _begin_metered(self, connection: Connection, frame: Data, dialect: Dialect, route: Route[Any]) -> Steps | None:
        """Begin a request of a client to which a quota may apply."""
        started_ns = perf_counter_ns()
        correlation_id, client_id, message = dialect.read(frame)
        request = MeteredRequest(self._context, connection, dialect, correlation_id, client_id, len(frame), started_ns)
        return request.timed(route.handle(self._context, request, message))

    def _begin_large(self, connection: Connection, frame: bytes, dialect: Dialect, route: Route[Any]) -> Steps:
        """Decode a large request on a thread while other requests are served, then call its handler.

        The thread decodes one request at a time.
        """
        decoded = self._decoder.run(partial(dialect.read, frame))
        yield decoded
        correlation_id, client_id, message = decoded.result()
        if self._quotas.is_active:
            metered = MeteredRequest(
                self._context, connection, dialect, correlation_id, client_id, len(frame), perf_counter_ns()
            )
            steps = metered.timed(route.handle(self._context, metered, message))
        else:
            request = Request(connection, dialect, correlation_id, client_id)
            steps = route.handle(self._context, request, message)
        if steps is not None:
            yield from steps

    def close(self) -> None:
        self._decoder.close()

    def _learn(self, connection: Connection, frame: Data) -> tuple[Dialect, Route[Any]] | None:
        """Look up an API and its version for the first time.

        Return None for an unknown version of ApiVersions, which is answered here. Raises RefusedByProtocol for any
        other unknown API or version.
        """
        header, _ = decode_request_header(frame)
        if header.api_key not in APIS:
            raise RefusedByProtocol(f"the client sent API {header.api_key}, which this broker does not have")
        api = APIS[ApiKey(header.api_key)]
        if not api.min_version <= header.api_version <= api.max_version:
            if api.key is not ApiKey.API_VERSIONS:
                raise RefusedByProtocol(
                    f"the client sent {api.key.name} in version {header.api_version}, "
                    f"which exists from {api.min_version} to {api.max_version}"
                )
            self._answer_unknown_version(connection, header.correlation_id)
            return None
        route = import_module(f"tenure.broker.handlers.{api.key.name.lower()}").route
        found = self._routes[bytes(frame[:4])] = Dialect(route.kind, header.api_version), route
        return found

    @staticmethod
    def _answer_unknown_version(connection: Connection, correlation_id: int) -> None:
        from tenure.broker.handlers.api_versions import unknown_version

        connection.respond([encode_response(ApiKey.API_VERSIONS, 0, correlation_id, unknown_version())])
