"""The pipeline on the README's first screen."""

import json
import re
from pathlib import Path

import pyarrow.dataset
import pytest

from tenure.admin import Admin
from tenure.client.producer.producer import Producer

pytestmark = pytest.mark.spark

README = Path(__file__).parents[2] / "README.md"
LINES_MAX = 20


@pytest.mark.usefixtures("spark")
def test_readme__pipeline_run_as_printed__every_flight_numbered(address: str, tmp_path: Path) -> None:
    """The test changes only address, directory and end. The pipeline uses the active session."""
    (snippet,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(snippet.strip().splitlines()) <= LINES_MAX
    for written, ours in (
        ("localhost:9092", address),
        ("out/numbered", str(tmp_path)),
        ("threads=2)", 'threads=2, until="caught-up")'),
    ):
        assert snippet.count(written) == 1
        snippet = snippet.replace(written, ours)

    with Admin(address) as admin:
        admin.create_topics(["flights"], partitions=4)
    flights = [(f"N{number % 7}", number) for number in range(100)]
    with Producer(address) as producer:
        for aircraft, number in flights:
            producer.send("flights", aircraft.encode(), json.dumps({"tailnum": aircraft, "dest": str(number)}).encode())

    exec(compile(snippet, str(README), "exec"), {"__name__": "readme"})

    rows = pyarrow.dataset.dataset(tmp_path, format="parquet").to_table().to_pylist()
    assert {(row["tailnum"], int(row["dest"]), row["nth"]) for row in rows} == {
        (aircraft, number, number // 7 + 1) for aircraft, number in flights
    }
    assert len(rows) == len(flights)
