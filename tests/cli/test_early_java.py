"""Command lines for which Java starts before they are parsed."""

import pytest

from tenure.cli.pipeline.early_java import is_plain_run


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pipeline run flights.py:pipeline --bootstrap-servers b:9092 --group-instance-id host-a", True),
        ("pipeline run flights.py:pipeline --standby --threads 2", True),
        ("pipeline run flights.py:pipeline --restart", False),
        ("pipeline run flights.py:pipeline --master spark://master:7077", False),
        ("pipeline run flights.py:pipeline --conf=spark.driver.memory=2g", False),
        ("pipeline run flights.py:pipeline --spark-ui", False),
        ("pipeline run --help", False),
        ("pipeline status flights.py:pipeline", False),
        ("groups list", False),
        ("", False),
    ],
)
def test_is_plain_run__command_line__true_if_java_may_start_before_it_is_parsed(line: str, expected: bool) -> None:
    assert is_plain_run(line.split()) is expected
