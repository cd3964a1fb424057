"""HTML for notebooks: well-formed, with all cells and sentences of the table, and every name as it is."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from reports.html import as_html
from reports.layout import Layout, layout
from simulator.experiments.result import Result
from tests.experiments.fakes import plan
from tests.reports.made import random_result

KINDS = [{}, {"table": 2}, {"table": 2, "focus": True}, {"solo": True}, {"solo": True, "levels": 4}]
WILD = ("<b>a & b</b>", "it's", '"quoted"', "a|b")


class Page(HTMLParser):
    """Collects the texts of elements, and complains of what is not closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {"p": [], "th": [], "td": []}
        self.tables = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tables += tag == "table"
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        inner = next((tag for tag in reversed(self.open) if tag in self.texts), None)
        if inner is not None:
            self.texts[inner][-1] += data


def read(result: Result) -> tuple[Page, Layout]:
    """The page of a result, and what should be on it."""
    page = Page(as_html(result, "1.2.3"))
    assert page.open == []
    return page, layout(result, "1.2.3")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", [("a", "b", "c"), WILD])
def test_everything_is_on_the_page_as_it_is(kind: dict[str, object], names: tuple[str, ...]) -> None:
    page, expected = read(random_result(plan(*names, games=50, **kind)))  # type: ignore[arg-type]
    assert page.tables == len(expected.grids)
    notes = [f"Note: {note}" for note in expected.notes]
    assert page.texts["p"] == [expected.header, *expected.footer, *expected.sentences, *notes]
    assert page.texts["td"] == [cell for grid in expected.grids for row in grid.rows for cell in row.cells]
    heads = []
    for grid in expected.grids:
        heads += [grid.title, *grid.columns, *(row.label for row in grid.rows)]
    assert [text.strip() for text in page.texts["th"]] == heads


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_escaped(kind: dict[str, object]) -> None:
    text = as_html(random_result(plan(*WILD, games=50, **kind)), "1")  # type: ignore[arg-type]
    assert "<b>" not in text
    assert "&lt;b&gt;a &amp; b&lt;/b&gt;" in text


def test_details_are_indented() -> None:
    text = as_html(random_result(plan("a", "b")), "1")
    assert "&emsp;95 % interval</th>" in text
    assert ">win share, %</th>" in text
