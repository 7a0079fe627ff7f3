"""Interfaces of the broker and of a request for the handlers of group APIs.

The simulation and `tenure what-if` run the same handlers with other classes of brokers and requests. Compiled code
accepts an object of another class only where the type of a parameter is an interface.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tenure.limits.broker import CLIENT_REASON_CHARACTERS_MAX

if TYPE_CHECKING:
    from tenure.broker.requests.authorization import Authorization
    from tenure.coordinator.metadata.topics import Topics
    from tenure.protocol.message import Message


class GroupRequest(Protocol):
    """Interface of a request in progress."""

    @property
    def version(self) -> int:
        """Version of the API in which the client has sent the request."""

    @property
    def client_id(self) -> str | None: ...

    @property
    def client_host(self) -> str:
        """Host of the client in Java's form, for example `/10.0.0.1` (rule 2.16)."""

    def answer(self, response: "Message") -> None:
        """Send the response."""

    def answer_in_steps(self, response: "Message", entries: int = ...) -> Iterable[None]:
        """Return the steps that encode the response; the last step sends the response.

        Pass the steps to `go_on`. `entries` is the number of entries in the response, for example groups. A response
        with few entries is sent at once, and no steps are returned.
        """

    def go_on(self, steps: Iterable[None], entries: int = ...) -> None:
        """Run `steps`, the rest of the work for this request.

        `entries` is the number of entries that the work is for. With few entries, all steps run at once.
        """

    def callback(self, then: Callable[..., None]) -> Callable[..., None]:
        """Return a callback that continues the request with `then`, and ends the request if that fails."""

    def count_error(self, error_code: int) -> None:
        """Count an error in the response that is not in its top-level `error_code`."""


class GroupCoordinator(Protocol):
    """Interface to the coordinator of all groups."""

    def ask(self, group_id: str, command: object, then: Callable[[Any], None]) -> None:
        """Handle a command to a group. `then` is called with the answer, immediately or later."""


class GroupContext(Protocol):
    """State of the broker that handlers of group APIs use."""

    @property
    def features(self) -> Mapping[str, int]:
        """Finalized levels of features (KIP-584); a feature without a level is disabled."""

    @property
    def authorization(self) -> "Authorization | None":
        """Authorization of requests; None if every client may do everything."""

    @property
    def groups(self) -> GroupCoordinator: ...

    @property
    def topics(self) -> "Topics": ...


def client_reason(text: str | None) -> str:
    """Return a client's reason for joining or leaving (KIP-800) as one short line for log and journal."""
    if not text:
        return ""
    return "".join(c if c.isprintable() else " " for c in text[:CLIENT_REASON_CHARACTERS_MAX])
