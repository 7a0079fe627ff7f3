"""`tenure serve`: start, signals, stop and exit status."""

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from tenure.broker.broker import Broker
from tenure.broker.config import keys
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.config.listeners import SHORT_FORMS, BrokerListener, configured_listeners
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.loop.clock import LoopClock
from tenure.broker.process.allocator import configure_allocator
from tenure.broker.process.broker_sockets import BrokerSockets, bind_sockets, inherit_sockets
from tenure.broker.process.forced_start import begin_forced_start, complete_forced_start
from tenure.broker.process.kafka_directory import check_kafka_directory
from tenure.broker.process.line_formatter import LineFormatter
from tenure.broker.process.log_limiter import LogLimiter
from tenure.broker.process.restart import Restart
from tenure.broker.requests.context import Context
from tenure.broker.security.monitoring_security import MonitoringSecurity
from tenure.broker.security.security import ListenerSecurity, refuse_open_listener, security_by_listener
from tenure.broker.server.server import Server
from tenure.out_of_memory import is_out_of_memory
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import LogDamaged, StorageError
from tenure.storage.files import LocalDataFiles
from tenure.storage.recovery.inventory_check import DataMissing

if TYPE_CHECKING:
    from tenure.broker.monitoring.monitor import Monitor

log = logging.getLogger("tenure.broker")

GC_ALLOCATIONS: Final = 20_000
"""Allocations between two collections of the youngest generation: a few hundred requests.

Python's default is reached after about ten requests.
"""
GC_YOUNG: Final = 4
"""Collections of the youngest generation between two of the middle one.

A large request creates 100,000 objects, and scanning that many takes about ten milliseconds.
"""
GC_MIDDLE: Final = 1_000
"""Collections of the middle generation between two full collections. A full collection takes 0.3 s with 200,000 groups,
and finds little, because requests create no cycles (tests/broker/server/test_cycles.py).
"""


def serve(
    *,
    data_directory: Path | None = None,
    listen: str | None = None,
    memory: bool = False,
    file: Path | None = None,
    flags: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
    tls: str | None = None,
    users: str | None = None,
    insecure: bool = False,
    force: bool = False,
    metrics: str | None = None,
    metrics_tls: str | None = None,
    metrics_token_file: str | None = None,
    inherited_sockets: Sequence[int] = (),
) -> int:
    """Serve until SIGTERM or SIGINT, and return the exit status. Raises StartError.

    The arguments are the options of `tenure serve`, and the environment variables. `inherited_sockets` are file
    descriptors from the same process before it ran out of memory and restarted (`Restart`).
    """
    configure_allocator()
    log_limiter = _log_to_stderr()
    flags = [*flags, *_flags_of(memory, tls, users, metrics_tls, metrics_token_file)]
    _allow_many_files()
    settings, warnings = load_settings(file=file, environment=environment, flags=flags)
    for warning in warnings:
        log.warning("configuration: %s", warning)
    if data_directory is not None:
        settings.set_explicitly(keys.LOG_DIRS, str(data_directory), "DATA_DIR")
    listeners = configured_listeners(settings, listen, SHORT_FORMS[bool(tls), bool(users)])
    security = security_by_listener(settings, listeners)
    monitoring_security = MonitoringSecurity(settings)
    for listener in listeners:
        refuse_open_listener(listener, settings.of_listener(listener.name), insecure=insecure)
    if inherited_sockets:
        sockets = inherit_sockets(inherited_sockets, listeners)
    else:
        sockets = bind_sockets(listeners, metrics, settings, insecure=insecure or monitoring_security.protects_metrics)
    settings.set_explicitly(keys.LISTENERS, ",".join(str(listener) for _, listener in sockets.listening), "--listen")
    directory = _open_directory(memory, Path(settings[keys.LOG_DIRS]), settings[keys.NODE_ID], force=force)
    restart = Restart(sockets.descriptors, keeps_data=not memory)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        try:
            return runner.run(_serve(settings, sockets, security, monitoring_security, directory, log_limiter, restart))
        except Exception as error:
            restart.restart_if_out_of_memory(error)
            raise


def _flags_of(
    memory: bool, tls: str | None, users: str | None, metrics_tls: str | None, metrics_token_file: str | None
) -> Iterator[str]:
    """Yield the settings that the short options of `tenure serve` stand for, as KEY=VALUE."""
    if memory:
        yield from ("tenure.data.durability=memory", "tenure.coordinator.durability=memory")
    files = {
        keys.SSL_KEYSTORE_LOCATION.name: tls,
        keys.USERS_FILE.name: users,
        keys.METRICS_TLS.name: metrics_tls,
        keys.METRICS_TOKEN_FILE.name: metrics_token_file,
    }
    yield from (f"{name}={file}" for name, file in files.items() if file)


class _ErrorStream(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Report why a log line could not be written. If memory has run out, do nothing: the report would fail, too."""
        if not is_out_of_memory(sys.exc_info()[1]):
            super().handleError(record)


def _log_to_stderr() -> LogLimiter:
    handler = _ErrorStream(sys.stderr)
    handler.setFormatter(LineFormatter())
    limiter = LogLimiter()
    handler.addFilter(limiter)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    return limiter


def _allow_many_files() -> None:
    """Raise the limit on open files, which is often 1,024: each log and each connection needs a file descriptor."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _open_directory(memory: bool, path: Path, node_id: int, *, force: bool) -> DataDirectory:
    location = str(path.absolute())
    unsupported = None if memory else check_kafka_directory(LocalDataFiles(), location, node_id, force=force)
    if unsupported is not None:
        log.warning(
            "--force sets aside objects of Apache Kafka, because Tenure cannot serve them: %s",
            "; ".join(unsupported.named),
        )
        begin_forced_start(LocalDataFiles(), location)
    try:
        directory = DataDirectory.in_memory() if memory else DataDirectory.open(str(path), node_id=node_id)
        if unsupported is not None:
            complete_forced_start(directory, unsupported.changes)
    except DataMissing as error:
        for finding in error.findings:
            log.error("data is missing: %s", finding)
        if error.inventory_damage is not None:
            log.error("inventory of the data directory is damaged: %s", error.inventory_damage)
        raise StartError(str(error)) from None
    except StorageError as error:
        raise StartError(str(error)) from None
    if directory.inventory_damage is not None:
        log.error("inventory of the data directory is damaged: %s", directory.inventory_damage)
    return directory


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's factory if uvloop is installed; it is 1 to 20 % faster than asyncio's loop."""
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    except ImportError:
        return None
    return factory


async def _serve(
    settings: Settings,
    sockets: BrokerSockets,
    security: Mapping[str, ListenerSecurity],
    monitoring_security: MonitoringSecurity,
    directory: DataDirectory,
    log_limiter: LogLimiter,
    restart: Restart,
) -> int:
    loop = asyncio.get_running_loop()
    stopping = _stop_at_signals(loop)
    try:
        clock = LoopClock(loop)
        clock.watch_suspensions()
        broker = _broker(settings, directory, sockets.listening[0][1].client_address, loop, clock)
        server = Server(broker)
        monitor = await _monitored(broker.context, server, directory, sockets.monitoring, monitoring_security)
        await broker.start()
    except StorageError as error:
        raise StartError(str(error)) from error
    for at, listener in sockets.listening:
        await server.start(at, listener, security[listener.name])
    if monitor is not None:
        monitor.mark_serving()
    _settle_memory()
    log_limiter.start(loop)
    if restart.has_restarted:
        log.warning("broker has restarted after a lack of memory and is ready at %s", _addresses(sockets.listening))
    else:
        print(f"tenure: ready at {_addresses(sockets.listening)}", flush=True)
    restart.watch(loop)
    await stopping.wait()

    restart.disable()
    log_limiter.stop()
    return await _stop(server, monitor, broker, directory)


async def _stop(server: Server, monitor: "Monitor | None", broker: Broker, directory: DataDirectory) -> int:
    """Stop server and broker, and return the exit status: 1 if the next start has to recover the logs."""
    log.info("broker is stopping")
    if monitor is not None:
        monitor.mark_stopping()
    await server.stop()
    if monitor is not None:
        monitor.close()
    clean = broker.close()
    directory.close(clean=clean)
    log.info("broker stopped" if clean else "broker stopped, but not cleanly: the next start recovers the logs")
    return 0 if clean else 1


def _broker(
    settings: Settings, directory: DataDirectory, address: Address, loop: asyncio.AbstractEventLoop, clock: LoopClock
) -> Broker:
    """Create the broker. Raises the errors of `storage`.

    If the metadata log is damaged, close the directory without changes, so that a mark of a clean stop stays in place.
    """
    try:
        return Broker(Context(settings, directory, address, loop, clock))
    except LogDamaged:
        directory.close(clean=directory.was_clean)
        raise


async def _monitored(
    context: Context,
    server: Server,
    directory: DataDirectory,
    metrics_socket: socket.socket | None,
    security: MonitoringSecurity,
) -> "Monitor | None":
    """Start the monitoring pages on a bound socket; do nothing, and return None, if `metrics_socket` is None.

    The pages start before the logs are loaded, because readiness reports the progress of loading.
    """
    if metrics_socket is None:
        return None
    from tenure.broker.monitoring.monitor import Monitor

    monitor = Monitor(context, server, directory, security)
    await monitor.start(metrics_socket)
    return monitor


def _stop_at_signals(loop: asyncio.AbstractEventLoop) -> asyncio.Event:
    """Return an event that the first SIGTERM or SIGINT sets. The second signal ends the process at once."""
    stopping = asyncio.Event()

    def stop(number: int) -> None:
        if stopping.is_set():
            os._exit(128 + number)
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    return stopping


def _addresses(listening: Sequence[tuple[socket.socket, BrokerListener]]) -> str:
    """Return the address of the only listener, or the names and addresses of several listeners."""
    if len(listening) == 1:
        return str(listening[0][1].address)
    return ",".join(f"{listener.name}://{listener.address}" for _, listener in listening)


def _settle_memory() -> None:
    """Exclude loaded objects from garbage collection: they stay in memory, and requests create no reference cycles."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(GC_ALLOCATIONS, GC_YOUNG, GC_MIDDLE)
