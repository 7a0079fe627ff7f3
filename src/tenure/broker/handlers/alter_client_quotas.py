"""AlterClientQuotas (API key 49, KIP-546). Changes: v1 flexible encoding."""

from collections.abc import Mapping

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import ClientQuotasAltered, Refusal
from tenure.coordinator.metadata.commands import AlterClientQuotas, Entity, QuotaChange, QuotaChanges
from tenure.limits.broker import CONFIGS_PER_REQUEST_MAX
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasEntryResult,
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
)


def handle(context: Context, request: Request, message: AlterClientQuotasRequest) -> None:
    changes = len(message.entries) + sum(len(entry.ops) for entry in message.entries)
    if changes > CONFIGS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"the request alters {changes} quotas, at most {CONFIGS_PER_REQUEST_MAX} are allowed")
    entries = [_changes(entry) for entry in message.entries]

    def respond(answer: Refused | ClientQuotasAltered) -> None:
        results: Mapping[Entity, Refusal | None]
        if isinstance(answer, Refused):
            results = {entry.entity: (answer.error_code, "the change was not stored") for entry in entries}
        else:
            results = answer.results
            context.reload_quotas()
        answered = [_result(entity, refusal) for entity, refusal in results.items()]
        request.answer(AlterClientQuotasResponse(entries=answered))

    if not is_allowed_to_cluster(context, request, AclOperation.ALTER_CONFIGS):
        respond(Refused(ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
        return
    context.metadata.ask(AlterClientQuotas(entries, message.validate_only), request.callback(respond))


def _changes(entry: AlterClientQuotasEntry) -> QuotaChanges:
    entity = {part.entity_type: part.entity_name for part in entry.entity}
    changes = [QuotaChange(op.key, None if op.remove else op.value) for op in entry.ops]
    return QuotaChanges(tuple(sorted(entity.items())), changes)


def _result(entity: Entity, refusal: Refusal | None) -> AlterClientQuotasEntryResult:
    error_code, why = refusal or (ErrorCode.NONE, None)
    return AlterClientQuotasEntryResult(error_code, why, [AlterClientQuotasEntity(*part) for part in entity])


route = Route(AlterClientQuotasRequest, handle)
