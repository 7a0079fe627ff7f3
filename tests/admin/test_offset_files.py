"""Files of offsets: reading returns the written offsets, also from files of Kafka's tool; errors name the row."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.admin import offset_files
from tenure.client.values import OffsetAndMetadata, TopicPartition

WORK = {TopicPartition("work", 0): OffsetAndMetadata(5, "note", 2), TopicPartition("work", 10): OffsetAndMetadata(7)}
BARE = {partition: OffsetAndMetadata(at.offset) for partition, at in WORK.items()}


def test_to_csv__one_group__same_text_as_from_kafkas_tool() -> None:
    text = offset_files.to_csv({"g": WORK})
    assert text == "work,0,5\nwork,10,7\n"
    assert offset_files.read(text) == {offset_files.UNNAMED: BARE}


def test_to_csv__several_groups__group_id_in_each_row() -> None:
    text = offset_files.to_csv({"g": WORK, "h": {}, "with, comma": WORK})
    assert text.splitlines()[-1] == '"with, comma",work,10,7'
    assert offset_files.read(text) == {"g": BARE, "with, comma": BARE}


def test_read_csv__written_by_kafkas_tool_with_quotes_and_carriage_returns__offsets_read() -> None:
    assert offset_files.read('"g","a-topic-of-more-than-twenty-four-characters",0,3\r\n') == {
        "g": {TopicPartition("a-topic-of-more-than-twenty-four-characters", 0): OffsetAndMetadata(3)}
    }


names = st.text(min_size=1, max_size=10)
offsets = st.dictionaries(
    st.builds(TopicPartition, names, st.integers(0, 99)),
    st.builds(OffsetAndMetadata, st.integers(0, 2**62), st.text(max_size=10), st.integers(-1, 9)),
    min_size=1,
)


@given(st.dictionaries(names, offsets, min_size=1))
def test_json_of_offsets__written_and_read__same_offsets_metadata_and_epochs(
    groups: dict[str, dict[TopicPartition, OffsetAndMetadata]],
) -> None:
    assert offset_files.read(json.dumps(offset_files.as_json(groups))) == groups


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file contains no offsets"),
        ("\n\n", "the file contains no offsets"),
        ("[]", "the file contains no offsets"),
        ("work,0,5\nwork,1", "line 2: 2 columns instead"),
        ("work,zero,5", "line 1: 'zero' is not an integer"),
        ("topic,partition,offset", "line 1: 'partition' is not an integer"),
        ("work,0,-5", f"line 1: partition must be from 0 to {2**31 - 1}, and offset from 0 to {2**63 - 1}"),
        (f"work,0,{2**63}", f"line 1: partition must be from 0 to {2**31 - 1}, and offset from 0 to {2**63 - 1}"),
        ("work,0,5\nwork,0,6", "line 2: partition work-0 is listed twice, with different offsets"),
        ("{", "invalid JSON: line 1, column 2"),
        ('[{"group_id": "g"}]', "group 'g': 'offsets' is missing; write it as `tenure groups export"),
        ('[{"group_id": 7, "offsets": []}]', "group 1: 'group_id' is 7, not a string"),
        ('[{"group_id": "g", "offsets": {}}]', "group 'g': 'offsets' is {}, not a list"),
        ('[{"group_id": "g", "offsets": [{"topic": "t"}]}]', "group 'g', topic 't': 'partition' is missing"),
        (
            '[{"offsets": [{"topic": "t", "partition": 1, "offset": true}]}]',
            "group 1, t-1: 'offset' is true, not an integer",
        ),
        ('[{"group_id": "g", "offsets": [null]}]', "group 'g': found null, expected an object with 'topic'"),
        ("[3]", "group 1: found 3, expected an object with 'group_id'"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_read_offsets__invalid_text__error_names_the_line(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        offset_files.read(text)
    assert sentence in str(refused.value)


def test_offsets_of_group__file_with_several_one_or_unnamed_groups__offsets_found_or_error() -> None:
    assert offset_files.of_group({"g": BARE, "h": {}}, "g") == BARE
    assert offset_files.of_group({offset_files.UNNAMED: BARE}, "g") == BARE
    with pytest.raises(ValueError, match="the file contains offsets of the groups 'g', 'h', none of 'x'"):
        offset_files.of_group({"h": BARE, "g": BARE}, "x")
