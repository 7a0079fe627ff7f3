"""Generated parts of the reference pages: what the code declares about commands, settings, limits and errors.

`python -m tests.docs.reference` rewrites them; a test fails if they are outdated. Each part is between two comments:

    <!-- generated: commands -->
    <!-- end -->
"""

import inspect
import re
from argparse import SUPPRESS
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, get_args

import typer

from tenure import limits
from tenure.audit.reading import TABLES
from tenure.broker.config.keys import KEYS
from tenure.cli.serve import _parser
from tenure.client import errors
from tenure.client.consumer.consumer_settings import CONSUMER_KEYS
from tenure.client.net.bootstrap import BOOTSTRAP_KEYS
from tenure.client.producer.producer_settings import PRODUCER_KEYS
from tenure.config_keys import ConfigKey
from tenure.coordinator.groups.configs import GROUP_KEYS
from tenure.run_options import RUN_OPTIONS
from tests.command_line import app
from tests.docs.pages import DOCS

PART: Final = re.compile(r"(?<=<!-- generated: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
COMMON: Final = frozenset({"bootstrap_servers", "command_config"})
"""Options of nearly all commands, described once at the top of the page."""


# --- tables -----------------------------------------------------------------------------------------------------------


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def code(text: object) -> str:
    return f"`{text}`"


def value_of(default: object) -> str:
    if default in (None, "", ()):
        return ""
    if isinstance(default, bool):
        return code(str(default).lower())
    if isinstance(default, Enum):
        return code(default.name.lower())
    if isinstance(default, tuple):
        return code(",".join(map(str, default)))
    return code(default)


# --- commands ---------------------------------------------------------------------------------------------------------


def commands() -> str:
    return "\n".join(_command(typer.main.get_command(app), "tenure"))


def _command(command: Any, path: str) -> Iterator[str]:
    if path == "tenure serve":
        yield _serve()
        return
    below: Mapping[str, Any] = getattr(command, "commands", {})
    if path != "tenure":
        yield f"{'##' if path.count(' ') == 1 else '###'} {path}\n\n{inspect.cleandoc(command.help)}\n"
        if not below:
            yield _usage(command, path)
    for name, one in below.items():
        if not one.hidden:
            yield from _command(one, f"{path} {name}")


def _usage(command: Any, path: str) -> str:
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    arguments = [one for one in shown if not one.opts[0].startswith("-")]
    options = [one for one in shown if one not in arguments and one.name not in COMMON]
    words = " ".join([path, *(_metavar(one) if one.required else f"[{_metavar(one)}]" for one in arguments)])
    has_common = any(one.name in COMMON for one in shown)
    text = f"```\n{words}{' [OPTIONS]' if options or has_common else ''}\n```\n"
    rows = [(code(_metavar(one)), one.help, "") for one in arguments if one.help] + list(map(_option, options))
    return f"{text}\n{table(('option', 'meaning', 'default'), rows)}" if rows else text


def _option(option: Any) -> tuple[str, str, str]:
    names = ", ".join(code(name) for name in option.opts + option.secondary_opts)
    if not option.is_flag:
        names = f"{names} {code(_metavar(option))}"
    shows = option.show_default
    default = shows if isinstance(shows, str) else "" if shows is False or option.default in (None, False) else None
    return names, option.help or "", value_of(option.default) if default is None else default


def _metavar(parameter: Any) -> str:
    if parameter.metavar:
        return str(parameter.metavar)
    return "|".join(_choices(parameter)) or parameter.name.strip("_").replace("_", "-").upper()


def _choices(parameter: Any) -> list[str]:
    """Return the choices of an option; releases of typer keep them in different places."""
    declared = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    if isinstance(declared, type) and issubclass(declared, Enum):
        return [str(one.value) for one in declared]
    found = getattr(getattr(parameter, "type", None), "choices", None) or get_args(declared)
    return [one for one in found if isinstance(one, str)]


def _serve() -> str:
    parser = _parser(with_keys=False)
    rows = []
    for action in parser._actions:
        if action.dest == "help" or action.help in (None, SUPPRESS):
            continue
        meaning, _, default = str(action.help).removesuffix("]").partition(" [")
        names = ", ".join(map(code, action.option_strings)) or code(action.metavar)
        if action.option_strings and action.metavar:
            names = f"{names} {code(action.metavar)}"
        rows.append((names, f"{meaning[0].upper()}{meaning[1:]}.", value_of(default)))
    usage = "```\ntenure serve [DATA_DIR] [OPTIONS]\n```\n"
    return f"## tenure serve\n\n{parser.description}\n\n{usage}\n{table(('option', 'meaning', 'default'), rows)}"


# --- settings ---------------------------------------------------------------------------------------------------------


def _settings(keys: Iterable[ConfigKey[Any]]) -> str:
    rows = [(code(key.name), key.documentation, value_of(key.default)) for key in keys]
    return table(("key", "meaning", "default"), rows)


def broker_settings() -> str:
    return _settings(KEYS.values())


def group_settings() -> str:
    return _settings(GROUP_KEYS.values())


def client_settings() -> str:
    return _settings(BOOTSTRAP_KEYS)


def consumer_settings() -> str:
    return _settings(key for key in CONSUMER_KEYS if key not in BOOTSTRAP_KEYS)


def producer_settings() -> str:
    return _settings(key for key in PRODUCER_KEYS if key not in BOOTSTRAP_KEYS)


def run_options() -> str:
    rows = [(code(one.name), one.described.help, one.default_text) for one in RUN_OPTIONS]
    return table(("argument", "meaning", "default"), rows)


# --- limits -----------------------------------------------------------------------------------------------------------

BROKER_LIMITS: Final = {
    "REQUEST_BYTES_MAX": "Size of a Produce request (`socket.request.max.bytes`). A larger one closes its connection.",
    "REQUEST_WITHOUT_RECORDS_BYTES_MAX": "Size of any other request.",
    "REQUEST_ELEMENTS_MAX": "Elements of all arrays of a request together.",
    "TEXT_BYTES_MAX": "Size of a string in a request.",
    "BATCH_RECORDS_MAX": "Records of a record batch.",
    "BATCH_HEADERS_MAX": "Headers of all records of a record batch together.",
    "RECORD_HEADERS_MAX": "Headers of one record.",
    "BATCH_UNPACKED_BYTES_MAX": "Size of a record batch after decompression.",
    "TOPIC_NAME_CHARACTERS_MAX": "Length of a topic name.",
    "TOPIC_PARTITIONS_MAX": "Partitions of a topic, and of all topics that one request creates.",
    "INSTANCE_ID_CHARACTERS_MAX": "Length of a `group.instance.id`.",
    "OFFSETS_PER_COMMIT_MAX": "Partitions of one commit.",
    "ASKS_PER_REQUEST_MAX": "Groups that one request names.",
    "RESOURCES_DESCRIBED_MAX": "Resources whose configs one request describes.",
    "CONFIGS_PER_REQUEST_MAX": "Configs that one request changes.",
    "CONFIG_VALUE_BYTES_MAX": "Size of a config value.",
    "TOPIC_REGEX_CHARACTERS_MAX": "Length of the regular expression of a subscription.",
    "ASSIGNED_AT_ONCE_MAX": "Members and partitions of a consumer group; a larger one is assigned on a thread.",
    "CONNECTION_QUEUED_FRAMES_MAX": "Requests of a connection that wait after another one before the broker stops "
    "reading.",
    "FETCH_SESSION_PARTITIONS_MAX": "Partitions of all incremental fetch sessions together.",
    "METRICS_TOPICS_MAX": "Topics whose size is a metric: the largest ones.",
}

CLIENT_LIMITS: Final = {
    "RESPONSE_BYTES_MAX": "Size of a response that a client accepts.",
    "PREFETCH_BYTES": "Bytes that a consumer fetches ahead of `poll` (`tenure.prefetch.max.bytes`).",
    "PRODUCER_BUFFER_BYTES": "Bytes of unwritten records of a producer (`buffer.memory`).",
    "LINE_BYTES_MAX": "Size of a line that `tenure produce` reads.",
}

PIPELINE_LIMITS: Final = {
    "RUNNING_RECORDS": "Records in the running batches of a member (`max_records`).",
    "RUNNING_BYTES": "Bytes of these records, uncompressed (`max_bytes`).",
    "TARGET_BATCH_TIME_S": "Seconds that a batch should take (`target_batch_time_s`).",
    "RUNNING_BATCHES": "Batches that a member runs at the same time (`tasks`).",
    "STATE_DELTAS_MAX": "Deltas of a lane before a new base is written.",
    "STATE_CACHE_BYTES_MAX": "Size of unused copies of state files on a host.",
    "BAD_RECORDS_PER_BATCH_MAX": "Bad records per lane and batch that are skipped or sent to the dead-letter topic.",
    "OUTPUT_PARTITIONS_PER_BATCH_MAX": "Directories that one batch of a lane writes to, with `partition_by`.",
    "WINDOWS_PER_ROW_MAX": "Sliding windows that contain the same row.",
    "FAILURES_IN_A_ROW_MAX": "Failures of a lane, or refused commits, in a row before the pipeline stops.",
    "STOP_GRACE_S": "Seconds in which running batches may end after a stop.",
    "LANE_TRANSACTION_TIMEOUT_MS": "Milliseconds after which a broker aborts the transaction of a lane.",
    "POINTER_RECOMMIT_S": "Seconds after which the offset of an idle lane is committed again.",
}


def _limits(of: Mapping[str, str]) -> str:
    modules = [import_module(f"tenure.limits.{one.name}") for one in iter_modules(limits.__path__)]
    values = {name: value for module in modules for name, value in vars(module).items()}
    rows = [(meaning, _number(values[name]), code(name)) for name, meaning in of.items()]
    return table(("limit", "value", "constant"), rows)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


# --- errors -----------------------------------------------------------------------------------------------------------


def exceptions() -> str:
    found = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.ClientError)]
    rows = [(code(one.__name__), " ".join(str(one.__doc__).split()), code(one.__base__.__name__)) for one in found]
    return table(("exception", "meaning", "base class"), rows)


# --- decisions --------------------------------------------------------------------------------------------------------


def decisions() -> str:
    titles = {
        path.name: path.read_text("utf-8").partition("\n")[0] for path in sorted((DOCS / "decisions").glob("[0-9]*.md"))
    }
    return "".join(
        f"{number}. [{title.removeprefix(f'# {number}. ')}]({name})\n"
        for number, (name, title) in enumerate(titles.items(), 1)
    )


# --- tables of an audit -----------------------------------------------------------------------------------------------


SPARK_TYPES: Final = {
    "bool": "boolean",
    "int16": "smallint",
    "int32": "int",
    "int64": "bigint",
    "string": "string",
    "list<item: string>": "array<string>",
    "timestamp[ms, tz=UTC]": "timestamp",
}
"""Spark's names of Arrow's types."""


def audit_tables() -> str:
    return "\n".join(
        f"**`{one.name}`** {one.meaning}\n\n"
        + table(
            ("column", "type", "meaning"),
            [(code(column.name), SPARK_TYPES[str(column.type)], column.meaning) for column in one.columns],
        )
        for one in TABLES
    )


# --- pages ------------------------------------------------------------------------------------------------------------

PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "commands": commands,
    "broker_settings": broker_settings,
    "group_settings": group_settings,
    "client_settings": client_settings,
    "consumer_settings": consumer_settings,
    "producer_settings": producer_settings,
    "run_options": run_options,
    "broker_limits": lambda: _limits(BROKER_LIMITS),
    "client_limits": lambda: _limits(CLIENT_LIMITS),
    "audit_tables": audit_tables,
    "pipeline_limits": lambda: _limits(PIPELINE_LIMITS),
    "exceptions": exceptions,
    "decisions": decisions,
}

PAGES: Final = ("command-line.md", "settings.md", "limits.md", "client-errors.md", "audit.md", "decisions/README.md")


def current(page: str) -> str:
    """Return the text of a page with its generated parts generated again."""
    text = (DOCS / page).read_text("utf-8")
    return PART.sub(lambda found: f"{found[1]}{found[2]}\n{PARTS[found[1]]()}\n", text)


def main() -> None:
    for page in PAGES:
        (DOCS / page).write_text(current(page), "utf-8")


if __name__ == "__main__":
    main()
