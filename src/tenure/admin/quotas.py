"""Client quotas of users, client ids and addresses (KIP-546)."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.client.errors import RequestRefused
from tenure.client.net.cluster import Cluster, check
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    OpData,
)

USER: Final = "user"
CLIENT_ID: Final = "client-id"
IP: Final = "ip"

QuotaEntity: TypeAlias = Mapping[str, str | None]
"""Names by entity type (USER, CLIENT_ID, IP). None as a name stands for all names without a quota of their own."""


class ClientQuota(NamedTuple):
    """Entity, key and value of one quota."""

    entity: dict[str, str | None]
    key: str
    value: float


async def list_quotas(cluster: Cluster) -> list[ClientQuota]:
    async def attempt() -> list[ClientQuota]:
        answer = await cluster.request_any(DescribeClientQuotasRequest(), DescribeClientQuotasResponse)
        _check(answer.error_code, answer.error_message, "Quotas could not be listed")
        return [
            ClientQuota({part.entity_type: part.entity_name for part in entry.entity}, value.key, value.value)
            for entry in answer.entries or ()
            for value in entry.values
        ]

    return await cluster.retry(attempt)


async def alter_quotas(cluster: Cluster, entity: QuotaEntity, changes: Mapping[str, float | None]) -> None:
    """Set quotas of an entity. The value None removes a quota. Raises `RequestRefused` with the broker's message."""
    parts = [AlterClientQuotasEntity(*part) for part in entity.items()]
    ops = [OpData(key, value or 0.0, value is None) for key, value in changes.items()]
    request = AlterClientQuotasRequest([AlterClientQuotasEntry(parts, ops)])

    async def attempt() -> None:
        answer = await cluster.request_any(request, AlterClientQuotasResponse)
        for entry in answer.entries:
            _check(entry.error_code, entry.error_message, "Quotas were not changed")

    await cluster.retry(attempt)


def _check(error_code: int, message: str | None, problem: str) -> None:
    code = ErrorCode(error_code)
    if code is not ErrorCode.NONE and not code.retriable:
        raise RequestRefused(f"{problem}: {(message or code.message).rstrip('.')} ({code.name}).", code)
    check(code, problem)
