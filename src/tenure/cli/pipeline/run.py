"""`tenure pipeline run`, with the options of `RunOptions` and options that exist only on the command line."""

import inspect
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, address_of, cluster_at
from tenure.cli.output import Misuse
from tenure.cli.pipeline.arguments import Reference
from tenure.run_options import AVAILABILITY, MONITORING, RUN_OPTIONS, SPARK, RunOption

OPTIONS: Final[Mapping[str, RunOption]] = {option.name: option for option in RUN_OPTIONS if option.described.panel}
"""Options of the command line by name."""


class ProgressLines(StrEnum):
    SUMMARY = "summary"
    BATCHES = "batches"
    JSON = "json"


Progress = Annotated[
    ProgressLines,
    typer.Option(
        help="Progress output: a summary every 10 s, a line per batch, or JSON lines on standard output.",
        rich_help_panel=MONITORING,
    ),
]
Conf = Annotated[
    list[str] | None,
    typer.Option(
        "--conf", metavar="KEY=VALUE", help="Spark setting of the new session; may be repeated.", rich_help_panel=SPARK
    ),
]
PyFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--py-files",
        metavar="FILE,...",
        help=".py and .zip files with modules for the executors, beside the pipeline's own module or package.",
        rich_help_panel=SPARK,
    ),
]
Restart = Annotated[
    bool,
    typer.Option(
        "--restart",
        help="Restart the application after a crash (not after exit status 0, 2, 3 or 4).",
        rich_help_panel=AVAILABILITY,
    ),
]


def run_option(name: str) -> Any:
    """Return typer's declaration of an option of `RunOptions`."""
    described = OPTIONS[name].described
    return typer.Option(
        f"--{name.replace('_', '-')}",  # without an explicit name, typer adds `--no-...` to flags
        help=described.help,
        metavar=described.metavar,
        show_default=described.default or True,
        rich_help_panel=described.panel,
    )


def _parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _run_parameter(name: str, option: RunOption) -> inspect.Parameter:
    if not option.choices:
        kind, default = option.type, option.default
    else:
        enum_of: Any = StrEnum  # mypy accepts calls with literals only
        kind = enum_of(name, {choice: choice for choice in option.choices})
        default = option.default and kind(option.default)
    return _parameter(name, Annotated[kind if default is not None else kind | None, run_option(name)], default)


def run(**options: Any) -> None:
    """Run a pipeline until SIGTERM, Ctrl-C or `tenure pipeline stop`.

    Exit status: 0 stopped or caught up; 1 failed, restart is safe; 2 invalid options or pipeline; 3 another
    application took over its members, do not restart; 4 would fail again, fix the cause first.
    """
    reference, progress, restart = (options.pop(name) for name in ("reference", "progress", "restart"))
    cluster = cluster_at(options.pop("bootstrap_servers"), options.pop("command_config"))
    options["conf"] = dict(map(_setting, options["conf"] or ()))
    options["py_files"] = [place for places in options["py_files"] or () for place in places.split(",") if place]
    if restart:
        from tenure.spark.operations.supervisor import supervise

        raise typer.Exit(supervise(reference, options["group_instance_id"], address_of(cluster), options["py_files"]))
    from tenure.spark.spark_session import starting_java

    with starting_java(options["master"], options["conf"], ui=options["spark_ui"]):
        from tenure.spark.operations.run import run_pipeline_by_name

        status = run_pipeline_by_name(reference, cluster, options, progress)
    raise typer.Exit(status)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise Misuse(f"--conf {text}: write KEY=VALUE")
    return key, value


vars(run)["__signature__"] = inspect.Signature(
    [
        _parameter("reference", Reference),
        *(_run_parameter(name, option) for name, option in OPTIONS.items()),
        _parameter("conf", Conf, None),
        _parameter("py_files", PyFiles, None),
        _parameter("progress", Progress, ProgressLines.SUMMARY),
        _parameter("restart", Restart, False),
        _parameter("bootstrap_servers", BootstrapServers, None),
        _parameter("command_config", CommandConfig, None),
    ]
)
