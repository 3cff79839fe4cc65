"""Whatever a file does to its child process, the worker gets a reason and takes the next file."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from apps.documents.parsing.feeds import parse_feed
from apps.documents.parsing.limits import Limits
from apps.documents.parsing.sandbox import parse_in_child, read_feed_in_child
from apps.documents.parsing.types import ParsingError
from tests.documents.parsing.office_files import docx, paragraph

HEAD = "import sys, os, time, signal, json; sys.stdin.buffer.read();"
REAL = textwrap.dedent(
    """
    import json, sys, types
    from apps.documents.parsing import child, formats
    def hostile(data, **_):
        {body}
    formats.parse = hostile
    sys.exit(child.main())
    """
)


def script(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def hostile(body: str) -> tuple[str, ...]:
    """Return a command that runs the real child, whose parser does what a hostile file makes it do."""
    return script(REAL.format(body=body))


ENDS = {
    "hang": (script("import time; time.sleep(600)"), "timeout", Limits(seconds=0.5)),
    "hang in the parser": (hostile("while True: pass"), "timeout", Limits(seconds=1)),
    "killed": (script(HEAD + "os.kill(os.getpid(), signal.SIGKILL)"), "crashed", Limits()),
    "segmentation fault": (script(HEAD + "os.kill(os.getpid(), signal.SIGSEGV)"), "crashed", Limits()),
    "dies before it reads": (script("raise SystemExit(3)"), "crashed", Limits()),
    "says nothing": (script(HEAD), "crashed", Limits()),
    "says garbage": (script(HEAD + "print('%PDF')"), "crashed", Limits()),
    "says half": (script(HEAD + 'print(\'{"document": {"blocks": [[\')'), "crashed", Limits()),
    "says wrong types": (script(HEAD + "print(json.dumps({'document': {'blocks': [[1]]}}))"), "crashed", Limits()),
    "takes all memory": (hostile("return bytearray(4 << 30)"), "memory", Limits(memory_mb=512)),
    "unexpected error": (hostile("raise KeyError('geheimer Text')"), "damaged", Limits()),
}


@pytest.mark.parametrize("case", ENDS)
def test_every_end_is_a_reason_and_the_next_file_works(case: str):
    command, code, limits = ENDS[case]
    with pytest.raises(ParsingError) as caught:
        parse_in_child(docx(paragraph("x")), name="a.docx", limits=limits, command=command)
    assert caught.value.code == code
    assert caught.value.reason.endswith(".")
    document = parse_in_child(docx(paragraph("Grüße")), name="a.docx")
    assert [block.text for block in document.blocks] == ["Grüße"]


def test_a_slow_document_is_stopped():
    page = b"<html><body>" + b"<div><table><tr><td>" * 30 + b"<p>x y</p>" * 400_000
    with pytest.raises(ParsingError) as caught:
        parse_in_child(page, name="a.html", limits=Limits(seconds=0.4))
    assert caught.value.code == "timeout"


def test_a_document_that_needs_much_memory_is_stopped():
    page = b"<html><body>" + b"<p>a<b>b</b></p>" * 1_500_000
    with pytest.raises(ParsingError) as caught:
        parse_in_child(page, name="a.html", limits=Limits(memory_mb=300))
    assert caught.value.code == "memory"


@pytest.mark.parametrize("limits", [Limits(max_blocks=999), Limits(max_output=2000)], ids=["blocks", "output"])
def test_a_text_that_would_fill_the_worker_s_memory_is_refused_by_the_child(limits: Limits):
    with pytest.raises(ParsingError) as caught:
        parse_in_child(b"ab\n\n" * 1000, name="a.txt", limits=limits)
    assert caught.value.code == "too_large"
    assert caught.value.reason.endswith(".")
    assert len(parse_in_child(b"ab\n\n" * 1000, name="a.txt").blocks) == 1000


def test_a_child_that_says_more_than_it_may_is_not_read():
    answer = HEAD + "print(json.dumps({'document': {'title': 'x' * 3000}}))"
    with pytest.raises(ParsingError) as caught:
        parse_in_child(b"x", name="a.txt", limits=Limits(max_output=2000), command=script(answer))
    assert caught.value.code == "too_large"


def test_what_the_child_started_ends_with_it(tmp_path: Path):
    note = tmp_path / "pid"
    code = (
        "import subprocess, sys; p = subprocess.Popen(['sleep', '600']);"
        f"open({str(note)!r}, 'w').write(str(p.pid)); sys.exit(3)"
    )
    with pytest.raises(ParsingError):
        parse_in_child(b"x", name="a.txt", command=script(code))
    assert _ends(int(note.read_text()))


def _ends(process_id: int) -> bool:
    """Return whether a process is gone, or dead and waiting to be collected, within five seconds."""
    for _ in range(100):
        try:
            os.kill(process_id, 0)
            if Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_the_child_sees_no_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://u:geheim@db/x")
    imports = "import os; from apps.documents.parsing.plain import parse_plain;"
    body = f"{imports} return parse_plain(chr(32).join(os.environ).encode())"
    document = parse_in_child(b"x", name="a.txt", command=hostile(body))
    assert "DATABASE_URL" not in document.blocks[0].text
    assert "OMP_NUM_THREADS" in document.blocks[0].text


def test_the_log_gets_places_and_no_document_text(caplog: pytest.LogCaptureFixture):
    command = hostile("print('geheimer Text', file=sys.stderr); raise KeyError('geheimer Text')")
    with caplog.at_level(logging.WARNING), pytest.raises(ParsingError) as caught:
        parse_in_child(b"x", name="geheimer Name.txt", command=command)
    assert "KeyError" in caplog.text
    assert "'.txt'" in caplog.text
    assert "geheimer" not in caplog.text + caught.value.reason


def test_a_library_that_prints_does_not_spoil_the_answer():
    command = hostile("print('noise'); from apps.documents.parsing.plain import parse_plain; return parse_plain(data)")
    assert parse_in_child(b"Ein Satz.", name="a.txt", command=command).blocks[0].text == "Ein Satz."


def test_limits_hold_before_a_process_starts():
    with pytest.raises(ParsingError) as caught:
        parse_in_child(b"xx", name="a.txt", limits=Limits(max_bytes=1), command=("/nonexistent",))
    assert caught.value.code == "too_large"


def test_the_parent_may_have_a_strange_folder_and_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    os.environ.pop("PYTHONPATH", None)
    document = parse_in_child("# Grüße\n\nText".encode(), name="Ünïcode \ud83d\n.md")
    assert document.title == "Grüße"


def test_documents_travel_unchanged():
    from datetime import date

    from apps.documents.parsing.serialising import document_from_json, document_to_json
    from apps.documents.parsing.types import Block, BlockKind, LineBox, Page, ParsedDocument

    document = ParsedDocument(
        (
            Block(BlockKind.HEADING, "Grüße", 2, 1, 1),
            Block(BlockKind.TABLE, "a | b\n1 | 2", 0, 1, 2, 1, (LineBox(0, 5, 1, 0.5, 1.0, 2.0, 3.0),)),
        ),
        title="T",
        language="de",
        author="A",
        published=date(2025, 2, 23),
        address="https://example.org/",
        pages=(Page(1, 595.0, 842.0, True),),
        warnings=("1 hidden passage was left out.",),
        needs_review=True,
        hidden=("x",),
    )
    assert document_from_json(json.loads(json.dumps(document_to_json(document)))) == document


def test_the_child_starts_without_any_parser():
    code = (
        "import sys; import apps.documents.parsing.child, apps.documents.parsing.formats;"
        "heavy = {'lxml', 'trafilatura', 'openpyxl', 'pypdfium2', 'feedparser', 'markdown_it', 'django'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


FEED = b"""<rss version="2.0"><channel><item><title>Rente</title><link>https://example.org/1</link>
<pubDate>Fri, 31 Jan 2025 10:00:00 +0100</pubDate></item></channel></rss>"""


def test_a_feed_is_read_in_the_child():
    (entry,) = read_feed_in_child(FEED)
    assert entry == parse_feed(FEED)[0]
    with pytest.raises(ParsingError) as caught:
        read_feed_in_child(b"kein Feed")
    assert caught.value.code == "damaged"
    with pytest.raises(ParsingError) as caught:
        read_feed_in_child(FEED, command=script("import time; time.sleep(600)"), limits=Limits(seconds=0.3))
    assert caught.value.code == "timeout"
