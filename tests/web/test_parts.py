"""Parts of a page and their differences."""

from tenure.limits.web import PARTS_PAINTED_MAX
from tenure.web.parts import Part, data_part, element_id, first_parts, update


def test_page_update__one_part_changed_one_new_and_one_gone__only_these_sent():
    after = [Part("a", "rows", "<p>1</p>"), Part("b", "rows", "<p>3</p>"), Part("d", "rows", "<p>4</p>")]
    assert update({"a": "<p>1</p>", "b": "<p>2</p>", "c": "<p>0</p>"}, after) == {
        "changed": after[1:],
        "removed": ["c"],
    }


def test_page_update__parts_that_the_page_has_are_unknown__all_parts_sent():
    after = [Part("a", "rows", "<p>1</p>")]
    assert update(None, after) == {"changed": after, "removed": [], "complete": True}


def test_page_update__nothing_changed__no_parts_sent():
    assert update({"a": "<p>1</p>"}, [Part("a", "rows", "<p>1</p>")]) == {}


def test_first_parts__more_rows_than_a_browser_draws_at_once__first_rows_and_all_other_containers():
    rows = [Part(f"row-{number}", "rows", "<tr></tr>") for number in range(PARTS_PAINTED_MAX + 1)]
    last = Part("more", "footer", "<p></p>")
    assert first_parts([*rows, last]) == [*rows[:-1], last]
    assert first_parts(rows[:3]) == rows[:3]


def test_element_id__names_with_html_elements__only_letters_digits_and_a_dash():
    made = element_id("group", '"><script>alert(1)</script>', "\ud800")
    assert made.removeprefix("group-").isalnum()
    assert made != element_id("group", "another")


def test_data_part__text_contains_a_closing_tag__tag_is_escaped():
    assert "</script" not in data_part("d", "data", {"owner": "</script><script>"}).html.removesuffix("</script>")
