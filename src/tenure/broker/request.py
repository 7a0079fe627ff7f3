"""A request under way: who asked what, in which version, and the one place where its answer leaves."""

from typing import TYPE_CHECKING

from tenure.protocol.dialect import Dialect
from tenure.protocol.message import InvalidMessage

if TYPE_CHECKING:
    from tenure.broker.connection import Connection
    from tenure.protocol.message import Message


class RefusedByProtocol(Exception):
    """The client asked for something that no answer exists for: its connection closes (rule 1.3.2)."""


class Request:
    __slots__ = ("_correlation_id", "_dialect", "client_id", "connection", "version")

    def __init__(self, connection: "Connection", dialect: Dialect, correlation_id: int, client_id: str | None) -> None:
        self.connection = connection
        self.client_id = client_id
        self.version = dialect.version
        self._dialect = dialect
        self._correlation_id = correlation_id

    @property
    def client_host(self) -> str:
        """As Java prints an address, and so as it stands in Kafka's group metadata (rule 2.16)."""
        return f"/{self.connection.peer_host}"

    def answer(self, response: "Message") -> None:
        try:
            pieces = self._dialect.write(self._correlation_id, response)
        except InvalidMessage as error:  # a name of the client's making that no answer of this version has room for
            self.connection.refuse(str(error))
        else:
            self.connection.respond(pieces)

    def count_error(self, error_code: int) -> None:
        """For errors that do not stand in the answer's own `error_code`."""
        self._dialect.count_error(error_code)

    def answer_nothing(self) -> None:
        self.connection.respond_nothing()
