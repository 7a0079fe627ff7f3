"""SCRAM credentials: changes, descriptions, and their state after a restart (KIP-554)."""

from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterUserScramCredentialsRequest,
    DescribeUserScramCredentialsRequest,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
    UserName,
)
from tests.broker.wire import Wire
from tests.serving import serving

SHA_256, SHA_512 = 1, 2


def upsertion(name: str, mechanism: int = SHA_256, iterations: int = 4096, salt: bytes = b"s" * 12) -> object:
    return ScramCredentialUpsertion(name, mechanism, iterations, salt, b"planted secret".ljust(32))


def alter(wire: Wire, deletions: list[tuple[str, int]], *upsertions: object) -> dict[str, int]:
    removed = [ScramCredentialDeletion(*user) for user in deletions]
    answer = wire.ask(AlterUserScramCredentialsRequest(removed, list(upsertions)))
    return {result.user: result.error_code for result in answer.results}


def described(wire: Wire, *names: str) -> dict[str, tuple[int, list[tuple[int, int]]]]:
    answer = wire.ask(DescribeUserScramCredentialsRequest([UserName(name) for name in names] or None))
    return {
        result.user: (result.error_code, [(info.mechanism, info.iterations) for info in result.credential_infos])
        for result in answer.results
    }


def test_scram_credentials__set_changed_and_deleted__same_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            assert alter(wire, [], upsertion("alice"), upsertion("bob")) == {"alice": 0, "bob": 0}
            assert alter(wire, [], upsertion("alice", SHA_512, 8192)) == {"alice": 0}
            assert alter(wire, [("bob", SHA_256)], upsertion("alice", iterations=5000)) == {"alice": 0, "bob": 0}
        broker.restart()
        with Wire(broker) as wire:
            assert described(wire) == {"alice": (0, [(SHA_256, 5000), (SHA_512, 8192)])}
        log = next(Path(tmp_path).rglob("__cluster_metadata-0/*.log")).read_bytes()
        assert b"alice" in log
        assert b"planted secret" not in log


@pytest.mark.parametrize(
    ("deletions", "upsertions", "expected"),
    [
        ([("nobody", SHA_256)], [], {"nobody": ErrorCode.RESOURCE_NOT_FOUND}),
        ([("", SHA_256)], [], {"": ErrorCode.UNACCEPTABLE_CREDENTIAL}),
        ([], [upsertion("a", 3)], {"a": ErrorCode.UNSUPPORTED_SASL_MECHANISM}),
        ([], [upsertion("a", iterations=4095)], {"a": ErrorCode.UNACCEPTABLE_CREDENTIAL}),
        ([], [upsertion("a", iterations=16_385)], {"a": ErrorCode.UNACCEPTABLE_CREDENTIAL}),
        ([], [upsertion("a", salt=b"short")], {"a": ErrorCode.UNACCEPTABLE_CREDENTIAL}),
        ([], [upsertion("a"), upsertion("a", SHA_512)], {"a": ErrorCode.DUPLICATE_RESOURCE}),
        ([("a", SHA_256)], [upsertion("a")], {"a": ErrorCode.RESOURCE_NOT_FOUND}),
    ],
)
def test_scram_credentials__invalid_change__refused_and_nothing_stored(
    wire: Wire, deletions: list[tuple[str, int]], upsertions: list[object], expected: dict[str, int]
) -> None:
    assert alter(wire, deletions, *upsertions) == expected
    assert all(code == ErrorCode.RESOURCE_NOT_FOUND for code, _ in described(wire, *expected).values())


def test_scram_credentials__same_user_described_twice_in_a_request__duplicate_resource(wire: Wire) -> None:
    assert described(wire, "x", "x") == {"x": (ErrorCode.DUPLICATE_RESOURCE, [])}


def test_scram_credentials__repr_of_the_request__password_hidden() -> None:
    assert "planted" not in repr(AlterUserScramCredentialsRequest([], [upsertion("a")]))
