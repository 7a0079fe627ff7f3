"""SCRAM credentials of users (KIP-554). Passwords never leave this process: brokers get salted hashes."""

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from tenure.client.errors import RequestRefused
from tenure.client.net.cluster import Cluster, check
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)

MECHANISMS: Final = {"SCRAM-SHA-256": 1, "SCRAM-SHA-512": 2}
"""Kafka's number of each SCRAM mechanism in requests and responses."""
ITERATIONS: Final = 4_096
SALT_BYTES: Final = 24


class ScramUser(NamedTuple):
    """Name of a user, with the mechanism and iterations of one SCRAM credential."""

    name: str
    mechanism: str
    iterations: int


async def list_users(cluster: Cluster) -> list[ScramUser]:
    async def attempt() -> list[ScramUser]:
        request = DescribeUserScramCredentialsRequest(users=None)
        answer = await cluster.request_any(request, DescribeUserScramCredentialsResponse)
        check(answer.error_code, "Users could not be listed")
        names = {number: name for name, number in MECHANISMS.items()}
        return sorted(
            ScramUser(result.user, names.get(info.mechanism, f"unknown ({info.mechanism})"), info.iterations)
            for result in answer.results
            for info in result.credential_infos
        )

    return await cluster.retry(attempt)


async def add_user(cluster: Cluster, name: str, password: str, mechanism: str, iterations: int) -> None:
    """Create or replace a SCRAM credential of a user. Raises `RequestRefused` with the broker's message."""
    from hashlib import pbkdf2_hmac

    from scramp.utils import saslprep

    salt = os.urandom(SALT_BYTES)
    digest = mechanism.removeprefix("SCRAM-").replace("-", "").lower()
    salted = pbkdf2_hmac(digest, saslprep(password).encode(), salt, iterations)
    upsertion = ScramCredentialUpsertion(name, MECHANISMS[mechanism], iterations, salt, salted)
    await _alter(cluster, AlterUserScramCredentialsRequest(upsertions=[upsertion]), f"User '{name}' was not changed")


async def remove_user(cluster: Cluster, name: str, mechanisms: Sequence[str]) -> None:
    """Delete SCRAM credentials of a user. Raises `RequestRefused` if the user lacks one of the mechanisms."""
    for mechanism in mechanisms:  # Kafka accepts only one change per user in a request
        deletion = ScramCredentialDeletion(name, MECHANISMS[mechanism])
        await _alter(cluster, AlterUserScramCredentialsRequest(deletions=[deletion]), f"User '{name}' was not removed")


async def _alter(cluster: Cluster, request: AlterUserScramCredentialsRequest, problem: str) -> None:
    async def attempt() -> None:
        answer = await cluster.request_any(request, AlterUserScramCredentialsResponse)
        (result,) = answer.results
        code = ErrorCode(result.error_code)
        if code is not ErrorCode.NONE and not code.retriable:
            why = (result.error_message or code.message).rstrip(".")
            raise RequestRefused(f"{problem}: {why} ({code.name}).", code)
        check(code, problem)

    await cluster.retry(attempt)
