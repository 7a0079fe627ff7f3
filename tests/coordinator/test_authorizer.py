"""Decisions about random ACLs, compared with a reference that follows Kafka's documentation word by word."""

from collections.abc import Sequence
from random import Random
from typing import Final

import pytest

from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.authorizer import Authorizer
from tenure.coordinator.shard import InvariantError
from tenure.limits.broker import AUTHORIZATIONS_CACHED_MAX
from tenure.protocol.acls import Acl, AclFilter, AclOperation, PatternType, Permission, ResourceType
from tests.coordinator.acl_sets import HOSTS, NAMES, OPERATIONS, PRINCIPALS, TYPES, AclSet, random_acls

IMPLIED_BY: Final = {
    AclOperation.DESCRIBE: {AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER},
    AclOperation.DESCRIBE_CONFIGS: {AclOperation.ALTER_CONFIGS},
}


def reference(acl_set: AclSet, principal: str, host: str, operation: int, kind: int, name: str) -> bool:
    """Return the decision of the specification: deny, else allow, else the default if no ACL applies."""
    if principal in acl_set.super_users:
        return True
    about = [acl for acl in acl_set.acls if acl.resource_type == kind and applies(acl, name)]
    ours = [acl for acl in about if acl.principal in (principal, "User:*") and acl.host in (host, "*")]
    same = (operation, AclOperation.ALL)
    denied = [acl for acl in ours if acl.permission == Permission.DENY and acl.operation in same]
    implied_by = IMPLIED_BY.get(AclOperation(operation), set())
    allowed = [
        acl
        for acl in ours
        if acl.permission == Permission.ALLOW and (acl.operation in same or acl.operation in implied_by)
    ]
    if denied or allowed:
        return not denied
    return acl_set.allows_without_acls and not about


def applies(acl: Acl, name: str) -> bool:
    if acl.pattern_type == PatternType.PREFIXED:
        return name.startswith(acl.resource_name)
    return acl.resource_name in (name, "*")


def authorizer(acl_set: AclSet) -> Authorizer:
    acls = index(acl_set.acls)
    return Authorizer(lambda: acls, acl_set.super_users, allows_without_acls=acl_set.allows_without_acls)


def index(acls: Sequence[Acl]) -> Acls:
    found = Acls()
    for number, acl in enumerate(acls):
        found.put(number.to_bytes(16, "big"), acl)
    return found


@pytest.mark.parametrize("seed", range(200))
def test_authorizer_decision__random_acls__same_as_the_reference_implementation(seed: int) -> None:
    random = Random(seed)
    acl_set = random_acls(random)
    ours = authorizer(acl_set)
    allowed = 0
    for _ in range(200):
        asked = (
            random.choice(PRINCIPALS),
            random.choice(HOSTS),
            random.choice(OPERATIONS),
            random.choice(TYPES),
            random.choice(NAMES),
        )
        expected = reference(acl_set, *asked)
        assert ours.allows(asked[:2], *asked[2:]) == expected, (asked, acl_set)
        assert ours.allows(asked[:2], *asked[2:]) == expected, "the second time, when the decision is known"
        allowed += expected
    assert allowed < 200 or acl_set.allows_without_acls


@pytest.mark.parametrize("seed", range(50))
def test_acl_index__acls_added_and_removed_at_random__same_as_with_only_the_remaining_acls(seed: int) -> None:
    random = Random(seed)
    acl_set = random_acls(random)
    acls = index(acl_set.acls)
    removed = set(random.sample(range(len(acl_set.acls)), len(acl_set.acls) // 2))
    for number in random.sample(sorted(removed), len(removed)):
        acls.remove(number.to_bytes(16, "big"))
    rest = [acl for number, acl in enumerate(acl_set.acls) if number not in removed]
    fresh = index(rest)
    assert sorted(acls.matching(AclFilter())) == sorted(rest)
    for kind in TYPES:
        for name in NAMES:
            for operation in OPERATIONS:
                subjects = [(PRINCIPALS[0], HOSTS[0]), ("User:*", "*")]
                assert acls.decide(subjects, operation, kind, name) == fresh.decide(subjects, operation, kind, name)


def test_acl_index__last_acl_of_a_topic_removed__neither_allowed_nor_denied() -> None:
    acl = Acl(ResourceType.TOPIC, "or", PatternType.PREFIXED, "User:a", "*", AclOperation.READ, Permission.ALLOW)
    acls = index([acl])
    acls.remove(bytes(16))
    assert acls.decide([("User:a", "*")], AclOperation.READ, ResourceType.TOPIC, "orders") is None


def test_acl_index__same_acl_with_two_ids__applies_until_both_are_removed() -> None:
    acl = Acl(ResourceType.TOPIC, "t", PatternType.LITERAL, "User:a", "*", AclOperation.READ, Permission.ALLOW)
    acls = index([acl, acl])
    acls.remove(bytes(16))
    assert acls.decide([("User:a", "*")], AclOperation.READ, ResourceType.TOPIC, "t")


def test_acl_index__unknown_id_removed__invariant_error() -> None:
    with pytest.raises(InvariantError, match="no ACL has the id"):
        Acls().remove(bytes(16))


def test_authorizer__acl_changes__cached_decision_is_discarded() -> None:
    acls = Acls()
    ours = Authorizer(lambda: acls, (), allows_without_acls=False)
    asked = (("User:a", "h"), AclOperation.READ, ResourceType.TOPIC, "t")
    assert not ours.allows(*asked)
    acls.put(
        bytes(16), Acl(ResourceType.TOPIC, "t", PatternType.LITERAL, "User:a", "*", AclOperation.ALL, Permission.ALLOW)
    )
    assert ours.allows(*asked)
    acls.remove(bytes(16))
    assert not ours.allows(*asked)


def test_authorizer__more_names_than_the_cache_holds__decisions_correct_and_cache_bounded() -> None:
    acl = Acl(ResourceType.GROUP, "g1", PatternType.PREFIXED, "User:a", "*", AclOperation.READ, Permission.ALLOW)
    acls = index([acl])
    ours = Authorizer(lambda: acls, (), allows_without_acls=False)
    for number in range(AUTHORIZATIONS_CACHED_MAX + 100):
        name = f"g{number}"
        assert ours.allows(("User:a", "h"), AclOperation.READ, ResourceType.GROUP, name) == name.startswith("g1")
    assert not ours.allows(("User:a", "h"), AclOperation.READ, ResourceType.GROUP, "x" * 30_000)
    assert len(ours._decided) <= AUTHORIZATIONS_CACHED_MAX
    assert all(len(asked[-1] or "") < 30_000 for asked in ours._decided)


def resource(name: str, pattern: PatternType, permission: Permission) -> Acl:
    return Acl(ResourceType.TOPIC, name, pattern, "User:a", "*", AclOperation.WRITE, permission)


ALLOW, DENY = Permission.ALLOW, Permission.DENY
LITERAL, PREFIXED = PatternType.LITERAL, PatternType.PREFIXED


@pytest.mark.parametrize(
    ("acls", "expected"),
    [
        ([], False),
        ([resource("t", LITERAL, ALLOW)], True),
        ([resource("t", LITERAL, ALLOW), resource("t", LITERAL, DENY)], False),
        ([resource("t", LITERAL, ALLOW), resource("u", LITERAL, DENY)], True),
        ([resource("team-t", LITERAL, ALLOW), resource("team-", PREFIXED, DENY)], False),
        ([resource("team-t", PREFIXED, ALLOW), resource("team-", PREFIXED, DENY)], False),
        ([resource("team-", PREFIXED, ALLOW), resource("team-t", PREFIXED, DENY)], True),
        ([resource("t", PREFIXED, ALLOW), resource("t", LITERAL, DENY)], True),
        ([resource("*", LITERAL, ALLOW), resource("t", LITERAL, DENY)], True),
        ([resource("t", LITERAL, ALLOW), resource("*", LITERAL, DENY)], False),
    ],
)
def test_authorizer_decision__operation_on_any_resource_of_a_type__allowed_if_allowed_on_at_least_one(
    acls: list[Acl], expected: bool
) -> None:
    found = index(acls)
    ours = Authorizer(lambda: found, ["User:root"], allows_without_acls=False)
    assert ours.allows(("User:a", "h"), AclOperation.WRITE, ResourceType.TOPIC, None) == expected
    assert ours.allows(("User:root", "h"), AclOperation.WRITE, ResourceType.TOPIC, None)
    assert not ours.allows(("User:b", "h"), AclOperation.WRITE, ResourceType.TOPIC, None)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (AclFilter(), ["orders", "ord", "*"]),
        (AclFilter(resource_name="orders"), ["orders"]),
        (AclFilter(resource_name="orders", pattern_type=PatternType.MATCH), ["orders", "ord", "*"]),
        (AclFilter(resource_name="ordinary", pattern_type=PatternType.MATCH), ["ord", "*"]),
        (AclFilter(resource_name="orders", pattern_type=PatternType.PREFIXED), []),
        (AclFilter(pattern_type=PatternType.PREFIXED), ["ord"]),
        (AclFilter(resource_type=ResourceType.GROUP), []),
        (AclFilter(principal="User:b"), []),
        (AclFilter(host="*", operation=AclOperation.WRITE, permission=Permission.ALLOW), ["orders", "ord", "*"]),
        (AclFilter(operation=AclOperation.READ), []),
    ],
)
def test_acl_filter__name_pattern_and_operation__matching_acls(wanted: AclFilter, expected: list[str]) -> None:
    acls = index([resource("orders", LITERAL, ALLOW), resource("ord", PREFIXED, ALLOW), resource("*", LITERAL, ALLOW)])
    assert [acl.resource_name for acl in acls.matching(wanted)] == expected
