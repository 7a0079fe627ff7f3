"""Options that select the cluster and the credentials of a command: `--bootstrap-servers`, `--command-config`.

The file of `--command-config` is a properties file, as for Kafka's own tools, with the keys of `Consumer` for TLS and
SASL. Values have no escapes. Messages never quote a value, because it may be a password.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from tenure.client.configuration import ConfigurationError
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS

DEFAULT_BOOTSTRAP_SERVERS: Final = "127.0.0.1:9092"

BootstrapServers: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--bootstrap-servers",
        "-b",
        envvar="TENURE_BOOTSTRAP_SERVERS",
        metavar="HOST:PORT,...",
        help="Any Kafka broker.",
        show_default=DEFAULT_BOOTSTRAP_SERVERS,
    ),
]
CommandConfig: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--command-config",
        envvar="TENURE_COMMAND_CONFIG",
        metavar="FILE",
        help="Lines KEY=VALUE for TLS and SASL, such as security.protocol=SSL.",
    ),
]


def cluster_at(bootstrap_servers: str | None, command_config: Path | None) -> dict[str, str]:
    """Return Kafka's configuration keys, always with `bootstrap.servers`.

    Raises:
        ConfigurationError: The file cannot be read.
    """
    config = {} if command_config is None else dict(_properties(command_config))
    return config | {BOOTSTRAP_SERVERS: bootstrap_servers or config.get(BOOTSTRAP_SERVERS) or DEFAULT_BOOTSTRAP_SERVERS}


def address_of(config: Mapping[str, str]) -> str:
    return config[BOOTSTRAP_SERVERS]


def _properties(file: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigurationError(f"File {file} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"File {file} cannot be read: it is not UTF-8 text") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith(("#", "!")):
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip():
            raise ConfigurationError(f"File {file}, line {number}, is not a setting: write it as KEY=VALUE")
        yield key.strip(), value.strip()
