"""The broker's image: every instruction of the Containerfile is run, on this machine's files as base image."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from release.wheels import ROOT
from tests.release.image import Containerfile, Stage

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),  # the first test builds wheels and stages
    pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="mounts overlays: needs Linux and root"),
]
READY = "tenure: ready at "
MEGABYTES_MAX = 150
"""Compressed size above the base image, which has about 50 MB itself: an image has at most 200 MB."""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory, pure_wheel: Path, compiled_wheel: Path) -> Stage:
    """Return the last stage, which is the default one."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this container must not mount anything")
    context = tmp_path_factory.mktemp("context")
    (context / "dist").mkdir()
    for wheel in (pure_wheel, compiled_wheel):
        shutil.copy(wheel, context / "dist")
    return Containerfile(ROOT / "Containerfile", context, tmp_path_factory.mktemp("stages")).build("broker")


def test_broker_image__started__compiled_build_runs_as_a_user_without_write_permission(image: Stage) -> None:
    assert "(compiled)" in image.run("tenure", "--version")
    assert image.run("id", "--user", "--name") == "tenure\n"
    with pytest.raises(AssertionError, match="Permission denied"):
        image.run("touch", "/opt/tenure/lib/new")


def test_broker_image__started_and_stopped__healthy_from_readiness_to_the_stop(image: Stage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        pages = {"TENURE_METRICS_LISTENER": "{}:{}".format(*free.getsockname())}
    with image.start(*image.entrypoint, *image.command, "--listen", "127.0.0.1:0", environment=pages) as broker:
        assert broker.stdout is not None
        at = ("--bootstrap-servers", broker.stdout.readline().strip().removeprefix(READY))
        image.run(*image.health_check, environment=pages, beside=broker)
        image.run("tenure", "topics", "create", "words", *at, beside=broker)
        image.run("sh", "-c", f"echo one | tenure produce words {' '.join(at)}", beside=broker)
        consume = ("tenure", "consume", "words", "--from-beginning", "--max-messages", "1")
        assert image.run(*consume, *at, beside=broker) == "one\n"
        broker.terminate()
        assert broker.wait() == 0
    with pytest.raises(AssertionError, match="exit status"):
        image.run(*image.health_check, environment=pages)


def test_broker_image__built__compressed_size_below_the_limit(image: Stage) -> None:
    script = "set -o pipefail; tar --create --one-file-system . | gzip -1 | wc --bytes"
    packed = subprocess.run(["bash", "-c", script], cwd=image.changes, capture_output=True, text=True, check=True)
    assert int(packed.stdout) < MEGABYTES_MAX * 1_000_000
