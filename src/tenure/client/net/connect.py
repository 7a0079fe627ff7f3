"""Connections to brokers: TCP, TLS, authentication, and negotiation of API versions."""

import asyncio
import ssl

from tenure.client.errors import BrokerUnreachable, RequestTimedOut
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.connection import BrokerConnection, Disconnected
from tenure.client.net.sasl import authenticate
from tenure.client.net.security import PLAINTEXT, Security
from tenure.client.net.tls import handshake_failed


async def connect(
    address: BrokerAddress, client_id: str, timeout_ms: int, security: Security = PLAINTEXT
) -> BrokerConnection:
    """Open a connection, authenticate, and negotiate API versions.

    Raises:
        BrokerUnreachable: No connection within `timeout_ms`, or the peer does not use Kafka's protocol.
        AuthenticationFailed: TLS or SASL failed.
    """
    loop = asyncio.get_running_loop()
    context = security.ssl_context()
    server_hostname = None if context is None else address.host
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            _, connection = await loop.create_connection(
                lambda: BrokerConnection(address, client_id), *address, ssl=context, server_hostname=server_hostname
            )
    except TimeoutError:
        raise BrokerUnreachable(f"{address}: no connection within {timeout_ms / 1000:g} s") from None
    except ssl.SSLError as error:
        raise handshake_failed(address, error) from None
    except OSError as error:
        raise BrokerUnreachable(f"{address}: {_cause(error)}") from None
    try:
        await connection.negotiate(timeout_ms)
        if security.is_authenticated:
            session_ms = await authenticate(connection, security, timeout_ms)
            if session_ms > 0:
                connection.retire_in(session_ms)
    except (Disconnected, RequestTimedOut):
        connection.close()
        raise BrokerUnreachable(
            f"{address}: the peer does not answer like a Kafka broker ({connection.closed_because}); check the port, "
            "and whether the listener expects TLS"
        ) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _cause(error: OSError) -> str:
    """Return the text of the error number, because asyncio's own message is longer and lists all addresses."""
    if isinstance(error, ConnectionRefusedError):
        return "connection refused"
    return (error.strerror or str(error) or "connection lost during the handshake").lower()
