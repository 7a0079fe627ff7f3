"""Commands `tenure acls ...`."""

import sys
from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from tenure.admin import Admin
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, Misuse, Yes, print_json, print_result, print_table
from tenure.plural import format_count
from tenure.protocol.acls import CLUSTER_NAME, Acl, AclFilter, AclOperation, PatternType, Permission, ResourceType

commands = typer.Typer(help="List, add and remove access control lists (ACLs).", no_args_is_help=True)

COLUMNS = ["resource", "name", "pattern", "principal", "host", "operation", "permission"]
OperationName = StrEnum("OperationName", [one.name for one in AclOperation if one is not AclOperation.ANY])  # type: ignore[misc]

Topics: TypeAlias = Annotated[list[str] | None, typer.Option("--topic", help="Topic; may be repeated.")]
Groups: TypeAlias = Annotated[list[str] | None, typer.Option("--group", help="Consumer group; may be repeated.")]
TransactionalIds: TypeAlias = Annotated[
    list[str] | None, typer.Option("--transactional-id", help="Transactional id; may be repeated.")
]
OfCluster: TypeAlias = Annotated[bool, typer.Option("--cluster", help="The cluster itself.")]
Users: TypeAlias = Annotated[
    list[str] | None, typer.Option("--user", help="User name, * for all, or TYPE:NAME; may be repeated.")
]
Hosts: TypeAlias = Annotated[list[str] | None, typer.Option("--host", help="Client address; may be repeated.")]
Operations: TypeAlias = Annotated[
    list[OperationName] | None,
    typer.Option("--operation", case_sensitive=False, help="Operation; may be repeated."),
]


@commands.command("list")
def list_(
    topic: Topics = None,
    group: Groups = None,
    transactional_id: TransactionalIds = None,
    cluster: OfCluster = False,
    user: Users = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """List ACLs: all, or those that apply to the named resources and users."""
    resources = _resources(topic, group, transactional_id, cluster) or [(ResourceType.ANY, None)]
    filters = [
        AclFilter(kind, name, PatternType.MATCH if name else PatternType.ANY, principal)
        for kind, name in resources
        for principal in _principals_or_any(user)
    ]
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = sorted({acl for wanted in filters for acl in admin.list_acls(wanted)})
    _show(found, json=json)


@commands.command()
def add(
    user: Users = None,
    operation: Operations = None,
    topic: Topics = None,
    group: Groups = None,
    transactional_id: TransactionalIds = None,
    cluster: OfCluster = False,
    prefix: Annotated[bool, typer.Option("--prefix", help="Names are prefixes of resource names.")] = False,
    host: Hosts = None,
    deny: Annotated[bool, typer.Option("--deny", help="Deny the operations, even if other ACLs allow them.")] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Add ACLs that let each user do each operation on each resource."""
    resources = _resources(topic, group, transactional_id, cluster)
    principals = _principals(user)
    if not resources or not principals or not operation:
        raise Misuse("An ACL needs --user, --operation and a resource: --topic, --group, --transactional-id, --cluster")
    acls = [
        Acl(
            kind,
            name or CLUSTER_NAME,
            PatternType.PREFIXED if prefix and kind is not ResourceType.CLUSTER else PatternType.LITERAL,
            principal,
            address,
            AclOperation[one.name],
            Permission.DENY if deny else Permission.ALLOW,
        )
        for kind, name in resources
        for principal in principals
        for address in host or ["*"]
        for one in operation
    ]
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.create_acls(acls)
    _show(acls, json=json)


@commands.command()
def remove(
    user: Users = None,
    operation: Operations = None,
    topic: Topics = None,
    group: Groups = None,
    transactional_id: TransactionalIds = None,
    cluster: OfCluster = False,
    yes: Yes = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Remove the ACLs of these resources, users and operations. Asks for confirmation on a terminal."""
    resources = _resources(topic, group, transactional_id, cluster)
    if not resources and not user:
        raise Misuse("Name what to remove: --user, --topic, --group, --transactional-id or --cluster")
    operations: list[AclOperation] = [AclOperation[one.name] for one in operation or ()] or [AclOperation.ANY]
    filters = [
        AclFilter(kind, name, PatternType.ANY, principal, None, one)
        for kind, name in resources or [(ResourceType.ANY, None)]
        for principal in _principals_or_any(user)
        for one in operations
    ]
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        if not yes and sys.stdin.isatty():
            found = {acl for wanted in filters for acl in admin.list_acls(wanted)}
            _show(sorted(found), json=False)
            typer.confirm(f"Remove {format_count(len(found), 'ACL')}?", abort=True)
        removed = sorted({acl for wanted in filters for acl in admin.delete_acls(wanted)})
    _show(removed, json=json)
    if not json:
        print_result(f"Removed {format_count(len(removed), 'ACL')}.")


def _resources(
    topics: list[str] | None, groups: list[str] | None, transactional_ids: list[str] | None, cluster: bool
) -> list[tuple[ResourceType, str | None]]:
    named = (
        (ResourceType.TOPIC, topics),
        (ResourceType.GROUP, groups),
        (ResourceType.TRANSACTIONAL_ID, transactional_ids),
    )
    found: list[tuple[ResourceType, str | None]] = [(kind, name) for kind, names in named for name in names or ()]
    return [*found, (ResourceType.CLUSTER, None)] if cluster else found


def _principals(users: list[str] | None) -> list[str]:
    return [user if ":" in user else f"User:{user}" for user in users or ()]


def _principals_or_any(users: list[str] | None) -> list[str] | list[None]:
    if users:
        return _principals(users)
    return [None]


def _show(acls: list[Acl], *, json: bool) -> None:
    rows = [
        [
            _word(ResourceType, acl.resource_type),
            acl.resource_name,
            _word(PatternType, acl.pattern_type),
            acl.principal,
            acl.host,
            _word(AclOperation, acl.operation),
            _word(Permission, acl.permission),
        ]
        for acl in acls
    ]
    if json:
        print_json([dict(zip(COLUMNS, row, strict=True)) for row in rows])
    else:
        print_table(COLUMNS, rows)


def _word(kind: type[ResourceType | PatternType | AclOperation | Permission], code: int) -> str:
    """Return the name of a code; the number itself if this version has no name for it."""
    return kind(code).name if code in set(kind) else str(code)
