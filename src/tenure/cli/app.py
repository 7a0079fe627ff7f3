"""Commands of `tenure`. `tenure.cli.main` handles `serve` before it imports this module."""

import os
import sys
import warnings
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tenure.cli import (
    acls,
    audit,
    certificates,
    consume,
    handover,
    move,
    produce,
    quotas,
    storage,
    topics,
    transactions,
    users,
    web,
    what_if,
)
from tenure.cli.groups import app as groups
from tenure.cli.output import Misuse, say
from tenure.cli.pipeline import app as pipeline
from tenure.client.configuration import ConfigurationError
from tenure.client.errors import ClientError, Fenced
from tenure.client.net.connection import software_version
from tenure.exit_status import ExitStatus
from tenure.move.errors import AnotherMove
from tenure.pipeline.errors import PipelineConfigError, PipelineStopped

UsageError: Any = typer.BadParameter.__base__
"""Base class of usage errors. Typer uses a copy of click or the installed one, and exports neither."""


class Commands(TyperGroup):
    """Group of commands.

    Prints deliberate errors of the client as one sentence on standard error, and ends silently on Ctrl-C.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().make_context(*args, **kwargs)
        except UsageError as error:
            raise _misused(error) from None

    def invoke(self, ctx: Any) -> Any:
        # Ctrl-C may fall between the making of a coroutine and its handing over to the loop: nothing was begun then.
        warnings.filterwarnings("ignore", r"coroutine .* was never awaited", RuntimeWarning)
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise _misused(error) from None
        except Misuse as error:
            say(str(error))
            raise typer.Exit(ExitStatus.MISUSED) from None
        except (ClientError, PipelineStopped, ValueError) as error:
            say(str(error))
            raise typer.Exit(exit_status_of(error)) from None
        except KeyboardInterrupt:
            raise typer.Exit(ExitStatus.INTERRUPTED) from None
        except BrokenPipeError:  # `tenure consume t | head`: the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(ExitStatus.DONE) from None


def exit_status_of(error: Exception) -> ExitStatus:
    """Return the exit status for an error that a command reports in one sentence."""
    match error:
        case PipelineStopped() | PipelineConfigError():
            return error.exit_status
        case ConfigurationError():
            return ExitStatus.MISUSED
        case Fenced() | AnotherMove():
            return ExitStatus.FENCED
        case _:
            return ExitStatus.FAILED


def _misused(error: Any) -> Any:
    message = error.format_message()
    if "\n" in message:  # a page of help, for a group of commands without one of them
        return error
    say(f"{message.rstrip('.')}; `{error.ctx.command_path} --help` says what there is.")
    return typer.Exit(ExitStatus.MISUSED)


def _build() -> str:
    """Return the kind of build. The hot path may be compiled (`make compiled`), with the same behaviour."""
    found = find_spec("tenure.protocol.wire")
    return "pure Python" if found is None or str(found.origin).endswith(".py") else "compiled"


ALIASES = {"bootstrap-server": "bootstrap-servers", "instance-id": "instance-ids"}
"""Second names of options, hidden in help because a page has no space for both."""


app = typer.Typer(
    name="tenure",
    cls=Commands,
    context_settings={"token_normalize_func": lambda name: ALIASES.get(name, name)},
    help="Kafka-compatible broker with stable consumer groups, and tools for any Kafka cluster.",
    epilog="Unless they say otherwise, all but `serve`, `storage` and `certificates` work with any Kafka broker;"
    " name it with --bootstrap-servers or TENURE_BOOTSTRAP_SERVERS.",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def _tenure(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        print(f"tenure {software_version()} ({_build()})")
        raise typer.Exit


@app.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
def serve(arguments: list[str] = typer.Argument(None, hidden=True)) -> None:  # noqa: B008
    """Start a broker: `tenure serve --help` says how."""
    from tenure.cli.serve import main

    raise typer.Exit(main(arguments or []))


app.command("audit")(audit.audit)
app.command("what-if")(what_if.what_if)
app.add_typer(topics.commands, name="topics")
app.add_typer(groups.commands, name="groups")
app.add_typer(transactions.commands, name="transactions")
app.add_typer(acls.commands, name="acls")
app.add_typer(pipeline.commands, name="pipeline")
app.add_typer(users.commands, name="users")
app.add_typer(quotas.commands, name="quotas")
app.add_typer(storage.commands, name="storage")
app.command("handover")(handover.handover)
app.command("move")(move.move)
app.command("produce")(produce.produce)
app.command("certificates")(certificates.certificates)
app.command("consume")(consume.consume)
app.command("web")(web.web)
