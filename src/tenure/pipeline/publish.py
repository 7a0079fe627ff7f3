"""Publish: what is committed becomes visible, by a rename that may be done any number of times.

Whoever owns the lane finishes what an earlier owner began, before it plans again. A fenced owner that wakes up late may
do the same work at the same time: both only ever move committed files to the names that their manifest gives them.
"""

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.head import write_head
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, Output, Pointer
from tenure.pipeline.stager import DeadLetters


def publish(
    files: Files, layout: Layout, manifest: Manifest, pointer: Pointer, dead_letters: DeadLetters | None = None
) -> list[str]:
    """Returns the visible files. Raises OUTPUT_MISSING.

    The HEAD comes last: it says that nothing of this manifest remains to be done.
    """
    visible = [_publish(files, layout, manifest, output) for output in manifest.outputs]
    if visible:
        files.sync_directory(layout.sink)
        files.sync_directory(layout.staged_directory(manifest.lane))
    if manifest.dead_letters is not None:
        if dead_letters is None:
            raise _nowhere_to_send(manifest)
        directory = layout.state_directory(manifest.lane)
        dead_letters.send(manifest, files.read(f"{directory}/{manifest.dead_letters.name}"))
    write_head(files, layout, manifest, pointer)
    return visible


def _publish(files: Files, layout: Layout, manifest: Manifest, output: Output) -> str:
    staged = f"{layout.staged_directory(manifest.lane)}/{output.staged}"
    final = f"{layout.sink}/{output.final}"
    if not files.rename(staged, final) and files.size(final) is None:
        raise PipelineStopped(
            Code.OUTPUT_MISSING,
            f"{output.final} of {manifest.lane} is committed, and neither staged ({staged}) nor visible: bring it back,"
            " or reset the group to an offset before it and run once with"
            ' on_disagreement="trust-offsets"',
            manifest.lane,
        )
    return final


def _nowhere_to_send(manifest: Manifest) -> PipelineStopped:
    return PipelineStopped(
        Code.DEAD_LETTERS_UNSENT,
        f"{manifest.bad_records} bad records of {manifest.lane} are committed and not sent to a dead-letter topic yet:"
        " run the pipeline once more with that topic set",
        manifest.lane,
    )
