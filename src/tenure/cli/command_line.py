"""Commands of `tenure`. `tenure.cli.main` handles `serve` before it imports this module.

Only the module of the called command is imported. Importing all modules would more than double the start time of a
short command.
"""

import os
import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from tenure.cli.output import Misuse, print_message
from tenure.client.configuration import ConfigurationError
from tenure.client.errors import ClientError, Fenced
from tenure.client.net.connection import software_version
from tenure.exit_status import ExitStatus
from tenure.move.errors import AnotherMove
from tenure.pipeline.errors import PipelineConfigError, PipelineStopped

UsageError: Any = typer.BadParameter.__base__
"""Base class of usage errors. Typer does not export it, and some versions of typer contain their own copy of click."""


class Commands(TyperGroup):
    """Group of commands.

    Prints expected errors of the client as one sentence on standard error, and exits without output on Ctrl-C.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().make_context(*args, **kwargs)
        except UsageError as error:
            raise _usage_error(error) from None

    def invoke(self, ctx: Any) -> Any:
        # Ctrl-C may arrive after a coroutine was created and before the event loop starts it. Then Python warns, but
        # nothing was begun.
        warnings.filterwarnings("ignore", r"coroutine .* was never awaited", RuntimeWarning)
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise _usage_error(error) from None
        except Misuse as error:
            print_message(str(error))
            raise typer.Exit(ExitStatus.MISUSED) from None
        except (ClientError, PipelineStopped, ValueError) as error:
            print_message(str(error))
            raise typer.Exit(exit_status_of(error)) from None
        except KeyboardInterrupt:
            raise typer.Exit(ExitStatus.INTERRUPTED) from None
        except BrokenPipeError:  # `tenure consume t | head`: `head` has ended
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(ExitStatus.DONE) from None


def exit_status_of(error: Exception) -> ExitStatus:
    """Return the exit status for an error that is printed as one sentence."""
    match error:
        case PipelineStopped() | PipelineConfigError():
            return error.exit_status
        case ConfigurationError():
            return ExitStatus.MISUSED
        case Fenced() | AnotherMove():
            return ExitStatus.FENCED
        case _:
            return ExitStatus.FAILED


def _usage_error(error: Any) -> Any:
    message = error.format_message()
    if "\n" in message:  # the help page, because a group of commands was called without a command
        return error
    print_message(f"{message.rstrip('.')}; `{error.ctx.command_path} --help` shows the usage.")
    return typer.Exit(ExitStatus.MISUSED)


def _build() -> str:
    """Return "compiled" if the hot path is compiled (`make compiled`), else "pure Python"."""
    found = find_spec("tenure.protocol.wire")
    return "pure Python" if found is None or str(found.origin).endswith(".py") else "compiled"


ALIASES = {"bootstrap-server": "bootstrap-servers", "instance-id": "instance-ids"}
"""Second names of options. They are hidden in the help, which has no space for both names."""


COMMANDS: Final[Mapping[str, str]] = {
    "audit": "audit",
    "what-if": "what_if",
    "topics": "topics",
    "groups": "groups.app",
    "transactions": "transactions",
    "acls": "acls",
    "pipeline": "pipeline.app",
    "users": "users",
    "quotas": "quotas",
    "storage": "storage",
    "handover": "handover",
    "move": "move",
    "produce": "produce",
    "certificates": "certificates",
    "consume": "consume",
    "web": "web",
}
"""Modules by command, in the order of the help page. A module has `commands`, or a function with the module's name."""


def command_line(called: str | None = None) -> typer.Typer:
    """Return the command line with only the commands that this call needs.

    These are the command `called`, or no command for "--version". If `called` is None or unknown, return all commands.
    """
    app = typer.Typer(
        name="tenure",
        cls=Commands,
        context_settings={"token_normalize_func": lambda name: ALIASES.get(name, name)},
        help="Kafka-compatible broker with stable consumer groups, and tools for any Kafka cluster.",
        epilog="Commands work with any Kafka broker unless their help says otherwise: name it with --bootstrap-servers"
        " or TENURE_BOOTSTRAP_SERVERS. `storage`, `handover` and `certificates` need no broker.",
        no_args_is_help=True,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_tenure)
    serving = {"ignore_unknown_options": True, "help_option_names": []}
    app.command(context_settings=serving, add_help_option=False)(serve)
    for name, module_name in _modules(called).items():
        module = import_module(f"tenure.cli.{module_name}")
        if hasattr(module, "commands"):
            app.add_typer(module.commands, name=name)
        else:
            app.command(name)(getattr(module, module_name))
    return app


def _modules(called: str | None) -> Mapping[str, str]:
    if called == "--version":
        return {}
    return {name: module_name for name, module_name in COMMANDS.items() if name == called} or COMMANDS


def _tenure(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        print(f"tenure {software_version()} ({_build()})")
        raise typer.Exit


def serve(arguments: list[str] = typer.Argument(None, hidden=True)) -> None:  # noqa: B008
    """Start a broker (options: `tenure serve --help`)."""
    from tenure.cli.serve import main

    raise typer.Exit(main(arguments or []))
