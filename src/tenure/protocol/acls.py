"""Access control lists (ACLs) in Kafka's terms: fields of an ACL, and filters that match ACLs (KIP-11, KIP-290)."""

from enum import IntEnum
from typing import Final, NamedTuple

WILDCARD: Final = "*"
"""Wildcard: as the name of a LITERAL pattern, every resource of the type; as a host, every host."""
ALL_USERS: Final = "User:*"
"""Principal of ACLs that apply to every principal."""
CLUSTER_NAME: Final = "kafka-cluster"
"""The only name of a resource of type CLUSTER."""


class AclCode(IntEnum):
    """Base class of the enumerations for fields of ACLs, whose values are numbers on the wire.

    The hash of an enumeration member is the hash of its number. It is computed five times as fast as the default hash
    of an enumeration.
    """

    __hash__ = int.__hash__


class ResourceType(AclCode):
    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class PatternType(AclCode):
    """Type of a resource pattern.

    `ANY` and `MATCH` are for filters only; MATCH selects all patterns that apply to a name.
    """

    ANY = 1
    MATCH = 2
    LITERAL = 3
    PREFIXED = 4


class AclOperation(AclCode):
    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


class Permission(AclCode):
    ANY = 1
    DENY = 2
    ALLOW = 3


class Acl(NamedTuple):
    """One ACL.

    An ACL allows or denies one operation to one principal from one host, on all resources that the pattern
    (`resource_type`, `resource_name`, `pattern_type`) matches.
    """

    resource_type: int
    resource_name: str
    pattern_type: int
    principal: str
    host: str
    operation: int
    permission: int


class AclFilter(NamedTuple):
    """Filter of ACLs by field. None and ANY match every value."""

    resource_type: int = ResourceType.ANY
    resource_name: str | None = None
    pattern_type: int = PatternType.ANY
    principal: str | None = None
    host: str | None = None
    operation: int = AclOperation.ANY
    permission: int = Permission.ANY

    def matches(self, acl: Acl) -> bool:
        return (
            self.resource_type in (ResourceType.ANY, acl.resource_type)
            and self._matches_pattern(acl)
            and self.principal in (None, acl.principal)
            and self.host in (None, acl.host)
            and self.operation in (AclOperation.ANY, acl.operation)
            and self.permission in (Permission.ANY, acl.permission)
        )

    def _matches_pattern(self, acl: Acl) -> bool:
        if self.pattern_type not in (PatternType.ANY, PatternType.MATCH, acl.pattern_type):
            return False
        if self.resource_name is None:
            return True
        if self.pattern_type != PatternType.MATCH:
            return self.resource_name == acl.resource_name
        if acl.pattern_type == PatternType.PREFIXED:
            return self.resource_name.startswith(acl.resource_name)
        return acl.resource_name in (self.resource_name, WILDCARD)
