"""Random ACLs over a few names, so that many of them apply to the same resource."""

from random import Random
from typing import Final, NamedTuple

from tenure.protocol.acls import Acl, AclOperation, PatternType, Permission, ResourceType

PRINCIPALS: Final = ("User:alice", "User:bob", "User:carol", "Group:alice")
HOSTS: Final = ("10.0.0.1", "10.0.0.2", "0:0:0:0:0:0:0:1")
TYPES: Final = tuple(each for each in ResourceType if each is not ResourceType.ANY)
OPERATIONS: Final = tuple(each for each in AclOperation if each not in (AclOperation.ANY, AclOperation.ALL))
NAMES: Final = ("a", "ab", "abc", "abcd", "abx", "ac", "b", "bc", "orders", "orders.eu", "orders-eu", "kafka-cluster")


class AclSet(NamedTuple):
    acls: list[Acl]
    super_users: list[str]
    allows_without_acls: bool


def random_acls(random: Random) -> AclSet:
    """Return a random set of about ten to eighty different ACLs."""
    types = random.sample(TYPES, random.randint(1, 3))
    acls = {
        Acl(
            random.choice(types),
            random.choice((*NAMES, "*")),
            random.choice((PatternType.LITERAL, PatternType.PREFIXED)),
            random.choice((*PRINCIPALS, "User:*")),
            random.choice((*HOSTS, "*", "*")),
            random.choice((*OPERATIONS, AclOperation.ALL)),
            random.choice((Permission.ALLOW, Permission.ALLOW, Permission.DENY)),
        )
        for _ in range(random.randint(10, 80))
    }
    shuffled = sorted(acls)
    random.shuffle(shuffled)
    return AclSet(shuffled, random.choice(([], ["User:carol"])), random.random() < 0.5)
