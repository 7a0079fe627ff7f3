"""Settings of the broker. Command-line flags override environment variables, which override the file.

A key of `keys.py` is checked and used. Any other key of Apache Kafka 4.4 is accepted with one warning, so that an
existing configuration file works; but a key that would enable a security feature is refused (`security_keys.py`). An
unknown key is refused: it is probably misspelt, and the broker would silently use the default instead.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tenure.broker.config.kafka_keys import kafka_keys
from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.broker.config.keys import ALLOW_EVERYONE_IF_NO_ACL_FOUND, AUTHORIZER_CLASS_NAME, KEYS, SUPER_USERS
from tenure.broker.config.listener_keys import key_of
from tenure.broker.config.security_keys import security_asked_for
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.config_keys import ConfigKey, InvalidValue, parse_value, unknown_name

ENVIRONMENT_PREFIX = "TENURE_"


class WrittenSetting(NamedTuple):
    """Value of a key as the user wrote it, and the place where the user wrote it."""

    text: str
    origin: str
    """Place where the user wrote the value (flag, variable or file), for messages."""


def load_settings(
    *, file: Path | None = None, environment: Mapping[str, str] | None = None, flags: Iterable[str] = ()
) -> tuple[Settings, list[str]]:
    """Return the settings, and one warning for each key that has no effect.

    `environment` are all environment variables, and `flags` the `KEY=VALUE` texts of `--set`. Raises StartError for a
    file that cannot be read, and for a setting that is unknown, invalid, or would enable a security feature that Tenure
    does not have.
    """
    written = written_settings(file=file, environment=environment, flags=flags)
    _refuse_missing_security(written)
    known = {name: key for name in written if (key := key_of(name)) is not None}
    values = {name: _value(key, name, *written[name]) for name, key in known.items()}
    origins = {name: written[name].origin for name in values}
    warnings = [_without_effect(name, entry.origin) for name, entry in written.items() if name not in values]
    settings = Settings(values, origins)
    _refuse_settings_without_authorizer(settings)
    return settings, warnings


def written_settings(
    *, file: Path | None = None, environment: Mapping[str, str] | None = None, flags: Iterable[str] = ()
) -> dict[str, WrittenSetting]:
    """Return all settings of the user by key, as written, without checks.

    The arguments are those of `load_settings`. Raises StartError for an unreadable file or an invalid flag.
    """
    written: dict[str, WrittenSetting] = {}
    if file is not None:
        written |= {key: WrittenSetting(value, str(file)) for key, value in _file_entries(file)}
    for variable, key, value in _environment(environment or {}):
        written[key] = WrittenSetting(value, f"environment variable {variable}")
    return written | {key: WrittenSetting(value, f"--set {key}") for key, value in map(_flag_entry, flags)}


def _value(key: ConfigKey[Any], name: str, text: str, origin: str) -> object:
    try:
        return parse_value(key._replace(name=name), text, origin=origin)
    except InvalidValue as error:
        raise StartError(str(error)) from None


def _refuse_missing_security(written: Mapping[str, WrittenSetting]) -> None:
    for name, (text, origin) in written.items():
        if key_of(name) is None and (security := security_asked_for(name, text)) is not None:
            raise StartError(
                f"setting {name} ({origin}) asks for {security}, which Tenure does not have: "
                "remove it, and let only trusted machines reach the broker"
            )


def _refuse_settings_without_authorizer(settings: Settings) -> None:
    """Raise StartError if settings that only an authorizer uses are set, but no authorizer is configured."""
    if settings[AUTHORIZER_CLASS_NAME]:
        return
    kept_out = {SUPER_USERS.name: bool(settings[SUPER_USERS])}
    kept_out[ALLOW_EVERYONE_IF_NO_ACL_FOUND.name] = not settings[ALLOW_EVERYONE_IF_NO_ACL_FOUND]
    for name, keeps_out in kept_out.items():
        if keeps_out and name in settings.origins:
            raise StartError(
                f"setting {name} ({settings.origins[name]}) protects nothing without an authorizer: "
                f"set {AUTHORIZER_CLASS_NAME.name}={STANDARD_AUTHORIZER}, or remove it"
            )


def _without_effect(name: str, origin: str) -> str:
    """Return the warning for a setting that Tenure does not use, but Apache Kafka does.

    `origin` is the place where the user wrote it. Raises StartError if Kafka does not have a key of this name either.
    """
    of_kafka = [key.name for key in kafka_keys()]
    if name in of_kafka:
        return f"setting {name} ({origin}) has no effect: it is a setting of Kafka that Tenure does not use"
    known, remedy = [*KEYS, *of_kafka], "`tenure serve --help` lists the keys"
    raise StartError(unknown_name("setting", name, known, origin=origin, otherwise=remedy))


def _flag_entry(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise StartError(f"--set {text!r} has no value: write --set {key}=VALUE")
    return key.strip(), value.strip()


def _environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield (variable, key, value) for each variable that names a key of Tenure or a security feature of Kafka.

    All other variables that begin with ENVIRONMENT_PREFIX are ignored, because they may belong to other programs.
    """
    for key in KEYS:
        variable = ENVIRONMENT_PREFIX + key.removeprefix("tenure.").upper().replace(".", "_")
        if variable in environment:
            yield variable, key, environment[variable]
    for variable, value in environment.items():
        key = variable.removeprefix(ENVIRONMENT_PREFIX).lower().replace("_", ".")
        if variable.startswith(ENVIRONMENT_PREFIX) and security_asked_for(key, value) is not None:
            yield variable, key, value


def _file_entries(file: Path) -> Iterator[tuple[str, str]]:
    import tomllib  # imported only if there is a file, so that other starts are faster

    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise StartError(
            f"cannot read the configuration file {file}: {error.strerror}; name another file with --config"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StartError(f"configuration file {file} is not TOML: {error}; correct it") from None
    yield from _flattened("", tables)


def _flattened(prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield (key with dots, value as text) for each value in a TOML table and in its nested tables.

    TOML parses `num.partitions = 3` as a table `num` with the key `partitions`. `prefix` is the name of the table with
    a dot at the end, or "".
    """
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flattened(f"{prefix}{name}.", value)
        elif isinstance(value, bool):
            yield prefix + name, "true" if value else "false"
        elif isinstance(value, list):
            yield prefix + name, ",".join(map(str, value))
        else:
            yield prefix + name, str(value)
