"""Choice of the file access: the local disk, or a store that fsspec supports."""

from collections.abc import Mapping
from typing import Any

from tenure.pipeline.output.files import Files, LocalFiles, is_url
from tenure.pipeline.output.fsspec_files import FilesByUrl


def files_for(*directories: str, options: Mapping[str, Any] | None = None) -> Files:
    """Return the access to files in these directories: local paths, URLs (`s3://bucket/out`), or both.

    `options` are fsspec's storage options. They may contain secrets, so they are never printed.
    """
    if not any(is_url(directory) for directory in directories):
        return LocalFiles()
    return FilesByUrl(dict(options or {}))
