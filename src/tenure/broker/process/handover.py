"""Preparations for serving a stopped broker's data directory with Apache Kafka."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.configuration import load_settings, written_settings
from tenure.broker.config.kafka_properties import kafka_properties
from tenure.broker.config.listener import parse_address
from tenure.broker.config.listeners import configured_listeners
from tenure.broker.config.start_error import StartError
from tenure.broker.process.kafka_directory import metadata_records
from tenure.protocol.generated.cluster_metadata import FeatureLevelRecord
from tenure.storage.data_directory import check_format, node_id_of
from tenure.storage.errors import DirectoryInUse, DirectoryUnusable
from tenure.storage.files import LocalDataFiles
from tenure.storage.recovery.metadata_snapshot import SnapshotMissing

_METADATA_VERSION: Final = "metadata.version"


def properties_for_kafka(
    data_directory: Path,
    controller: str,
    *,
    listen: str | None = None,
    file: Path | None = None,
    flags: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the lines of the properties file with which Apache Kafka serves the directory. Changes nothing.

    Args:
        data_directory: Data directory of a broker that is not running.
        controller: Address of Apache Kafka's controller listener, as HOST:PORT.
        listen: Value of `--listen` with which the broker was started, if any.
        file: Configuration file of the broker.
        flags: `--set` options of the broker.
        environment: Environment variables of the broker.

    Raises:
        StartError: The directory cannot be handed over now, or a setting is invalid.
    """
    path = str(data_directory.absolute())
    flags = list(flags)
    settings, _ = load_settings(file=file, environment=environment, flags=flags)
    _check_directory(path, settings[keys.NODE_ID])
    written = written_settings(file=file, environment=environment, flags=flags)
    listeners = configured_listeners(settings, listen)
    address = parse_address(controller, setting="--controller")
    return list(kafka_properties(Path(path), settings[keys.NODE_ID], listeners, address, written))


def _check_directory(path: str, node_id: int) -> None:
    files = LocalDataFiles()
    try:
        check_format(files, path)
        files.lock(path)()
    except (DirectoryUnusable, DirectoryInUse) as error:
        raise StartError(str(error)) from None
    except OSError as error:
        raise StartError(
            f"data directory {path} cannot be used ({error.strerror}): pass the directory of a stopped broker of Tenure"
        ) from None
    known_id = node_id_of(files, path)
    if known_id != node_id:
        raise StartError(
            f"data directory {path} belongs to node {known_id}, not to node {node_id}: set node.id={known_id}"
        )
    try:
        records = list(metadata_records(files, path))
    except SnapshotMissing as reason:
        raise StartError(f"data directory {path} lacks data of Apache Kafka: the metadata log: {reason}") from None
    if not any(isinstance(record, FeatureLevelRecord) and record.name == _METADATA_VERSION for record in records):
        raise StartError(
            f"data directory {path} was written by a release whose metadata log has no feature levels, which Apache "
            "Kafka needs: start this release once with the directory (`tenure serve`), and stop it"
        )
