"""From a frame to its handler.

An API that we do not speak, or a version of it, has no answer: the connection closes (rule 1.3.2). ApiVersions alone is
answered in any version, so that a newer client learns what we speak (rule 1.4.2).
"""

from importlib import import_module
from typing import Any, Final

from tenure.broker.broker import Broker
from tenure.broker.connection import Connection
from tenure.broker.request import RefusedByProtocol, Request
from tenure.broker.route import Route
from tenure.limits import REQUEST_WITHOUT_RECORDS_BYTES_MAX
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import decode_prefix
from tenure.protocol.frames import decode_request_header, encode_response


class Dispatcher:
    """Handlers are loaded when their API is first asked for: a start loads none of them."""

    __slots__ = ("_broker", "_routes")

    def __init__(self, broker: Broker) -> None:
        self._broker: Final = broker
        self._routes: dict[int, tuple[Route[Any], range]] = {}

    def begin(self, connection: Connection, frame: bytes) -> None:
        header, offset = decode_request_header(frame)
        if len(frame) > REQUEST_WITHOUT_RECORDS_BYTES_MAX and header.api_key != ApiKey.PRODUCE:
            raise RefusedByProtocol(
                f"a request of API {header.api_key} has {len(frame)} bytes, "
                f"{REQUEST_WITHOUT_RECORDS_BYTES_MAX} are allowed for what carries no records"
            )
        route, versions = self._routes.get(header.api_key) or self._load(header.api_key)
        version = header.api_version
        if version not in versions:
            if header.api_key != ApiKey.API_VERSIONS:
                raise RefusedByProtocol(
                    f"it asked for version {version} of {ApiKey(header.api_key).name}, "
                    f"which exists from {versions.start} to {versions.stop - 1}"
                )
            self._answer_unknown_version(connection, header.correlation_id)
            return
        # What stands behind a request is not looked at, as in Kafka: librdkafka leaves three bytes behind Metadata v13.
        message, _ = decode_prefix(route.kind, version, frame, offset)
        route.handle(self._broker, Request(connection, header), message)

    def _load(self, api_key: int) -> tuple[Route[Any], range]:
        if api_key not in APIS:
            raise RefusedByProtocol(f"it asked for API {api_key}, which this broker does not speak")
        api = APIS[ApiKey(api_key)]
        route = import_module(f"tenure.broker.handlers.{api.key.name.lower()}").route
        found = self._routes[api_key] = route, range(api.min_version, api.max_version + 1)
        return found

    @staticmethod
    def _answer_unknown_version(connection: Connection, correlation_id: int) -> None:
        from tenure.broker.handlers.api_versions import unknown_version

        connection.respond(encode_response(ApiKey.API_VERSIONS, 0, correlation_id, unknown_version()))
