import pyarrow as pa
import pytest

from tenure.pipeline.errors import BadSchema
from tenure.pipeline.values.ddl import schema


def test_ddl_schema__every_form_that_spark_accepts__arrow_types() -> None:
    assert schema("tailnum string, `arr delay` DOUBLE, at: timestamp, n long") == pa.schema(
        [("tailnum", pa.string()), ("arr delay", pa.float64()), ("at", pa.timestamp("us", "UTC")), ("n", pa.int64())]
    )


def test_ddl_schema__nested_types__arrow_types() -> None:
    assert schema("a array<map<string, int>>, s struct<x: int, y: decimal(12, 2)>").types == [
        pa.list_(pa.map_(pa.string(), pa.int32())),
        pa.struct([("x", pa.int32()), ("y", pa.decimal128(12, 2))]),
    ]


@pytest.mark.parametrize(
    ("ddl", "words"),
    [
        ("", "at its end"),
        ("tailnum", "at its end"),
        ("tailnum strin", "at 'strin'"),
        ("a int b int", "at 'b'"),
        ("a int, a long", "the column a twice"),
        ("a array<int", "at its end"),
        ("a decimal(99, 2)", "use a precision of 1 to 38"),
        ("a int not null", "columns are nullable"),
        ("a int; b int", "at ';"),
    ],
)
def test_ddl_schema__invalid__error_names_the_position(ddl: str, words: str) -> None:
    with pytest.raises(BadSchema, match=words):
        schema(ddl)
