"""Real files. A simulated power failure removes each name that was not synced.

Processes see the directory `now`; `safe` has a hard link for each durable file. Both are on one file system, so that a
sync costs links and no bytes.
"""

import os
import shutil
from pathlib import Path

from tenure.pipeline.output.files import LocalFiles


class ForgetfulDirectory(LocalFiles):
    """Directory with `now` and `safe` below `root`. Only one process at a time may sync a directory."""

    def __init__(self, root: Path) -> None:
        self.now = root / "now"
        self.safe = root / "safe"
        for directory in (self.now, self.safe):
            directory.mkdir(parents=True, exist_ok=True)

    def make_directory(self, directory: str) -> None:
        """Make a directory, which is durable at once, as the interface promises."""
        for made in (Path(directory), self.safe_name(directory)):
            made.mkdir(parents=True, exist_ok=True)

    def sync_directory(self, directory: str) -> None:
        safe = self.safe_name(directory)
        names = {entry.name for entry in os.scandir(directory) if entry.is_file()}
        for gone in [entry for entry in os.scandir(safe) if entry.is_file() and entry.name not in names]:
            os.remove(gone.path)
        for name in names:
            replace_link(Path(directory, name), safe / name)

    def lose_power(self) -> None:
        """Simulate a power failure. All processes must have ended before."""
        shutil.rmtree(self.now)
        shutil.copytree(self.safe, self.now, copy_function=os.link)

    def safe_name(self, directory: str) -> Path:
        return self.safe / Path(directory).relative_to(self.now)


def replace_link(source: Path, target: Path) -> None:
    if target.exists():
        if os.path.samefile(source, target):
            return
        target.unlink()
    os.link(source, target)
