"""FindCoordinator (API key 10).

Changes: v1 key type, error message, throttle time, v3 flexible encoding, v4 several keys, v5 TRANSACTION_ABORTABLE, v6
share groups.

This broker coordinates all groups and transactional ids (rule 1.8). A request for the coordinator of a transactional id
creates the topic `__transaction_state`.
"""

from collections.abc import Iterator
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route, refuse_too_many
from tenure.broker.requests.steps import in_steps
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import Coordinator, FindCoordinatorRequest, FindCoordinatorResponse
from tenure.protocol.types import BrokerId

GROUP: Final = 0
TRANSACTION: Final = 1
REFUSALS: Final = {2: "this broker does not coordinate share groups"}
RESOURCES: Final = {
    GROUP: (ResourceType.GROUP, ErrorCode.GROUP_AUTHORIZATION_FAILED),
    TRANSACTION: (ResourceType.TRANSACTIONAL_ID, ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED),
}
"""Resource type, and error for a client that may not DESCRIBE the resource, by key type."""
NOBODY: Final = BrokerId(-1)


def handle(context: Context, request: Request, message: FindCoordinatorRequest) -> Iterator[None] | None:
    refuse_too_many(len(message.coordinator_keys))
    if message.key_type == TRANSACTION and _creates_topic(context, request, message):
        then = request.callback(lambda: request.go_on(_answer(context, request, message)))
        context.transactions.ensure_topic(then)
        return None
    return _answer(context, request, message)


def _creates_topic(context: Context, request: Request, message: FindCoordinatorRequest) -> bool:
    """Return whether the client may cause the creation of `__transaction_state`.

    The client needs DESCRIBE on at least one of the requested transactional ids.
    """
    authorization = context.authorization
    if authorization is None:
        return True
    keys = message.coordinator_keys if request.version >= 4 else [message.key]
    kind = ResourceType.TRANSACTIONAL_ID
    return any(authorization.would_allow(request, AclOperation.DESCRIBE, kind, key) for key in keys)


def _answer(context: Context, request: Request, message: FindCoordinatorRequest) -> Iterator[None]:
    if request.version >= 4:
        coordinators = yield from in_steps(
            _coordinator(context, request, message.key_type, key) for key in message.coordinator_keys
        )
        yield from request.answer_in_steps(FindCoordinatorResponse(coordinators=coordinators), len(coordinators))
        return
    found = _coordinator(context, request, message.key_type, message.key)
    request.answer(
        FindCoordinatorResponse(
            error_code=found.error_code,
            error_message=found.error_message or "NONE",  # rule 1.8: "NONE" up to v3, "" after
            node_id=found.node_id,
            host=found.host,
            port=found.port,
        )
    )


def _coordinator(context: Context, request: Request, key_type: int, key: str) -> Coordinator:
    if key_type not in (GROUP, TRANSACTION):
        why = REFUSALS.get(key_type, f"there is no coordinator of type {key_type}")
        return Coordinator(key, NOBODY, "", -1, ErrorCode.INVALID_REQUEST, why)
    resource_type, refused = RESOURCES[key_type]
    if not is_allowed(context, request, AclOperation.DESCRIBE, resource_type, key):
        return Coordinator(key, NOBODY, "", -1, refused, f"the client may not DESCRIBE this {resource_type.name}")
    return Coordinator(key, context.node_id, *request.broker_address, ErrorCode.NONE, "")


route = Route(FindCoordinatorRequest, handle)
