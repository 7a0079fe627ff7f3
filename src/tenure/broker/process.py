"""`tenure serve`, from its settings to its exit status."""

import asyncio
import errno
import gc
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tenure.broker import keys
from tenure.broker.broker import Broker
from tenure.broker.configuration import load_settings
from tenure.broker.keys import Settings
from tenure.broker.line_formatter import LineFormatter
from tenure.broker.listener import Address, parse_listener, refuse_open_address
from tenure.broker.server import Server
from tenure.broker.start_error import StartError
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import DirectoryInUse, DirectoryUnusable, StorageError

if TYPE_CHECKING:
    from tenure.broker.monitoring.monitor import Monitor

log = logging.getLogger("tenure.broker")

GC_ALLOCATIONS: Final = 20_000
"""Between two collections of young objects: a few hundred requests, instead of Python's ten."""


def serve(
    *,
    data_directory: Path | None = None,
    listen: str | None = None,
    memory: bool = False,
    file: Path | None = None,
    flags: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
    insecure: bool = False,
    metrics: str | None = None,
) -> int:
    """Serves until SIGTERM or SIGINT; returns the exit status. Raises StartError with cause and remedy."""
    on_stderr = logging.StreamHandler(sys.stderr)
    on_stderr.setFormatter(LineFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[on_stderr])
    if memory:
        flags = [*flags, "tenure.data.durability=memory", "tenure.coordinator.durability=memory"]
    _allow_many_files()
    settings, warnings = load_settings(file=file, environment=environment, flags=flags)
    for warning in warnings:
        log.warning(warning)
    listener = parse_listener(listen, of="--listen") if listen else _listener(settings)
    refuse_open_address(listener, insecure=insecure)
    listening = _bound_socket(listener, "--listen")
    watched_at = _monitoring_socket(metrics, settings, insecure=insecure)
    directory = _open_directory(memory, data_directory or Path(settings[keys.LOG_DIRS]))
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_serve(settings, listener, listening, watched_at, directory))


def _allow_many_files() -> None:
    """Every log and every connection is an open file: the 1,024 that most systems begin with do not last long."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listener(settings: Settings) -> Address:
    return parse_listener(settings[keys.LISTENERS], of="listeners")


def _monitoring_socket(metrics: str | None, settings: Settings, *, insecure: bool) -> socket.socket | None:
    """Where metrics, health and readiness are read; None: nobody has asked for them."""
    text, of = (metrics, "--metrics") if metrics else (settings[keys.METRICS_LISTENER], keys.METRICS_LISTENER.name)
    if not text:
        return None
    address = parse_listener(text, of=of)
    refuse_open_address(address, insecure=insecure)
    return _bound_socket(address, "--metrics")


def _bound_socket(address: Address, flag: str) -> socket.socket:
    """Bound but not listening yet: whoever connects before we are ready is turned away, and tries again."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            address.host or None, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise StartError(f"cannot listen at {address}: {error.strerror}; name another address with {flag}") from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(where)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            why = f"port {address.port} of {address.host} is taken: stop who has it, or name another with {flag}"
        else:
            why = f"cannot listen at {address}: {error.strerror}; name another address with {flag}"
        raise StartError(why) from None
    return bound


def _open_directory(memory: bool, path: Path) -> DataDirectory:
    try:
        return DataDirectory.in_memory() if memory else DataDirectory.open(str(path))
    except (DirectoryInUse, DirectoryUnusable) as error:
        raise StartError(str(error)) from None


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it is installed: 1 to 20 % faster."""
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    except ImportError:
        return None
    return factory


async def _serve(
    settings: Settings,
    listener: Address,
    listening: socket.socket,
    watched_at: socket.socket | None,
    directory: DataDirectory,
) -> int:
    loop = asyncio.get_running_loop()
    stopping = _stop_at_signals(loop)
    bound = Address(listener.host, listening.getsockname()[1])
    try:
        broker = Broker(settings, directory, _advertised(settings, bound), loop)
        monitor = await _monitored(broker, directory, watched_at)
        await broker.start()
    except StorageError as error:
        raise StartError(str(error)) from error
    server = Server(broker)
    await server.start(listening)
    if monitor is not None:
        monitor.serving(server)
    _settle_memory()
    print(f"tenure: ready at {bound}", flush=True)
    _keep_freed_memory()
    await stopping.wait()

    log.info("stopping")
    if monitor is not None:
        monitor.stopping()
    await server.stop()
    if monitor is not None:
        monitor.close()
    clean = broker.close()
    directory.close(clean=clean)
    log.info("stopped" if clean else "stopped, but not cleanly: the next start recovers the logs")
    return 0 if clean else 1


async def _monitored(broker: Broker, directory: DataDirectory, watched_at: socket.socket | None) -> "Monitor | None":
    """Before anything is loaded, because it tells how far that is."""
    if watched_at is None:
        return None
    from tenure.broker.monitoring.monitor import Monitor

    monitor = Monitor(broker, directory)
    await monitor.start(watched_at)
    return monitor


def _stop_at_signals(loop: asyncio.AbstractEventLoop) -> asyncio.Event:
    """Set by the first SIGTERM or SIGINT; the second one does not wait."""
    stopping = asyncio.Event()

    def stop(number: int) -> None:
        if stopping.is_set():
            os._exit(128 + number)
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    return stopping


def _advertised(settings: Settings, bound: Address) -> Address:
    """What clients are told. Nobody can connect to "every address", so that becomes the host's name."""
    if text := settings[keys.ADVERTISED_LISTENERS]:
        return parse_listener(text, of="advertised.listeners")
    if bound.host in ("", "0.0.0.0", "::"):
        return Address(socket.gethostname(), bound.port)
    return bound


def _settle_memory() -> None:
    """What is loaded by now stays, and requests leave no cycles behind: the collector has little to do here."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(GC_ALLOCATIONS, 20, 20)


def _keep_freed_memory() -> None:
    """Once clients are served: a start has no need of it, and would wait for its import."""
    from tenure.broker.allocator import keep_freed_memory

    keep_freed_memory()
