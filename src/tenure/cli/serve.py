"""Command `tenure serve`. It uses argparse, because loading typer and rich takes longer than the rest of the start."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final

from tenure.exit_status import ExitStatus
from tenure.out_of_memory import is_out_of_memory

WEB_ADDRESS: Final = "127.0.0.1:8420"

EPILOG = """\
settings are Kafka's own broker keys:
{keys}

A setting is taken from --set, else from the environment (TENURE_NUM_PARTITIONS for num.partitions), else
from the TOML file of --config. A key that Kafka 4.3 knows and Tenure does not use is accepted with a warning.
A key that asks for security that Tenure does not have is refused. So is an unknown key.

With --tls and --users, an address without a listener name (--listen HOST:PORT) has TLS and SASL.

examples:
  tenure serve                                       data in ./tenure-data, at 127.0.0.1:9092
  tenure serve /var/lib/tenure --set num.partitions=8
  tenure serve --memory --listen 127.0.0.1:0         nothing on disk, any free port: for tests
  tenure serve --web                                 with a dashboard at http://127.0.0.1:8420/
  tenure serve --listen 0.0.0.0:9093 --tls cert.pem,key.pem --users users.txt

The line `tenure: ready at HOST:PORT` on standard output means that requests are answered; logs go to standard
error. SIGTERM or Ctrl-C stop the broker cleanly, a second one stops it at once.
"""


OUT_OF_MEMORY: Final = (
    "tenure: there is not enough memory for the broker: raise the limit of the process (ulimit -v) or of its container"
)


def main(arguments: Sequence[str]) -> int:
    options = _parser(with_keys=not {"-h", "--help"}.isdisjoint(arguments)).parse_args(arguments)
    gc.disable()  # modules are no garbage; the broker enables the collector once it is ready
    try:
        with _dashboard(options):
            return _serve(options)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        print(OUT_OF_MEMORY, file=sys.stderr)
        return ExitStatus.FAILED


def _dashboard(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Return the dashboard of `--web`. It runs in its own process, so that it does not delay the broker."""
    if options.web is None:
        return nullcontext()
    from tenure.cli.serve_web import dashboard

    return dashboard(options)


def _serve(options: argparse.Namespace) -> int:
    if options.metrics_tls is None:
        _import_asyncio_without_ssl()
    from tenure.broker import StartError, printable, serve

    try:
        return serve(
            data_directory=options.data_dir,
            listen=options.listen,
            memory=options.memory,
            file=options.config,
            flags=options.set,
            environment=os.environ,
            tls=options.tls,
            users=options.users,
            insecure=options.insecure,
            force=options.force,
            metrics=options.metrics,
            metrics_tls=options.metrics_tls,
            metrics_token_file=options.metrics_token_file,
            inherited_sockets=[int(descriptor) for descriptor in options.inherited_sockets.split(",") if descriptor],
        )
    except StartError as error:
        print(f"tenure: {printable(str(error))}", file=sys.stderr)
        return ExitStatus.FAILED


def _import_asyncio_without_ssl() -> None:
    """Import asyncio without the module `ssl`, because OpenSSL takes 4 MB of memory.

    asyncio needs `ssl` only for the TLS of its streams. Only the monitoring pages use these streams; the listeners have
    their own TLS (decision 19).
    """
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]  # makes an import fail
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules["ssl"]


def _parser(*, with_keys: bool) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tenure serve",
        description="Start a broker that Kafka's clients can use: topics, consumer groups, static members.",
        epilog=EPILOG.format(keys=_keys_help()) if with_keys else None,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=110),
    )
    parser.add_argument("data_dir", metavar="DATA_DIR", nargs="?", type=Path, help="data directory [tenure-data]")
    parser.add_argument(
        "--listen", metavar="HOST:PORT", help="address to listen at; port 0 picks a free port [127.0.0.1:9092]"
    )
    parser.add_argument("--metrics", metavar="HOST:PORT", help="address of /metrics (Prometheus), /healthz and /readyz")
    parser.add_argument("--metrics-tls", metavar="CERTIFICATE,KEY", help="PEM files for TLS of the metrics pages")
    parser.add_argument(
        "--metrics-token-file", metavar="FILE", help="file with the bearer token that /metrics requires"
    )
    parser.add_argument(
        "--web", metavar="HOST:PORT", nargs="?", const=WEB_ADDRESS, help=f"also serve a dashboard [{WEB_ADDRESS}]"
    )
    parser.add_argument("--memory", action="store_true", help="data in memory only, nothing on disk")
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings as TOML file")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="one setting (repeatable)")
    parser.add_argument(
        "--tls", metavar="CERTIFICATE,KEY", help="PEM files for TLS; same as --set ssl.keystore.location=..."
    )
    parser.add_argument(
        "--users",
        metavar="FILE",
        help="users that may log in, one NAME=PASSWORD a line; same as --set tenure.users.file=...",
    )
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="allow addresses that other machines reach, even without TLS and authentication",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="set aside what Apache Kafka left in DATA_DIR and Tenure cannot serve; deletes nothing",
    )
    parser.add_argument("--inherited-sockets", default="", help=argparse.SUPPRESS)
    return parser


def _keys_help() -> str:
    from tenure.broker.config.keys import KEYS

    lines = []
    for key in KEYS.values():
        default = f" [{key.default_text}]" if key.default_text else ""
        lines.append(f"  {key.name:<40} {key.documentation}{default}")
    return "\n".join(lines)
