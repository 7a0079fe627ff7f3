"""AlterUserScramCredentials (API key 51, KIP-554).

A salted password from the request would be enough to log in, so only keys that are derived from it are stored.
"""

import hashlib
import hmac
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import ScramCredentialsAltered
from tenure.coordinator.metadata.commands import AlterScramCredentials, ScramCredential
from tenure.limits.broker import CONFIGS_PER_REQUEST_MAX
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
    ScramCredentialUpsertion,
)

HASHES: Final = {1: hashlib.sha256, 2: hashlib.sha512}
"""Hash functions by Kafka's number of the mechanism; an unknown one is refused by the metadata shard."""


def handle(context: Context, request: Request, message: AlterUserScramCredentialsRequest) -> None:
    changes = len(message.deletions) + len(message.upsertions)
    if changes > CONFIGS_PER_REQUEST_MAX:
        raise RefusedByProtocol(
            f"the request alters {changes} credentials, at most {CONFIGS_PER_REQUEST_MAX} are allowed"
        )
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        why = "the client may not ALTER the cluster"
        request.answer(_all_refused(message, ErrorCode.CLUSTER_AUTHORIZATION_FAILED, why))
        return
    command = AlterScramCredentials(
        [(deletion.name, deletion.mechanism) for deletion in message.deletions],
        [((upsertion.name, upsertion.mechanism), _credential(upsertion)) for upsertion in message.upsertions],
    )

    def respond(answer: Refused | ScramCredentialsAltered) -> None:
        if isinstance(answer, Refused):
            request.answer(_all_refused(message, answer.error_code, "the change could not be stored"))
            return
        results = [AlterUserScramCredentialsResult(name, *(why or (0, None))) for name, why in answer.results.items()]
        request.answer(AlterUserScramCredentialsResponse(results=results))

    context.metadata.ask(command, request.callback(respond))


def _all_refused(
    message: AlterUserScramCredentialsRequest, error_code: ErrorCode, why: str
) -> AlterUserScramCredentialsResponse:
    names = dict.fromkeys([*(user.name for user in message.deletions), *(user.name for user in message.upsertions)])
    return AlterUserScramCredentialsResponse(
        results=[AlterUserScramCredentialsResult(name, error_code, why) for name in names]
    )


def _credential(upsertion: ScramCredentialUpsertion) -> ScramCredential:
    """Derive the stored key and the server key from the salted password (RFC 5802, section 3)."""
    digest = HASHES.get(upsertion.mechanism, hashlib.sha256)
    client_key = hmac.digest(upsertion.salted_password, b"Client Key", digest)
    server_key = hmac.digest(upsertion.salted_password, b"Server Key", digest)
    return ScramCredential(bytes(upsertion.salt), digest(client_key).digest(), server_key, upsertion.iterations)


route = Route(AlterUserScramCredentialsRequest, handle)
