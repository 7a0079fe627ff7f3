"""SCRAM credentials of users (KIP-554).

The order of the checks is Kafka's. A request may change one credential per user. Deleting a credential that does not
exist is an error.
"""

from collections.abc import Mapping
from typing import Final

from tenure.coordinator.metadata.answers import Refusal, ScramCredentialsAltered
from tenure.coordinator.metadata.commands import AlterScramCredentials, ScramCredential, ScramUser
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.limits.coordinator import SCRAM_SALT_BYTES_MIN
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import RemoveUserScramCredentialRecord, UserScramCredentialRecord

MECHANISMS: Final[Mapping[int, str]] = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
"""Names of the mechanisms, by Kafka's numbers."""
ITERATIONS_MIN: Final = 4_096
ITERATIONS_MAX: Final = 16_384
"""Greatest number of iterations that Kafka accepts."""


def alter_scram_credentials(metadata: Metadata, ask: AskId, alter: AlterScramCredentials) -> CoordinatorResult:
    refusals: dict[str, Refusal | None] = {}
    records: dict[str, LogRecord] = {}
    for user in alter.deletions:
        _alter(user, RemoveUserScramCredentialRecord(*user), _refused_deletion(metadata, user), records, refusals)
    for user, credential in alter.upsertions:
        record = UserScramCredentialRecord(
            *user, credential.salt, credential.stored_key, credential.server_key, credential.iterations
        )
        _alter(user, record, _refused_upsertion(user, credential), records, refusals)
    return CoordinatorResult(list(records.values()), ((ask, ScramCredentialsAltered(refusals)),))


def credential_set(metadata: Metadata, record: UserScramCredentialRecord) -> None:
    credential = ScramCredential(
        bytes(record.salt), bytes(record.stored_key), bytes(record.server_key), record.iterations
    )
    metadata.scram_credentials[record.name, record.mechanism] = credential


def credential_removed(metadata: Metadata, record: RemoveUserScramCredentialRecord) -> None:
    metadata.scram_credentials.pop((record.name, record.mechanism), None)


def _alter(
    user: ScramUser,
    record: object,
    refusal: Refusal | None,
    records: dict[str, LogRecord],
    refusals: dict[str, Refusal | None],
) -> None:
    """Add the record of one change to `records`, or its refusal to `refusals`.

    `refusal` is None if the change is valid. If a request names a user more than once, all changes of this user are
    refused.
    """
    name, _ = user
    if name in records:
        del records[name]
        refusal = ErrorCode.DUPLICATE_RESOURCE, "the request names this user more than once: use several requests"
    elif refusals.get(name) is not None:
        return
    refusals[name] = refusal
    if refusal is None:
        records[name] = LogRecord(None, record)


def _refused_deletion(metadata: Metadata, user: ScramUser) -> Refusal | None:
    refusal = _refused_user(user)
    if refusal is None and user not in metadata.scram_credentials:
        return ErrorCode.RESOURCE_NOT_FOUND, "the user has no credential of this mechanism"
    return refusal


def _refused_upsertion(user: ScramUser, credential: ScramCredential) -> Refusal | None:
    if (refusal := _refused_user(user)) is not None:
        return refusal
    if not ITERATIONS_MIN <= credential.iterations <= ITERATIONS_MAX:
        return ErrorCode.UNACCEPTABLE_CREDENTIAL, f"the iterations must be from {ITERATIONS_MIN} to {ITERATIONS_MAX}"
    if len(credential.salt) < SCRAM_SALT_BYTES_MIN:
        return ErrorCode.UNACCEPTABLE_CREDENTIAL, f"the salt must have at least {SCRAM_SALT_BYTES_MIN} bytes"
    return None


def _refused_user(user: ScramUser) -> Refusal | None:
    name, mechanism = user
    if not name:
        return ErrorCode.UNACCEPTABLE_CREDENTIAL, "the name of the user is empty: give one"
    if mechanism not in MECHANISMS:
        return (
            ErrorCode.UNSUPPORTED_SASL_MECHANISM,
            f"unknown mechanism {mechanism}: use 1 (SCRAM-SHA-256) or 2 (SCRAM-SHA-512)",
        )
    return None
