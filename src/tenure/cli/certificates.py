"""`tenure certificates`: a development CA, and certificates of a broker and its clients."""

from pathlib import Path
from typing import Annotated

import typer

from tenure.cli.output import Misuse, print_result
from tenure.development_certificates import BROKER, CA, LOOPBACK_HOSTS, write_certificates


def certificates(
    directory: Annotated[
        Path, typer.Argument(metavar="DIRECTORY", help="Directory of the files, created if it does not exist.")
    ],
    host: Annotated[
        list[str] | None,
        typer.Option(help="Name or IP address of the broker; may be repeated (default: localhost, 127.0.0.1 and ::1)."),
    ] = None,
    client: Annotated[list[str] | None, typer.Option(help="Client that gets a certificate; may be repeated.")] = None,
    days: Annotated[int, typer.Option(min=1, max=3650, help="Validity in days.")] = 365,
) -> None:
    """Create a certificate authority for development, and certificates that it signs.

    Writes ca.pem and ca-key.pem if there are none, then broker.pem and broker-key.pem, and two files for each client.
    Keys are not encrypted; only you can read them. Do not use this authority in production.
    """
    if {CA, BROKER} & set(client or ()) or any("/" in name or not name.strip() for name in client or ()):
        raise Misuse(
            f"Invalid client name in {', '.join(client or ())}: it must not contain '/', and not be {CA} or {BROKER}"
        )
    try:
        write_certificates(directory, dict.fromkeys(client or ()), host or LOOPBACK_HOSTS, days)
    except OSError as error:
        raise ValueError(f"Certificates cannot be written to {directory}: {error.strerror}.") from None
    print_result(f"broker: tenure serve --tls {directory / 'broker.pem'},{directory / 'broker-key.pem'}")
    print_result(f"clients: security.protocol=SSL, ssl.ca.location={directory / 'ca.pem'}")
