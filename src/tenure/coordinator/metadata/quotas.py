"""Client quotas of users, client ids and addresses, as stored values (KIP-546, rule 1.10).

`broker/quotas` enforces them. The order of the checks is Kafka's, and visible on the wire.
"""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Final

from tenure.coordinator.metadata.answers import ClientQuotasAltered, Refusal
from tenure.coordinator.metadata.commands import AlterClientQuotas, Entity, QuotaChanges
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import ClientQuotaEntity, ClientQuotaRecord

USER: Final = "user"
CLIENT_ID: Final = "client-id"
IP: Final = "ip"

LONG_MAX: Final = 2.0**63
INT_MAX: Final = 2.0**31 - 1
OF_CLIENTS: Final[Mapping[str, float | None]] = {
    "producer_byte_rate": LONG_MAX,
    "consumer_byte_rate": LONG_MAX,
    "request_percentage": None,
    "controller_mutation_rate": None,
}
"""Greatest value of each quota that is an integer; None for other quotas."""
OF_ADDRESSES: Final[Mapping[str, float | None]] = {"connection_creation_rate": INT_MAX}
FRACTION_MAX: Final = 1e-6
"""Greatest fractional part with which a number still counts as an integer."""


def alter_client_quotas(metadata: Metadata, ask: AskId, alter: AlterClientQuotas) -> CoordinatorResult:
    """Alter quotas.

    If a request names an entity twice, the first entry is applied and the second entry is refused. As in Kafka, the
    answer then contains only the refusal.
    """
    results: dict[Entity, Refusal | None] = {}
    records: list[LogRecord] = []
    for requested in alter.entries:
        if requested.entity in results or len({change.key for change in requested.changes}) < len(requested.changes):
            results[requested.entity] = _invalid("the request names this entity, or one of its quotas, twice")
            continue
        refusal = results[requested.entity] = _refusal(requested)
        if refusal is None:
            records += _records(requested, metadata.quotas.get(requested.entity, {}))
    return CoordinatorResult(() if alter.validate_only else records, ((ask, ClientQuotasAltered(results)),))


def quota_set(metadata: Metadata, record: ClientQuotaRecord) -> None:
    entity = tuple(sorted((part.entity_type, part.entity_name) for part in record.entity))
    quotas = {key: value for key, value in metadata.quotas.get(entity, {}).items() if key != record.key}
    if not record.remove:
        quotas[record.key] = record.value
    if quotas:
        metadata.quotas[entity] = quotas
    else:
        metadata.quotas.pop(entity, None)


def _refusal(requested: QuotaChanges) -> Refusal | None:
    if not requested.entity:
        return _invalid("a quota belongs to a user, a client id or an address: name one")
    kinds = {kind for kind, _ in requested.entity}
    for kind, name in requested.entity:
        if kind not in (USER, CLIENT_ID, IP):
            return _invalid(f"unknown entity type {kind!r}: use user, client-id or ip")
        if name == "":
            return _invalid(f"the name of a {kind} is empty: give one, or null for the default")
    if IP in kinds and len(kinds) > 1:
        return _invalid("a quota of an address cannot also name a user or client id")
    if IP in kinds and not _is_address(dict(requested.entity)[IP]):
        return _invalid("invalid address: write it in numbers, such as 10.0.0.7")
    known = OF_ADDRESSES if IP in kinds else OF_CLIENTS
    refusals = (
        _refused_value(known, change.key, change.value) for change in requested.changes if change.value is not None
    )
    return next((refusal for refusal in refusals if refusal), None)


def _is_address(name: str | None) -> bool:
    from ipaddress import ip_address  # rarely needed

    try:
        return name is None or bool(ip_address(name))
    except ValueError:
        return False


def _refused_value(known: Mapping[str, float | None], key: str, value: float) -> Refusal | None:
    if key not in known:
        return _invalid(f"unknown quota {key!r} for this entity: use one of {', '.join(known)}")
    largest = known[key]
    if not isfinite(value):
        return _invalid(f"the quota {key} must be a finite number")
    if value <= 0:
        return _invalid(f"the quota {key} must be greater than 0")
    if largest is not None and (value > largest or abs(value % 1.0) > FRACTION_MAX):
        return _invalid(f"the quota {key} must be a whole number of at most {largest:.0f}")
    return None


def _records(requested: QuotaChanges, before: Mapping[str, float]) -> Iterator[LogRecord]:
    for change in requested.changes:
        if before.get(change.key) != change.value:
            entity = [ClientQuotaEntity(kind, name) for kind, name in requested.entity]
            value, remove = (0.0, True) if change.value is None else (change.value, False)
            yield LogRecord(None, ClientQuotaRecord(entity, change.key, value, remove))


def _invalid(why: str) -> Refusal:
    return ErrorCode.INVALID_REQUEST, why
