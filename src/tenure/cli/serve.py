"""`tenure serve`: argparse, because typer and rich would cost more than the rest of the start."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

EPILOG = """\
settings are Kafka's own broker keys:
{keys}

A setting is taken from --set, else from the environment (TENURE_NUM_PARTITIONS for num.partitions), else
from the TOML file of --config. A key that Kafka 4.3 knows and Tenure does not act on yet is accepted with a
warning; a key that nobody knows is refused.

examples:
  tenure serve                                       data in ./tenure-data, at 127.0.0.1:9092
  tenure serve /var/lib/tenure --set num.partitions=8
  tenure serve --memory --listen 127.0.0.1:0         nothing on disk, any free port: for tests

The line `tenure: ready at HOST:PORT` on standard output says that requests are answered; logs go to standard
error. SIGTERM or Ctrl-C stop it cleanly, a second one at once.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser(with_keys=not {"-h", "--help"}.isdisjoint(arguments)).parse_args(arguments)
    gc.disable()  # nothing of what is loaded now is garbage; the broker goes on with it once it is ready
    from tenure.broker import StartError, serve

    try:
        return serve(
            data_directory=options.data_dir,
            listen=options.listen,
            memory=options.memory,
            file=options.config,
            flags=options.set,
            environment=os.environ,
            insecure=options.insecure,
            metrics=options.metrics,
        )
    except StartError as error:
        print(f"tenure: {error}", file=sys.stderr)
        return 1


def _parser(*, with_keys: bool) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tenure serve",
        description="Start a broker that Kafka's clients can use: topics, consumer groups, static members.",
        epilog=EPILOG.format(keys=_keys_help()) if with_keys else None,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=110),
    )
    parser.add_argument(
        "data_dir", metavar="DATA_DIR", nargs="?", type=Path, help="where the logs are kept (default: tenure-data)"
    )
    parser.add_argument("--listen", metavar="HOST:PORT", help="default 127.0.0.1:9092; port 0 picks a free one")
    parser.add_argument(
        "--metrics", metavar="HOST:PORT", help="answer /metrics (Prometheus), /healthz and /readyz here"
    )
    parser.add_argument("--memory", action="store_true", help="keep everything in memory, nothing on disk")
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings as TOML")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="one setting; may be given several times"
    )
    parser.add_argument(
        "--insecure", action="store_true", help="listen at an address that others reach, with no authentication"
    )
    return parser


def _keys_help() -> str:
    from tenure.broker.keys import KEYS

    lines = []
    for key in KEYS.values():
        default = str(key.default).lower() if isinstance(key.default, bool) else key.default
        lines.append(f"  {key.name:<40} {key.help}" + (f" [{default}]" if default not in (None, "") else ""))
    return "\n".join(lines)
