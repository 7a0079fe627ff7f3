"""Log lines while the report draws its pictures."""

from __future__ import annotations

from tenure.audit.progress_lines import PictureLines
from tenure.limits.audit import PICTURES_LINE_INTERVAL_S


def test_progress_lines__each_picture_takes_two_fifths_of_the_interval__line_for_every_third_and_the_last() -> None:
    now_s = 0.0
    lines: list[str] = []
    observe = PictureLines(lines.append, lambda: now_s)
    observe(0, 7)
    for drawn in range(1, 8):
        now_s += 0.4 * PICTURES_LINE_INTERVAL_S
        observe(drawn, 7)
    assert lines == [
        "drawing 7 pictures (--no-pictures leaves them out)",
        "3 of 7 pictures drawn",
        "6 of 7 pictures drawn",
        "7 of 7 pictures drawn",
    ]
