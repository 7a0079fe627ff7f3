"""Commands `tenure users ...`."""

import getpass
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from tenure.admin import Admin
from tenure.admin.users import ITERATIONS, MECHANISMS
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, Misuse, listed, print_json, print_result, print_table

commands = typer.Typer(help="List, add and remove users with SCRAM credentials.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="USER", show_default=False)]
Mechanisms = Annotated[
    list[str] | None, typer.Option("--mechanism", metavar="NAME,...", help="SCRAM-SHA-256 or SCRAM-SHA-512.")
]
ITERATIONS_MAX: Final = 16_384


@commands.command("list")
def list_(json: Json = False, bootstrap_servers: BootstrapServers = None, command_config: CommandConfig = None) -> None:
    """List users and their credentials."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        users = admin.list_users()
    if json:
        print_json([user._asdict() for user in users])
    else:
        print_table(["user", "mechanism", "iterations"], users)


@commands.command()
def add(
    name: Name,
    mechanism: Mechanisms = None,
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File whose first line is the password (default: a prompt).")
    ] = None,
    iterations: Annotated[
        int, typer.Option(min=ITERATIONS, max=ITERATIONS_MAX, help="Iterations of the password's hash (SCRAM).")
    ] = ITERATIONS,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Add a user, or change the password. Without --mechanism, sets the password for both mechanisms."""
    mechanisms = _mechanisms(mechanism) or list(MECHANISMS)
    password = _password(password_file)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.add_user(name, password, mechanisms, iterations)
    print_result(f"User '{name}' can log in with {' and '.join(mechanisms)}.")


@commands.command()
def remove(
    name: Name,
    mechanism: Mechanisms = None,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Remove a user. Without --mechanism, removes all credentials of the user."""
    wanted = _mechanisms(mechanism)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = [user.mechanism for user in admin.list_users() if user.name == name]
        if not found:
            raise ValueError(f"User '{name}' has no credentials: `tenure users list` shows all users with credentials.")
        admin.remove_user(name, wanted or found)
    print_result(f"Removed {' and '.join(wanted or found)} of user '{name}'.")


def _mechanisms(options: list[str] | None) -> list[str]:
    found = [name.upper() for name in listed(options)]
    for name in found:
        if name not in MECHANISMS:
            raise Misuse(f"Unknown mechanism {name!r}: use {' or '.join(MECHANISMS)}")
    return found


def _password(file: Path | None) -> str:
    """Return the password from a file or a prompt.

    There is no option for it, because other users can see command lines.
    """
    if file is not None:
        try:
            password = file.read_text("utf-8").partition("\n")[0].rstrip("\r")
        except (OSError, UnicodeDecodeError) as error:
            reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
            raise ValueError(f"The password file {file} cannot be read: {reason}.") from None
    elif sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if getpass.getpass("Repeat it: ") != password:
            raise ValueError("The passwords differ: try again")
    else:
        raise Misuse("There is no terminal to ask for the password: pass --password-file FILE")
    if not password:
        raise ValueError("The password is empty: choose one")
    return password
