"""All ACLs, with an index for decisions. A decision examines only the patterns that apply to the name of the resource.

A name can match one LITERAL pattern, the wildcard, and one PREFIXED pattern per length of a prefix. The index has two
bit sets for each pattern, principal and host: the operations that are allowed and those that are denied. So a decision
needs a few dictionary look-ups, however many ACLs there are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from tenure.coordinator.shard import InvariantError
from tenure.protocol.acls import ALL_USERS, WILDCARD, Acl, AclFilter, AclOperation, PatternType, Permission

Subject: TypeAlias = tuple[str, str]
"""Principal and host, in the notation of ACLs."""
Bits: TypeAlias = tuple[int, int]
"""(allowed operations, denied operations) as bit sets."""
Grants: TypeAlias = dict[Subject, Bits]
"""Operations that the ACLs with one pattern allow and deny, by subject. Invariant: not empty."""

NOTHING: Final[Bits] = (0, 0)


def operation_bit(operation: int) -> int:
    return 1 << operation


ALLOWED_BY: Final[dict[int, tuple[AclOperation, ...]]] = {
    AclOperation.DESCRIBE: (AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER),
    AclOperation.DESCRIBE_CONFIGS: (AclOperation.ALTER_CONFIGS,),
}
"""Operations whose ALLOW also allows the operation in the key. Their DENY does not deny the operation in the key."""
DENYING: Final[dict[int, int]] = {
    operation: operation_bit(operation) | operation_bit(AclOperation.ALL) for operation in AclOperation
}
ALLOWING: Final[dict[int, int]] = {
    operation: DENYING[operation] | sum([operation_bit(other) for other in ALLOWED_BY.get(operation, ())])
    for operation in AclOperation
}


def subjects_of(principal: str, host: str) -> tuple[Subject, ...]:
    """Return all (principal, host) pairs with which an ACL applies to the client, wildcards included."""
    return (principal, host), (principal, WILDCARD), (ALL_USERS, host), (ALL_USERS, WILDCARD)


class Acls:
    """All ACLs. Only `apply` of the metadata shard changes them."""

    __slots__ = ("_by_id", "_grants", "_ids", "_prefix_lengths", "version")

    def __init__(self) -> None:
        self.version = 0
        """Number that is incremented with every change."""
        self._by_id: dict[bytes, Acl] = {}
        self._ids: Counter[Acl] = Counter()
        """Number of ids that each ACL has. Kafka writes one; a damaged log may have several."""
        self._grants: dict[tuple[int, int], dict[str, Grants]] = {}
        """`Grants` of each pattern, by (resource type, pattern type), then by name."""
        self._prefix_lengths: dict[int, Counter[int]] = {}
        """Number of PREFIXED patterns by resource type and length."""

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, acl: Acl) -> bool:
        return acl in self._ids

    def matching(self, wanted: AclFilter) -> list[Acl]:
        return [acl for acl in self._ids if wanted.matches(acl)]

    def selected_by(self, filters: Iterable[AclFilter]) -> list[list[tuple[bytes, Acl]]]:
        """Return, for each filter, the matching ACLs with their ids."""
        return [[(acl_id, acl) for acl_id, acl in self._by_id.items() if wanted.matches(acl)] for wanted in filters]

    # --- decisions ----------------------------------------------------------------------------------------------------

    def decide(self, subjects: Sequence[Subject], operation: int, resource_type: int, name: str) -> bool | None:
        """Return whether the ACLs allow an operation to at least one subject; None if no ACL applies to the resource.

        One DENY overrides all ALLOWs, whatever their patterns are.
        """
        found: bool | None = None
        allowing, denying = ALLOWING[operation], DENYING[operation]
        for grants in self._grants_for(resource_type, name):
            found = found or False
            for subject in subjects:
                allowed, denied = grants.get(subject, NOTHING)
                if denied & denying:
                    return False
                if allowed & allowing:
                    found = True
        return found

    def _grants_for(self, resource_type: int, name: str) -> Iterator[Grants]:
        literal = self._grants.get((resource_type, PatternType.LITERAL))
        if literal is not None:
            if (grants := literal.get(name)) is not None:
                yield grants
            if name != WILDCARD and (grants := literal.get(WILDCARD)) is not None:
                yield grants
        prefixed = self._grants.get((resource_type, PatternType.PREFIXED))
        if prefixed is not None:
            size = len(name)
            for length in self._prefix_lengths[resource_type]:
                if length <= size and (grants := prefixed.get(name[:length])) is not None:
                    yield grants

    def decide_any(self, subjects: Sequence[Subject], operation: int, resource_type: int) -> bool:
        """Return whether the ACLs allow an operation on at least one resource of a type (KAFKA-10619).

        A resource is allowed if an ALLOW for one of `subjects` applies to it, and no DENY does. As in Kafka, there are
        two simplifications. First, only an ALLOW of the operation itself or of ALL counts. (In `decide`, for example,
        an ALLOW of READ implies DESCRIBE.) Second, DENYs of longer names within an allowed prefix are ignored, even if
        they deny all existing resources.
        """
        wanted = operation_bit(operation) | operation_bit(AclOperation.ALL)
        literal = self._names(resource_type, PatternType.LITERAL, subjects, wanted)
        prefixed = self._names(resource_type, PatternType.PREFIXED, subjects, wanted)
        if WILDCARD in literal[1]:
            return False
        if WILDCARD in literal[0]:
            return True
        allowed = [*(literal[0] - literal[1]), *prefixed[0]]
        return any(not prefixed[1].intersection(name[:end] for end in range(1, len(name) + 1)) for name in allowed)

    def _names(
        self, resource_type: int, pattern_type: int, subjects: Sequence[Subject], wanted: int
    ) -> tuple[set[str], set[str]]:
        """Return (names with an ALLOW, names with a DENY), from the patterns of one type for one resource type.

        `wanted` is a bit set of operations. ALLOWs and DENYs of other operations, or of other subjects, do not count.
        """
        allowed: set[str] = set()
        denied: set[str] = set()
        for name, grants in self._grants.get((resource_type, pattern_type), {}).items():
            for subject in subjects:
                bits = grants.get(subject, NOTHING)
                if bits[0] & wanted:
                    allowed.add(name)
                if bits[1] & wanted:
                    denied.add(name)
        return allowed, denied

    # --- changes ------------------------------------------------------------------------------------------------------

    def put(self, acl_id: bytes, acl: Acl) -> None:
        if acl_id in self._by_id:
            raise InvariantError(f"two ACLs have the id {acl_id.hex()}")
        self.version += 1
        self._by_id[acl_id] = acl
        self._ids[acl] += 1
        patterns = self._grants.setdefault((acl.resource_type, acl.pattern_type), {})
        if acl.pattern_type == PatternType.PREFIXED and acl.resource_name not in patterns:
            self._prefix_lengths.setdefault(acl.resource_type, Counter())[len(acl.resource_name)] += 1
        grants = patterns.setdefault(acl.resource_name, {})
        allowed, denied = grants.get((acl.principal, acl.host), NOTHING)
        if acl.permission == Permission.ALLOW:
            allowed |= operation_bit(acl.operation)
        else:
            denied |= operation_bit(acl.operation)
        grants[acl.principal, acl.host] = allowed, denied

    def remove(self, acl_id: bytes) -> None:
        if acl_id not in self._by_id:
            raise InvariantError(f"no ACL has the id {acl_id.hex()}")
        self.version += 1
        acl = self._by_id.pop(acl_id)
        self._ids[acl] -= 1
        if self._ids[acl]:
            return
        del self._ids[acl]
        patterns = self._grants[acl.resource_type, acl.pattern_type]
        grants, subject = patterns[acl.resource_name], (acl.principal, acl.host)
        allowed, denied = grants[subject]
        if acl.permission == Permission.ALLOW:
            allowed &= ~operation_bit(acl.operation)
        else:
            denied &= ~operation_bit(acl.operation)
        if allowed or denied:
            grants[subject] = allowed, denied
        else:
            del grants[subject]
        if not grants:
            self._remove_pattern(acl)

    def _remove_pattern(self, acl: Acl) -> None:
        patterns = self._grants[acl.resource_type, acl.pattern_type]
        del patterns[acl.resource_name]
        if acl.pattern_type == PatternType.PREFIXED:
            lengths, length = self._prefix_lengths[acl.resource_type], len(acl.resource_name)
            lengths[length] -= 1
            if not lengths[length]:
                del lengths[length]
        if not patterns:
            del self._grants[acl.resource_type, acl.pattern_type]

    def digest(self) -> object:
        return dict(self._by_id)
