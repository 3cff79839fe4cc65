"""Strings that break things: made by code, several hundred, each with a name of its kind."""

from __future__ import annotations

from collections.abc import Iterator

SEEDS = {
    "script": [
        "<a href=//evil.example>x</a>",
        "<iframe src=//evil.example>",
        "</textarea><b>",
        "&lt;b&gt;",
        "&#0;",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "javascript:alert(1)",
        "'\"><svg onload=x>",
    ],
    "sql": ["'; DROP TABLE x; --", "1 OR 1=1", "%' AND '1'='1", "\\'; SELECT pg_sleep(0)--", "$$", "E'\\x00'"],
    "template": ["{{ 7*7 }}", "{% debug %}", "${7*7}", "#{7*7}", "<%= 7 %>", "{{request}}", "{%load x%}"],
    "format": ["%s%s%s%n", "%(x)s", "{0.__class__}", "%d" * 50, "{}" * 50, "%", "%%", "%zz"],
    "path": ["../../etc/passwd", "..\\..\\x", "/dev/null", "file:///etc/passwd", "C:\\con"],
    "number": ["0", "-1", "1e309", "NaN", "Infinity", "9" * 400, "0x7f", "1/0", "٣", "½", "Ⅷ"],
    "word": ["null", "None", "undefined", "true", "nil", "[]", "{}", "__proto__", "constructor"],
    "break": ["a\r\nSet-Cookie: x=1", "a\nb", "a\u2028b", "a\u2029b", "a\x0bb", "\ufeffa", "a\u0085b"],
    "direction": ["\u202eabc", "\u2066x\u2069", "\u200f\u200e", "ابجد", "שלום עולם", "a\u061cb"],
    "pile": ["e" + "\u0301" * 500, "Z\u0351\u036b\u0343\u036a\u0302", "\u0300", "\ufe0f" * 100],
    "emoji": ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏿", "🇩🇪🇦🇹", "\U0010ffff", "❤️🔥" * 60],
    "wide": ["﷽" * 50, "ｗｉｄｅ", "𝔉𝔯𝔞𝔤𝔢", "ß" * 300, "ſﬁ", "İıI", "Å\u212b", "漢字" * 100],
    "control": [chr(code) for code in range(32)] + [chr(code) for code in range(127, 160)],
    "invisible": [chr(code) for code in (0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF, 0xE0001)],
    "plain": ["", " ", "\t", "\u00a0", "?", "a", ".", "§", "„“", "…"],
}
FRAMES = ["{}", "Wie hoch ist {}?", "{}{}", "Was sagt {} zu {}?"]


def naughty_strings() -> Iterator[str]:
    """Yield every seed alone, in a question and doubled; at least 515 different ones."""
    seen: set[str] = set()
    for seeds in SEEDS.values():
        for seed in seeds:
            for frame in FRAMES:
                text = frame.replace("{}", seed)
                if text not in seen:
                    seen.add(text)
                    yield text


# What no text field of a browser can send, but a hand-made request can.
RAW_BODIES = [
    b"question=%00",
    b"question=a%00b",
    b"question=%ED%A0%80",
    b"question=%ED%A0%BD%20Frage",
    b"question=%FF%FE%FD",
    b"question=%C0%AF",
    b"question=" + b"%F0%9F" * 10,
    b"question=" + b"a" * 1_000_000,
    b"question=" + b"%00" * 300_000,
    b"question=" + b"%CC%81" * 10_000,
    b"question=a&" * 900,
    b"conversation=%00&question=a",
    b"conversation=../..&question=a",
    b"conversation=" + b"f" * 10_000 + b"&question=a",
    b"\x00\x01\x02",
    b"",
    b'{"question": "\\ud83d"}',
]
