"""Where settings come from: flag over environment over file, each value with its origin.

A key that we act on is read and checked. A key that Apache Kafka 4.3 knows and we do not act on is accepted with one
warning line, so that an existing configuration starts. A key that nobody knows is refused: it is a slip of the pen, and
silence would make the default look like the user's choice.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tenure.broker.keys import KEYS, Settings
from tenure.broker.start_error import StartError

ENVIRONMENT_PREFIX = "TENURE_"
KAFKA_KEYS = Path(__file__).with_name("kafka_keys.tsv")


def load_settings(
    *, file: Path | None = None, environment: Mapping[str, str] | None = None, flags: Iterable[str] = ()
) -> tuple[Settings, list[str]]:
    """The settings in force, and one warning line for each key that has no effect yet.

    `flags` are the `KEY=VALUE` texts of `--set`. Raises StartError for what cannot be read or is unknown.
    """
    written: dict[str, tuple[str, str]] = {}
    if file is not None:
        written |= {key: (value, str(file)) for key, value in _file_entries(file)}
    written |= {key: (value, f"environment variable {name}") for name, key, value in _environment(environment or {})}
    written |= {key: (value, f"--set {key}") for key, value in map(_flag_entry, flags)}

    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    warnings: list[str] = []
    for name, (text, origin) in written.items():
        if (key := KEYS.get(name)) is None:
            warnings.append(_without_effect(name, origin))
            continue
        try:
            values[name] = key.read(text)
        except (ValueError, KeyError):
            raise StartError(f"{name} = {text!r} ({origin}) is not {key.wants}: correct it, or leave it out") from None
        origins[name] = origin
    return Settings(values, origins), warnings


def _without_effect(name: str, origin: str) -> str:
    kafka_keys = [line.split("\t", 1)[0] for line in KAFKA_KEYS.read_text("utf-8").splitlines() if line[:1] != "#"]
    if name in kafka_keys:
        return f"{name} ({origin}) has no effect: Kafka knows it, Tenure does not act on it yet"
    from difflib import get_close_matches  # the only start that pays for it is one that fails

    near = get_close_matches(name, [*KEYS, *kafka_keys], n=1)
    remedy = f"did you mean {near[0]}?" if near else "`tenure serve --help` lists the keys"
    raise StartError(f"nobody knows a setting {name} ({origin}): {remedy}")


def _flag_entry(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise StartError(f"--set {text} names no value: write --set {key}=VALUE")
    return key.strip(), value.strip()


def _environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(variable, key, value) of every variable that names a key of ours; others may have other uses."""
    for key in KEYS:
        name = ENVIRONMENT_PREFIX + key.removeprefix("tenure.").upper().replace(".", "_")
        if name in environment:
            yield name, key, environment[name]


def _file_entries(file: Path) -> Iterator[tuple[str, str]]:
    import tomllib  # not on the way of a start without a file

    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise StartError(
            f"cannot read the configuration {file}: {error.strerror}; name another with --config"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StartError(f"{file} is no TOML: {error}") from None
    yield from _flattened("", tables)


def _flattened(prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """TOML reads `num.partitions = 3` as a table within a table: Kafka's dotted names again."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flattened(f"{prefix}{name}.", value)
        elif isinstance(value, bool):
            yield prefix + name, "true" if value else "false"
        elif isinstance(value, list):
            yield prefix + name, ",".join(map(str, value))
        else:
            yield prefix + name, str(value)
