"""HTML: uploaded pages by our own walk, crawled pages (menus, teasers) through trafilatura."""

from __future__ import annotations

import lxml.html
from lxml import etree

from apps.documents.parsing.archives import raise_if_memory
from apps.documents.parsing.decoding import declared_charset, decode
from apps.documents.parsing.htmlwalk import HtmlWalker, walk_html
from apps.documents.parsing.types import Block, ParsedDocument, ParsingError
from apps.documents.parsing.webmeta import read_facts


def parse_html(data: bytes, *, name: str = "", crawled: bool = False, content_type: str = "") -> ParsedDocument:
    """Return the page's blocks and what it says about itself.

    ``crawled`` keeps the main text only. Raises ParsingError ``damaged`` when there is no tree to walk.
    """
    text = decode(data, charset=declared_charset(data, content_type))
    root = html_tree(text)
    facts = read_facts(root)
    walker: HtmlWalker | None = None
    blocks: tuple[Block, ...] = ()
    if crawled:
        from apps.documents.parsing.crawled import main_text_blocks

        blocks = main_text_blocks(root)
    if not blocks:
        walker = walk_html(root)
        blocks = tuple(walker.blocks)
    hidden = tuple(walker.hidden) if walker else ()
    return ParsedDocument(
        blocks,
        title=facts.title,
        language=facts.language,
        author=facts.author,
        published=facts.published,
        address=facts.address,
        warnings=hidden_warnings(hidden),
        hidden=hidden,
    )


def html_tree(text: str) -> etree._Element:
    """Return the root of a page's tree, comments and processing instructions removed, nothing fetched."""
    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise_if_memory(error)
        raise ParsingError("damaged", "The page cannot be read as HTML.") from error
    except ValueError as error:
        raise ParsingError("damaged", "The page cannot be read as HTML.") from error
    if root is None:
        raise ParsingError("no_text", "No text was found in the file.")
    return root


def hidden_warnings(hidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentence for the editor about passages that no reader could see."""
    if not hidden:
        return ()
    return (
        ("1 hidden passage was left out.",) if len(hidden) == 1 else (f"{len(hidden)} hidden passages were left out.",)
    )
