"""Data directory with all partitions of a broker, used by one process at a time.

Its files and directories:

    meta.properties         ids of cluster, directory and node in Kafka's format (version 1); Tenure's format version
    .lock                   id of the process that uses the directory
    .boot                   id of the machine's boot in which all logs were last recovered
    .quorum-state           last run of Apache Kafka that Tenure has taken into account (see `apache_kafka`)
    inventory               partitions and segments that the next start has to find (see `inventory`)
    .kafka_cleanshutdown    exists between a clean stop and the next start: the logs need no recovery
    <topic>-<partition>/    directory of one partition
"""

import os
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tenure.storage.errors import DirectoryUnusable
from tenure.storage.files import DataFiles, LocalDataFiles, parent
from tenure.storage.memory import MemoryFiles
from tenure.storage.recovery import apache_kafka
from tenure.storage.recovery.apache_kafka import QUORUM_STATE
from tenure.storage.recovery.inventory import Inventory
from tenure.storage.recovery.inventory_check import DataMissing, Finding
from tenure.storage.recovery.last_stop import BOOT, CLEAN_MARK, CLEAN_MARKER, PARTITION, LastStop, read_last_stop

FORMAT_VERSION: Final = 1

_DELETED_SUFFIX: Final = "-delete"
_STRAY_SUFFIX: Final = "-stray"
_PROPERTIES: Final = "meta.properties"


class DataDirectory:
    def __init__(
        self,
        path: str,
        files: DataFiles,
        release: Callable[[], None],
        cluster_id: str,
        last_stop: LastStop,
        missing: list[Finding],
    ) -> None:
        self.path = path
        self.files = files
        self.cluster_id = cluster_id
        self.was_clean = last_stop.was_clean
        self.is_same_boot = last_stop.is_same_boot
        self.inventory_damage = last_stop.inventory_damage
        """Message for the operator about damage of the inventory; None if there is none. With damage, `missing` may
        be incomplete."""
        self.inventory = Inventory(files, path, last_stop.entries, is_saved=last_stop.is_saved)
        if last_stop.was_apache_kafka:
            self.inventory.save()
            apache_kafka.take_over(files, path)
        self.missing = missing
        """Objects that are in the inventory, but not in the directory."""
        self._boot_id = last_stop.boot_id
        self._release = release
        self._has_recovered = False

    @classmethod
    def open(
        cls,
        path: str,
        *,
        create: bool = True,
        must_be_complete: bool = True,
        files: DataFiles | None = None,
        node_id: int = 1,
    ) -> "DataDirectory":
        """Open a directory, and lock it for this process.

        Args:
            path: Path of the directory.
            create: Create the directory if it does not exist.
            must_be_complete: Raise `DataMissing` if objects of the inventory are missing in the directory.
            files: Access to the file system; None for the local one.
            node_id: Id of the broker.

        Raises:
            DirectoryInUse: Another process uses it.
            DirectoryUnusable: The directory belongs to another release or broker, or cannot be written to.
            DataMissing: Files are missing.
        """
        files = files or LocalDataFiles()
        path = os.path.abspath(path)
        release = _lock(path, files, create=create)
        try:
            return cls._take(path, files, release, node_id, must_be_complete=must_be_complete)
        except OSError as error:
            release()
            raise _unwritable(path, error) from None
        except BaseException:
            release()
            raise

    @classmethod
    def in_memory(cls) -> "DataDirectory":
        """Return a directory in memory, for `Durability.MEMORY`."""
        return cls.open("/memory", files=MemoryFiles())

    @classmethod
    def _take(
        cls, path: str, files: DataFiles, release: Callable[[], None], node_id: int, *, must_be_complete: bool
    ) -> "DataDirectory":
        properties = os.path.join(path, _PROPERTIES)
        if not files.exists(properties):
            foreign = [name for name in files.listdir(path) if _is_foreign(name)]
            if foreign:
                raise DirectoryUnusable(
                    f"{path} is not a data directory: it has no {_PROPERTIES} but contains {foreign[0]}; "
                    "name an empty directory"
                )
            files.write(properties, _new_properties(node_id), sync=True)
        text = files.read(properties)
        cluster_id = _cluster_id(path, text)
        own_text = _with_own_properties(path, text, node_id, is_shared=files.exists(f"{path}/{QUORUM_STATE}"))
        last_stop = read_last_stop(files, path)
        missing = last_stop.find_missing(files)
        if missing and must_be_complete:
            raise DataMissing(path, missing, last_stop.inventory_damage)
        if own_text != text:
            files.write(properties, own_text, sync=True)
        directory = cls(path, files, release, cluster_id, last_stop, missing)
        if directory.was_clean:
            files.remove(f"{path}/{CLEAN_MARKER}")
            files.sync_directory(path)
        return directory

    def partition_directories(self) -> list[str]:
        """Return the names of the partitions' directories, after removing remains of deleted partitions."""
        names = self.files.listdir(self.path)
        for name in names:
            if name.endswith(_DELETED_SUFFIX):
                remove_directory(self.files, os.path.join(self.path, name))
        return [name for name in names if PARTITION.fullmatch(name)]

    def log_bytes(self, name: str) -> int:
        """Return the total size of a partition's segments on disk."""
        path = os.path.join(self.path, name)
        logs = [file for file in self.files.listdir(path) if file.endswith(".log")]
        return sum([self.files.size(os.path.join(path, file)) for file in logs])

    @property
    def volume_bytes(self) -> tuple[int, int] | None:
        """(size, free space) of the volume in bytes; None if the directory is in memory."""
        return self.files.volume_bytes(self.path)

    def set_aside(self, name: str) -> str:
        """Rename a partition's directory, so that it no longer belongs to a partition. Return the new name."""
        self.inventory.remove_partitions([name])
        aside = f"{name[:200]}.{os.urandom(16).hex()}{_STRAY_SUFFIX}"
        self.files.rename(os.path.join(self.path, name), os.path.join(self.path, aside))
        self.files.sync_directory(self.path)
        return aside

    @property
    def must_recover(self) -> bool:
        """True if all logs must be opened at the start, because one was not closed or may lack segments."""
        return not self.was_clean or self.inventory_damage is not None

    def mark_recovered(self) -> None:
        """Record that all logs were recovered in this boot of the machine.

        The file with the boot's id is written only now. If the recovery after a power failure is interrupted, the file
        still has the id of an earlier boot. So the next start still knows that unsynced bytes may be lost.
        """
        self._has_recovered = True
        if self._boot_id is not None and not self.is_same_boot:
            with suppress(OSError):  # if the disk is full, the next start only recovers more than necessary
                self.files.write(os.path.join(self.path, BOOT), self._boot_id, sync=False)

    def sync(self) -> None:
        """Sync the directory, so that creations and deletions of partitions are durable."""
        self.files.sync_directory(self.path)

    def close(self, *, clean: bool = True) -> None:
        """Unlock the directory. With `clean`, the next start skips the recovery of the logs.

        Pass `clean=False` if a partition could not be closed.
        """
        try:
            if clean and (self.inventory_damage is None or self._has_recovered):
                self.inventory.save()
                self.files.write(os.path.join(self.path, CLEAN_MARKER), CLEAN_MARK, sync=True)
        except OSError:
            pass  # if the disk is full, the marker is missing, and the next start only checks more
        finally:
            self.inventory.close()
            self._release()


def _lock(path: str, files: DataFiles, *, create: bool) -> Callable[[], None]:
    """Lock a directory, after creating it if it does not exist and `create` is true. Return the function to unlock it.

    Raises:
        DirectoryInUse: Another process uses it.
        DirectoryUnusable: It does not exist, or cannot be used.
    """
    try:
        if create and not files.exists(path):
            files.mkdir(path)
            files.sync_directory(parent(path))
        return files.lock(path)
    except FileNotFoundError:
        raise DirectoryUnusable(f"data directory {path} does not exist: create it, or name another") from None
    except (NotADirectoryError, FileExistsError, PermissionError) as error:
        raise DirectoryUnusable(
            f"data directory {path} cannot be used ({error.strerror}): name a directory that this user may write to"
        ) from None
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: OSError) -> DirectoryUnusable:
    return DirectoryUnusable(
        f"data directory {path} cannot be written to ({error.strerror}): free disk space, or name another directory"
    )


def _is_foreign(name: str) -> bool:
    """Return whether the existence of a file shows that another program uses the directory.

    False for files of Tenure, of an interrupted start, and of the file system (ext4's lost+found).
    """
    return not (name.startswith(".") or name.endswith(".tmp") or name == "lost+found")


def partition_directory(topic: str, partition: int) -> str:
    return f"{topic}-{partition}"


def topic_and_partition(directory: str) -> tuple[str, int]:
    """Return the topic and partition to which a directory name belongs; the reverse of `partition_directory`."""
    topic, _, partition = directory.rpartition("-")
    return topic, int(partition)


def name_while_deleted(directory: str) -> str:
    """Return a new name for the directory of a partition that is being deleted.

    After the renaming, a new partition can use the old name at once. The new name contains only the first 200
    characters of the old one, because file systems limit names to 255 bytes.
    """
    return f"{directory[:200]}.{os.urandom(16).hex()}{_DELETED_SUFFIX}"


def remove_directory(files: DataFiles, path: str) -> None:
    for name in files.listdir(path):
        files.remove(os.path.join(path, name))
    files.rmdir(path)


def check_format(files: DataFiles, path: str) -> None:
    """Raise `DirectoryUnusable` if this is not a data directory that this release can use."""
    try:
        _cluster_id(path, files.read(f"{path}/{_PROPERTIES}"))
    except OSError as error:
        raise DirectoryUnusable(
            f"{path} is not a data directory: its {_PROPERTIES} cannot be read ({error.strerror})"
        ) from None


def node_id_of(files: DataFiles, path: str) -> int:
    """Return the id of the node that uses a directory; 1 if the directory has none. Raises OSError."""
    text = _values(files.read(f"{path}/{_PROPERTIES}")).get("node.id", "")
    return int(text) if text.isdigit() else 1


def _new_id() -> str:
    """Return a new id in Kafka's form: 16 random bytes in base64url.

    An id never begins with a dash, which would look like a command-line option.
    """
    while (text := urlsafe_b64encode(os.urandom(16))[:22].decode()).startswith("-"):
        pass
    return text


def _new_properties(node_id: int) -> bytes:
    lines = {
        "version": 1,
        "cluster.id": _new_id(),
        "directory.id": _new_id(),
        "node.id": node_id,
        "tenure.format": FORMAT_VERSION,
    }
    return "".join(f"{key}={value}\n" for key, value in lines.items()).encode()


def _values(properties: bytes) -> dict[str, str]:
    text = properties.decode("utf-8", "replace")
    lines = [line.partition("=") for line in text.splitlines() if "=" in line and not line.startswith("#")]
    return {key.strip(): value.strip() for key, _, value in lines}


def _with_own_properties(path: str, properties: bytes, node_id: int, *, is_shared: bool) -> bytes:
    """Return the content of `meta.properties` with this node id and Tenure's format version.

    `is_shared` says whether Apache Kafka has used the directory.
    """
    values = _values(properties)
    known_id = values.get("node.id", str(node_id))
    if is_shared and known_id != str(node_id):
        raise DirectoryUnusable(
            f"data directory {path} belongs to node {known_id}, not to node {node_id}: set node.id={known_id}"
        )
    own = values | {"node.id": str(node_id), "tenure.format": str(FORMAT_VERSION)}
    return properties if own == values else "".join(f"{key}={value}\n" for key, value in own.items()).encode()


def _cluster_id(path: str, properties: bytes) -> str:
    values = _values(properties)
    version = values.get("tenure.format")
    of_kafka = values.get("version")
    if of_kafka not in ("0", "1", None):
        raise DirectoryUnusable(
            f"data directory {path} has {_PROPERTIES} of version {of_kafka}, which a later version of Apache Kafka "
            "wrote: use that version, or name another directory"
        )
    if version is None and of_kafka != "1":
        raise DirectoryUnusable(
            f"data directory {path} belongs to a version of Apache Kafka without KRaft: name another directory, or "
            "migrate it first"
        )
    if version not in (None, str(FORMAT_VERSION)) or not values.get("cluster.id"):
        raise DirectoryUnusable(
            f"data directory {path} has format version {version}, but this release of Tenure reads {FORMAT_VERSION}: "
            "use the release that wrote it, or name another directory"
        )
    return values["cluster.id"]
