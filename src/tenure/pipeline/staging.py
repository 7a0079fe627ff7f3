"""Writing what a run made, so that it can be committed: every file under a name of its own, all of it durable, then
sealed.

Used by the tasks of this room, and by whoever stages otherwise (a DataFrame written by Spark).
"""

from importlib.metadata import PackageNotFoundError, version

from tenure.pipeline.files import Files
from tenure.pipeline.layout import Layout, final_name
from tenure.pipeline.manifest import Manifest, Output, Pointer, StateFile, digest, encode
from tenure.pipeline.plan import Bundle, LanePlan
from tenure.pipeline.stager import Staged


def begin_manifest(layout: Layout, bundle: Bundle, plan: LanePlan, manifest_id: str) -> Manifest:
    """A manifest for this lane of the bundle, as yet without output and with the state that it started from."""
    return Manifest(
        id=manifest_id,
        group=layout.group,
        lane=plan.lane,
        sequence=plan.sequence,
        ranges=plan.ranges,
        partition_count=plan.partition_count,
        writer=bundle.writer,
        run_id=bundle.run_id,
        state=plan.state,
        previous=None if plan.previous is None else str(plan.previous),
        version=installed_version(),
    )


def prepare(files: Files, layout: Layout, manifest: Manifest) -> None:
    """Make the lane's directories."""
    files.make_directory(layout.state_directory(manifest.lane))
    files.make_directory(layout.staged_directory(manifest.lane))


def stage_output(
    files: Files, layout: Layout, manifest: Manifest, data: bytes | memoryview, rows: int, suffix: str, part: int = 0
) -> Output:
    """`part` tells several files of one manifest apart."""
    output = Output(
        staged=f"{manifest.id}-{part}{suffix}",
        final=final_name(manifest.lane, manifest.ranges, manifest.id, part, suffix),
        size_bytes=len(data),
        rows=rows,
        digest=digest(data),
    )
    files.write(f"{layout.staged_directory(manifest.lane)}/{output.staged}", data)
    return output


def stage_beside_state(
    files: Files, layout: Layout, manifest: Manifest, kind: str, data: bytes | memoryview, rows: int
) -> StateFile:
    """A file of the lane's state directory: `kind` is base, delta or letters."""
    file = StateFile(f"{manifest.id}.{kind}.arrow", len(data), rows, digest(data))
    files.write(f"{layout.state_directory(manifest.lane)}/{file.name}", data)
    return file


def seal(files: Files, layout: Layout, manifest: Manifest) -> Staged:
    """Write the manifest and make everything that it names durable. From here on it may be committed."""
    data = encode(manifest)
    files.write(layout.manifest(manifest.lane, manifest.id), data)
    files.sync_directory(layout.state_directory(manifest.lane))
    if manifest.outputs:
        files.sync_directory(layout.staged_directory(manifest.lane))
    return Staged(manifest, Pointer(manifest.id, digest(data)))


def installed_version() -> str:
    """Of Tenure; empty where it runs without being installed."""
    try:
        return version("tenure")
    except PackageNotFoundError:
        return ""
