"""Commands `tenure quotas ...`."""

from typing import Annotated, Final, TypeAlias

import typer

from tenure.admin import Admin
from tenure.admin.quotas import CLIENT_ID, IP, USER, ClientQuota, QuotaEntity
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, Misuse, print_json, print_result, print_table

commands = typer.Typer(help="List, set and remove quotas of clients.", no_args_is_help=True)

User: TypeAlias = Annotated[str | None, typer.Option("--user", help="User name.")]
DefaultUser: TypeAlias = Annotated[bool, typer.Option("--default-user", help="All users without a quota of their own.")]
ClientId: TypeAlias = Annotated[str | None, typer.Option("--client-id", help="Client id.")]
DefaultClientId: TypeAlias = Annotated[
    bool, typer.Option("--default-client-id", help="All client ids without a quota of their own.")
]
Ip: TypeAlias = Annotated[str | None, typer.Option("--ip", help="Address of clients.")]
DefaultIp: TypeAlias = Annotated[bool, typer.Option("--default-ip", help="All addresses without a quota of their own.")]
DEFAULT: Final = "(default)"


@commands.command("list")
def list_(json: Json = False, bootstrap_servers: BootstrapServers = None, command_config: CommandConfig = None) -> None:
    """List all quotas."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = sorted(admin.list_quotas(), key=_row)
    if json:
        print_json([quota._asdict() for quota in found])
    else:
        print_table(["user", "client-id", "ip", "quota", "value"], list(map(_row, found)))


@commands.command("set")
def set_(
    quota: Annotated[
        list[str],
        typer.Option(
            "--quota", metavar="KEY=VALUE", help="Quota, such as producer_byte_rate=1048576; may be repeated."
        ),
    ],
    user: User = None,
    default_user: DefaultUser = False,
    client_id: ClientId = None,
    default_client_id: DefaultClientId = False,
    ip: Ip = None,
    default_ip: DefaultIp = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Set quotas of a user, a client id, both together, or an address."""
    entity = _entity(user, default_user, client_id, default_client_id, ip, default_ip)
    changes = dict(map(_change, quota))
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.alter_quotas(entity, changes)
    print_result(f"Set {', '.join(changes)} of {_entity_text(entity)}.")


@commands.command()
def remove(
    quota: Annotated[list[str], typer.Option("--quota", metavar="KEY", help="Quota; may be repeated.")],
    user: User = None,
    default_user: DefaultUser = False,
    client_id: ClientId = None,
    default_client_id: DefaultClientId = False,
    ip: Ip = None,
    default_ip: DefaultIp = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Remove quotas of a user, a client id, both together, or an address."""
    entity = _entity(user, default_user, client_id, default_client_id, ip, default_ip)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        present = {found.key for found in admin.list_quotas() if found.entity == entity}
        missing = [key for key in quota if key not in present]
        if missing:
            raise ValueError(
                f"There is no {missing[0]} of {_entity_text(entity)}: `tenure quotas list` shows all quotas."
            )
        admin.alter_quotas(entity, dict.fromkeys(quota))
    print_result(f"Removed {', '.join(quota)} of {_entity_text(entity)}.")


def _entity(
    user: str | None,
    default_user: bool,
    client_id: str | None,
    default_client_id: bool,
    ip: str | None,
    default_ip: bool,
) -> QuotaEntity:
    entity: dict[str, str | None] = {}
    options = ((USER, user, default_user), (CLIENT_ID, client_id, default_client_id), (IP, ip, default_ip))
    for kind, name, is_default in options:
        if name is not None and is_default:
            raise Misuse(f"--{kind} and --default-{kind} exclude each other: give one of them")
        if name is not None or is_default:
            entity[kind] = name
    if not entity:
        raise Misuse("A quota needs --user, --client-id or --ip, or the default of one of them")
    return entity


def _change(text: str) -> tuple[str, float]:
    key, _, value = text.partition("=")
    try:
        return key.strip(), float(value)
    except ValueError:
        raise Misuse(f"--quota {text!r} has no number: write --quota {key}=NUMBER") from None


def _entity_text(entity: QuotaEntity) -> str:
    return " and ".join(f"the default {kind}" if name is None else f"{kind} '{name}'" for kind, name in entity.items())


def _row(quota: ClientQuota) -> tuple[str, ...]:
    names = [quota.entity.get(kind, "-") for kind in (USER, CLIENT_ID, IP)]
    return (
        *(DEFAULT if name is None else name for name in names),
        quota.key,
        f"{quota.value:g}" if quota.value % 1 else f"{quota.value:.0f}",
    )
