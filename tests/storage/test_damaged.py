"""A few damaged data directories; `python -m tests.storage.damaged` makes any number."""

from pathlib import Path

import pytest

from tests.storage.damaged import Acknowledged, make_directories, run_case

CASES = 40


@pytest.fixture(scope="module")
def directories(tmp_path_factory: pytest.TempPathFactory) -> tuple[Acknowledged, Acknowledged]:
    return make_directories(tmp_path_factory.mktemp("damaged"))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(CASES))
def test_data_directory__damaged_at_random__each_acknowledged_record_served_or_reported_as_lost(
    directories: tuple[Acknowledged, Acknowledged], tmp_path: Path, seed: int
) -> None:
    run_case(seed, directories[seed % 2], tmp_path / "case")
