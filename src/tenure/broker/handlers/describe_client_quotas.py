"""DescribeClientQuotas (API key 48, KIP-546). Changes: v1 flexible encoding."""

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.metadata.commands import DescribeTopics, Entity
from tenure.coordinator.metadata.quotas import CLIENT_ID, IP, USER
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ComponentData,
    DescribeClientQuotasEntity,
    DescribeClientQuotasEntry,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    ValueData,
)

EXACT, DEFAULT, SPECIFIED = range(3)
"""Kafka's match types of a filter: the entity with the given name, the default entity, or any entity of the type."""


def handle(context: Context, request: Request, message: DescribeClientQuotasRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE_CONFIGS):
        error_code, why = ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not DESCRIBE_CONFIGS of the cluster"
        request.answer(DescribeClientQuotasResponse(0, error_code, why, entries=None))
        return

    def respond(_: object) -> None:
        """Respond after the metadata shard has answered, so that the response contains durable quotas only.

        The shard answers when all quotas that it had before the command are durable.
        """
        request.answer(_response(context, message))

    context.metadata.ask(DescribeTopics([]), request.callback(respond))


def _response(context: Context, message: DescribeClientQuotasRequest) -> DescribeClientQuotasResponse:
    if refusal := _refusal(message.components):
        return DescribeClientQuotasResponse(0, *refusal, entries=None)
    entries = [
        DescribeClientQuotasEntry(
            [DescribeClientQuotasEntity(*part) for part in entity],
            [ValueData(key, value) for key, value in quotas.items()],
        )
        for entity, quotas in context.quotas.items()
        if _matches(entity, message)
    ]
    return DescribeClientQuotasResponse(entries=entries)


def _refusal(components: list[ComponentData]) -> tuple[ErrorCode, str] | None:
    kinds: set[str] = set()
    for requested in components:
        if not requested.entity_type or requested.entity_type in kinds:
            return ErrorCode.INVALID_REQUEST, "the filter names no entity type, or one entity type twice"
        if requested.entity_type not in (USER, CLIENT_ID, IP):
            return (
                ErrorCode.UNSUPPORTED_VERSION,
                f"unknown entity type {requested.entity_type!r}: use user, client-id or ip",
            )
        if requested.match_type not in (EXACT, DEFAULT, SPECIFIED):
            return (
                ErrorCode.INVALID_REQUEST,
                f"unknown match type {requested.match_type}: use 0 (exact), 1 (default) or 2 (any)",
            )
        if (requested.match is not None) != (requested.match_type == EXACT):
            return ErrorCode.INVALID_REQUEST, "the match type 0 (exact) needs a name, and other match types have none"
        kinds.add(requested.entity_type)
    if IP in kinds and len(kinds) > 1:
        return ErrorCode.INVALID_REQUEST, "a filter of ip cannot also have user or client-id"
    return None


def _matches(entity: Entity, message: DescribeClientQuotasRequest) -> bool:
    names = dict(entity)
    if message.strict and len(names) != len(message.components):
        return False
    return all(
        requested.entity_type in names
        and (requested.match_type == SPECIFIED or names[requested.entity_type] == requested.match)
        for requested in message.components
    )


route = Route(DescribeClientQuotasRequest, handle)
