"""Files of a store by URL: the same operations as on a disk, on S3 and in fsspec's memory."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import Files, LocalFiles, absolute, is_url
from tenure.pipeline.output.fsspec_files import files_for
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.progress import ProgressStep
from tests.object_store import ObjectStore, object_store
from tests.pipeline.harness import Harness, Killed, killed_at


class Place(NamedTuple):
    url: str
    files: Files


@pytest.fixture(scope="module")
def store() -> Iterator[ObjectStore]:
    with object_store() as store:
        yield store


@pytest.fixture(params=["s3", "memory"])
def place(request: pytest.FixtureRequest, store: ObjectStore) -> Place:
    """Return a new directory."""
    url = f"{store.url}/{request.node.name}" if request.param == "s3" else f"memory://{request.node.name}"
    return Place(url, files_for(url, options=store.options if request.param == "s3" else {}))


def test_fsspec_files__written_renamed_and_removed__second_rename_reports_absence(place: Place) -> None:
    url, files = place
    files.make_directory(f"{url}/a/b")
    files.write(f"{url}/a/one", memoryview(b"1"))
    assert files.rename(f"{url}/a/one", f"{url}/a/b/two")
    assert not files.rename(f"{url}/a/one", f"{url}/a/b/two")
    assert files.names(f"{url}/a/b") == ["two"]
    assert (files.size(f"{url}/a/b/two"), files.size(f"{url}/a/one"), files.size(f"{url}/a/b")) == (1, None, None)
    assert files.read(f"{url}/a/b/two") == b"1"
    files.write(f"{url}/a/b/two", b"22")
    assert files.read(f"{url}/a/b/two") == b"22"
    files.remove(f"{url}/a/b/two")
    files.remove(f"{url}/a/b/two")
    assert files.names(f"{url}/a/b") == []
    assert files.names(f"{url}/never") == []
    with pytest.raises(FileNotFoundError):
        files.read(f"{url}/a/b/two")


def test_fsspec_files__created_in_pieces__file_complete_or_absent(place: Place) -> None:
    url, files = place
    files.make_directory(url)
    with files.create(f"{url}/large") as file:
        for _ in range(20):
            file.write(b"x" * 1_000_000)
        assert files.size(f"{url}/large") is None
    with files.open(f"{url}/large") as file:
        assert sum(len(block) for block in iter(lambda: file.read(3_000_000), b"")) == 20_000_000
    with pytest.raises(RuntimeError):
        torn(files, f"{url}/torn")
    assert files.names(url) == ["large"]


def torn(files: Files, path: str) -> None:
    with files.create(path) as file:
        file.write(b"x")
        raise RuntimeError


def test_fsspec_files__another_process_writes_a_file__listed_at_once(place: Place) -> None:
    url, files = place
    files.make_directory(url)
    assert files.names(url) == []
    other: Files = pickle.loads(pickle.dumps(files))
    other.write(f"{url}/one", b"1")
    assert files.names(url) == ["one"]
    assert files.size(f"{url}/one") == 1


@pytest.mark.long
def test_pipeline__on_an_object_store_killed_and_restarted__each_record_once(place: Place) -> None:
    harness = Harness(files=place.files)
    harness.layout = Layout.of(harness.layout.group, place.url)
    harness.produce(20)
    with pytest.raises(Killed):
        harness.start(observer=killed_at(ProgressStep.COMMITTED, 2)).run()
    harness.start().run()
    harness.produce(5)
    harness.start().run()
    names = [name for name in place.files.names(place.url) if name.endswith(".parquet")]
    assert sorted(names) == sorted(out.final for manifest in harness.accepted for out in manifest.outputs)
    for lane, manifest in harness.committed_manifests().items():
        assert manifest.end == {lane.partitions[0]: 25}
        assert sum(count for count, _ in harness.state(manifest).values()) == 25
    assert harness.orphans() == []


def test_files_for__local_paths_only__local_files(tmp_path: Path) -> None:
    assert isinstance(files_for(str(tmp_path), f"file://{tmp_path}"), LocalFiles)
    assert absolute(f"file://{tmp_path}/a%20b") == f"{tmp_path}/a b"
    assert absolute("s3://bucket/a/") == "s3://bucket/a"
    assert [is_url(place) for place in ("s3://b", "file:///b", "/b", "b")] == [True, False, False, False]


def test_files_for__local_output_and_remote_state__each_path_in_its_own_file_system(
    store: ObjectStore, tmp_path: Path
) -> None:
    files = files_for(str(tmp_path), store.url, options=store.options)
    files.write(f"{tmp_path}/one", b"1")
    files.write(f"{store.url}/here-and-there/two", b"2")
    assert files.names(str(tmp_path)) == ["one"]
    assert files.names(f"{store.url}/here-and-there") == ["two"]


@pytest.mark.long
def test_fsspec_files__store_does_not_answer__os_error_names_the_address() -> None:
    options = {"key": "any", "secret": "any", "endpoint_url": "http://127.0.0.1:1", "config_kwargs": {"retries": {}}}
    files = files_for("s3://bucket", options=options)
    with pytest.raises(OSError, match=r"127\.0\.0\.1:1"):
        files.write("s3://bucket/one", b"1")


def test_files_for__unknown_url_scheme__error() -> None:
    with pytest.raises(PipelineConfigError, match="nosuch://"):
        files_for("nosuch://bucket").names("nosuch://bucket")
