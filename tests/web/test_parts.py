"""Parts of a page and their differences."""

from tenure.web.parts import Part, data_part, element_id, update


def test_update__one_part_changed_one_is_new_one_is_gone__only_these():
    after = [Part("a", "rows", "<p>1</p>"), Part("b", "rows", "<p>3</p>"), Part("d", "rows", "<p>4</p>")]
    assert update({"a": "<p>1</p>", "b": "<p>2</p>", "c": "<p>0</p>"}, after) == {
        "changed": after[1:],
        "removed": ["c"],
    }


def test_update__parts_of_the_page_are_unknown__complete():
    after = [Part("a", "rows", "<p>1</p>")]
    assert update(None, after) == {"changed": after, "removed": [], "complete": True}


def test_update__nothing_changed__empty():
    assert update({"a": "<p>1</p>"}, [Part("a", "rows", "<p>1</p>")]) == {}


def test_element_id__hostile_names__letters_digits_and_a_dash():
    made = element_id("group", '"><script>alert(1)</script>', "\ud800")
    assert made.removeprefix("group-").isalnum()
    assert made != element_id("group", "another")


def test_data_part__text_that_closes_the_element__cannot():
    assert "</script" not in data_part("d", "data", {"owner": "</script><script>"}).html.removesuffix("</script>")
