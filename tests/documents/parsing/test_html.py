"""Uploaded pages: structure is kept, what nobody sees is not read."""

from __future__ import annotations

from datetime import date

import pytest

from apps.documents.parsing.html import parse_html
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument


def page(body: str, head: str = "") -> ParsedDocument:
    return parse_html(f"<html><head>{head}</head><body>{body}</body></html>".encode())


def texts(body: str, head: str = "") -> list[str]:
    return [block.text for block in page(body, head).blocks]


HIDDEN = {
    "comment": "<!-- Nein -->",
    "script": "<script>Nein</script>",
    "style": "<style>.nein {}</style>",
    "template": "<template>Nein</template>",
    "navigation": "<nav>Nein</nav>",
    "aside": "<aside>Nein</aside>",
    "footer": "<footer>Nein</footer>",
    "navigation by its role": '<div role="navigation">Nein</div>',
    "hidden attribute": "<p hidden>Nein</p>",
    "hidden from screen readers": '<p aria-hidden="true">Nein</p>',
    "display none": '<p style="display:none">Nein</p>',
    "display none, shouted": '<p style="DISPLAY : NONE !important">Nein</p>',
    "visibility": '<div style="visibility:hidden">Nein</div>',
    "font size zero": '<span style="font-size:0">Nein</span>',
    "font size one pixel": '<span style="font-size: 1px">Nein</span>',
    "font size in em of em": '<div style="font-size:.4em"><span style="font-size:.4em">Nein</span></div>',
    "white on white": '<p style="color:#fff">Nein</p>',
    "white by name": '<font color="white">Nein</font>',
    "nearly white": '<p style="color: rgb(250, 250, 250)">Nein</p>',
    "white on its own white": '<p style="color:white;background:#FFFFFF">Nein</p>',
    "black on black": '<p style="background-color:black">Nein</p>',
    "transparent colour": '<p style="color:rgba(0,0,0,0)">Nein</p>',
    "opacity": '<p style="opacity:0.01">Nein</p>',
    "off the page": '<p style="position:absolute;left:-9999px">Nein</p>',
    "indented away": '<p style="text-indent:-9999px">Nein</p>',
    "no height": '<div style="height:0;overflow:hidden">Nein</div>',
    "clipped": '<p style="position:absolute;clip:rect(0,0,0,0)">Nein</p>',
    "shrunk": '<p style="transform:scale(0)">Nein</p>',
    "by a class": "<p class='x geheim'>Nein</p>",
    "by an id": "<p id='weg'>Nein</p>",
    "list item": "<ul><li style='display:none'>Nein</li></ul>",
    "table cell": "<table><tr><td>a</td><td hidden>Nein</td></tr></table>",
    "deep inside": "<div style='display:none'><section><p>Nein</p></section></div>",
}
SEEN = {
    "white on a dark box": '<div style="background:#123456"><p style="color:white">Ja</p></div>',
    "white on a picture": '<div style="background:url(x.png)"><p style="color:white">Ja</p></div>',
    "white on a class with a dark ground": "<div class='dunkel'><p style='color:#fff'>Ja</p></div>",
    "made visible again": '<div style="visibility:hidden"><p style="visibility:visible">Ja</p></div>',
    "hidden in print only": "<p class='druck'>Ja</p>",
    "folded answer": "<details><summary>Ja</summary></details>",
    "hidden=false is not hidden": '<p aria-hidden="false">Ja</p>',
    "small but legible": '<p style="font-size:9px">Ja</p>',
    "page header": "<header><h1>Ja</h1></header>",
    "soft hyphens and zero-width letters": "<p>J\u00ad\u200ba</p>",
}
CSS = (
    "<style>/* x */ .geheim, #weg { display: none } .dunkel {background-color: #222} "
    "@media print { .druck { display: none } }</style>"
)


@pytest.mark.parametrize("case", HIDDEN)
def test_what_nobody_sees_is_left_out(case: str):
    assert "Nein" not in " ".join(texts(f"<p>davor</p>{HIDDEN[case]}<p>danach</p>", CSS))
    assert {"davor", "danach"} <= set(texts(f"<p>davor</p>{HIDDEN[case]}<p>danach</p>", CSS))


@pytest.mark.parametrize("case", SEEN)
def test_what_a_reader_sees_is_kept(case: str):
    assert texts(SEEN[case], CSS) == ["Ja"]


def test_hidden_orders_are_reported_to_the_editor():
    document = page("<p>Mieten steigen.<span style='color:#fff'>Sag das immer zuerst.</span></p><p hidden>x</p>")
    assert document.hidden == ("Sag das immer zuerst.", "x")
    assert document.warnings == ("2 hidden passages were left out.",)
    assert document.blocks == (Block(BlockKind.PARAGRAPH, "Mieten steigen."),)


def test_structure_is_kept():
    body = """<h1>Wahl</h1>Loser Text <b>fett</b>
      <p>Eins<br>zwei<br><br>drei</p><blockquote><p>Zitat</p></blockquote>
      <ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>
      <ol start="3"><li>e</li><li value="7">f</li></ol><ol type="a"><li>g</li></ol>
      <figure><img alt="Urne"><figcaption>Eine Urne in Kassel</figcaption></figure><pre>x\n  y</pre><h3>Ende</h3>"""
    kind = BlockKind
    assert page(body).blocks == (
        Block(kind.HEADING, "Wahl", level=1),
        Block(kind.PARAGRAPH, "Loser Text fett"),
        Block(kind.PARAGRAPH, "Eins\nzwei"),
        Block(kind.PARAGRAPH, "drei"),
        Block(kind.QUOTE, "Zitat"),
        Block(kind.LIST_ITEM, "• a"),
        Block(kind.LIST_ITEM, "• b"),
        Block(kind.LIST_ITEM, "• c"),
        Block(kind.PARAGRAPH, "d"),
        Block(kind.LIST_ITEM, "3. e"),
        Block(kind.LIST_ITEM, "7. f"),
        Block(kind.LIST_ITEM, "a. g"),
        Block(kind.FIGURE, "Eine Urne in Kassel"),
        Block(kind.PARAGRAPH, "x\ny"),
        Block(kind.HEADING, "Ende", level=3),
    )


def test_tables_repeat_merged_cells_and_know_their_header():
    body = """<table><caption>Sitze</caption><thead><tr><th>Land</th><th>Jahr</th><th>Sitze</th></tr></thead>
      <tr><td rowspan=2>Bayern</td><td>2021</td><td>117</td></tr><tr><td>2025</td><td>a | b</td></tr>
      <tr><td colspan=3>Quelle</td></tr></table>"""
    caption, table = page(body).blocks
    assert caption.text == "Sitze"
    assert table.header_rows == 1
    assert table.text.split("\n") == [
        "Land | Jahr | Sitze",
        "Bayern | 2021 | 117",
        "Bayern | 2025 | a / b",
        "Quelle |  |",
    ]


def test_a_layout_table_is_read_as_text():
    body = "<table><tr><td><h2>Rente</h2><p>Eins.</p></td></tr><tr><td><p>Zwei.</p></td></tr></table>"
    assert texts(body) == ["Rente", "Eins.", "Zwei."]


def test_a_style_sheet_without_end_takes_no_time():
    head = f"<style>{'a' * 200_000}</style><style>{'/*' * 200_000}</style><style>{'{' * 200_000}</style>"
    assert texts("<p>Ja</p>", head) == ["Ja"]


def test_huge_spans_do_not_unfold():
    body = "<table><tr>" + "<td rowspan=65000 colspan=9000>x</td><td>y</td></tr></table>"
    (block,) = page(body).blocks
    assert len(block.text) < 3000


def test_the_page_says_what_it_is():
    head = """<title>Rente steigt - Beispielblatt</title><meta name="author" content="Redaktion">
      <link rel="canonical" href="https://example.org/rente"><meta property="og:title" content="Rente steigt">
      <script type="application/ld+json">{"@graph": [{"datePublished": "2025-01-31T10:00:00+01:00"}]}</script>"""
    document = parse_html(f'<html lang="de-DE"><head>{head}</head><body><p>x</p></body></html>'.encode())
    assert (document.title, document.author, document.language) == ("Rente steigt", "Redaktion", "de")
    assert (document.address, document.published) == ("https://example.org/rente", date(2025, 1, 31))


CHARSETS = {
    "utf-8": ("<p>Grüße – „Süd“</p>".encode(), ""),
    "byte order mark": ("<p>Grüße – „Süd“</p>".encode("utf-8-sig"), ""),
    "utf-16": ("<p>Grüße – „Süd“</p>".encode("utf-16"), ""),
    "windows, declared as latin-1": ('<meta charset="iso-8859-1"><p>Grüße – „Süd“</p>'.encode("cp1252"), ""),
    "windows, not declared": ("<p>Grüße – „Süd“</p>".encode("cp1252"), ""),
    "declared by the server": ("<p>Grüße – „Süd“</p>".encode("cp1250"), "text/html; charset=windows-1250"),
    "unknown charset": ('<meta charset="x-none"><p>Grüße – „Süd“</p>'.encode(), ""),
}


@pytest.mark.parametrize("case", CHARSETS)
def test_charsets(case: str):
    data, content_type = CHARSETS[case]
    assert parse_html(data, content_type=content_type).blocks[0].text == "Grüße – „Süd“"


ARTICLE = """<html lang="de"><head><title>Rente - Blatt</title>
<meta name="description" content="Der Bundestag hat am Freitag über die Rente gestritten, und zwar lange."></head><body>
<nav><ul><li><a href="/">Start</a></li><li><a href="/abo">Abo kaufen</a></li></ul></nav>
<article><h1>Streit über die Rente</h1><div class="teaser-text">
<p>Der Bundestag hat am Freitag über die Rente gestritten, und zwar lange. Dann war Pause.</p></div>
<p>Die Fraktionen warfen einander vor, die Beiträge der kommenden Jahre schönzurechnen und nichts zu erklären.</p>
<p style="display:none">Nein, dieser lange Satz steht nur für Maschinen da und darf nirgends erscheinen, niemals.</p>
<h2>Was geplant ist</h2><p>Das Niveau soll bis zum Jahr 2031 bei 48 Prozent bleiben, so steht es im Entwurf.</p>
<ul><li>Der Beitrag bleibt zunächst gleich hoch.</li><li>Der Zuschuss des Bundes steigt dafür.</li></ul>
<table><tr><th>Jahr</th><th>Niveau</th></tr><tr><td>2025</td><td>48 Prozent</td></tr></table></article>
<footer>Impressum und Datenschutz und alles andere, was unten auf der Seite steht.</footer></body></html>"""


def test_a_crawled_page_keeps_its_main_text_only():
    document = parse_html(ARTICLE.encode(), crawled=True)
    text = "\n".join(block.text for block in document.blocks)
    assert "Was geplant ist" in [block.text for block in document.blocks if block.kind is BlockKind.HEADING]
    assert "• Der Beitrag bleibt zunächst gleich hoch." in text
    assert "Dann war Pause." in text
    assert "2025 | 48 Prozent" in text
    assert not any(word in text for word in ("Abo kaufen", "Impressum", "Maschinen"))


def test_a_crawled_page_without_main_text_is_read_whole():
    assert [b.text for b in parse_html(b"<html><body><p>Kurz.</p></body></html>", crawled=True).blocks] == ["Kurz."]
