"""What stands apart on a page is apart in its text: terms, options, rows of blocks, fields of a form."""

from __future__ import annotations

import pytest

from amb_core.reading.markup_passages import strip_markup

PARTS = [
    ("<dl><dt>Dept 776</dt><dd>28712</dd><dt>Dept 777</dt><dd>28749</dd></dl>", "Dept 776 | 28712\nDept 777 | 28749"),
    ("<div><span>Dept 777</span><span>28749</span></div><div><b>41</b><b>7</b></div>", "Dept 777 28749\n41 7"),
    ("<select><option>Dept 776 12</option><option>Dept 777</option></select>", "Dept 776 12\nDept 777"),
    ("<label>Dept 777</label><input value='28749'>", "Dept 777 28749"),
    ('<p>密码 <input type="password" value="tide-9"> 库存 <input value="17 箱"></p>', "密码 库存 17 箱"),
    ("<p>un<b>break</b>able, 5<sup>th</sup></p>", "unbreakable, 5th"),
]


@pytest.mark.parametrize(("page", "shown"), PARTS)
def test_parts_of_a_page_are_not_joined_to_one_word(page: str, shown: str) -> None:
    assert strip_markup(page) == shown
