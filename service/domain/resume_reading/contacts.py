"""Name, e-mail, phone, city and links from the head of a résumé; nothing is made up."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.resume import Repair
from service.domain.resume_reading.dates import find_dates
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.parts import is_place, title_score, without_dates
from service.domain.resume_reading.words import ResumeWords, any_word
from service.domain.resume_reading.wrapped import unwrapped

_EMAIL: Final = re.compile(
    r"[A-Za-z0-9][\w.+-]{0,62}@[A-Za-z0-9-]{1,62}(?:\.[A-Za-z0-9-]{1,62}){0,4}\.[A-Za-z]{2,18}"
)
_SPACED_EMAIL: Final = re.compile(
    r"(?:[\w.+-]{1,2}\s){2,40}[\w.+-]{0,2}\s?@\s?(?:[\w.-]{1,2}\s){2,40}[\w.-]{1,2}"
)
_PHONE: Final = re.compile(
    # With a country's code the groups may be short (+33 6 12 34 56 78, +44 (0)20 7946 0000).
    r"(?<![\w.@/])[(（]?\+\s?\d{1,3}[)）]?[\s.-]{0,2}(?:[(（]\d{1,4}[)）]\s?)?\d{1,11}(?:[\s.–-]{1,2}\d{1,8}){0,6}(?![\w@/])"
    r"|(?<![\w.@/])(?:[(（]\d{2,4}[)）]|\d{2,11})(?:[\s.-]{1,2}\d{2,8}){0,4}(?![\w@/])"
)
_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s，。；、|｜<>()（）\"']{3,200}|(?<![@\w.])(?:[A-Za-z0-9-]{1,63}\.){1,3}"
    r"(?:com|org|net|io|me|dev|ai|cn|edu|tech|info|xyz|page|app|co|site|blog|cc|top|wiki|uk|de|fr|ch|ca|in|us|eu|se|no|fi|dk|nl|jp|kr|sg|hk|tw|au|nz|br|es|it|pl|cz|at|be|ie|pt|ee|lt|lv|hu|ro|gr|tr|il|za|ng|ke|space|online|cloud|run|gg|im|fun|pro|name|works|systems|studio|science|academy|institute|design|codes|engineer|ink|link|one|moe|digital|network|team|world|life|live|software|technology|vip|ac)(?:/[^\s，。；、|｜<>()（）]{0,200})?(?![\w@])",
    re.IGNORECASE,
)
LONGEST_SLOGAN: Final = 20
_LEAST_PHONE_DIGITS: Final = 7
_MOST_PHONE_DIGITS: Final = 15
_SEPARATORS: Final = re.compile(r"\t+|\s*[|｜•·∙⋅◆]\s*|\s{2,}|[，；;]\s*")
_LABELLED: Final = re.compile(r"^\s*([^:：\t|]{1,16}?)\s*[:：]\s*(.+)$")
_HAN_NAME: Final = re.compile(r"[\u3400-\u9fff]{2,4}(?:·[\u3400-\u9fff]{1,6})?")
_LATIN_NAME: Final = re.compile(
    r"(?:[A-ZÀ-ÞĞİŞÇÖÜ][\w'’.-]*|de|van|von|der|la|bin|al|da|di|du|le|ben|el)(?:\s+(?:[A-ZÀ-ÞĞİŞÇÖÜ(“\"][\w'’.)”\"-]*|de|van|von|der|la|bin|al|da|di|du|le|ben|el)){0,4}"
)
_NOT_NAMES: Final = re.compile(
    r"\d|@|简历|resume|résumé|curriculum|vitae|\bcv\b|profile|学历|求职|电话|邮箱|教育|技能|工作|项目|经历|男|女$|https?|university|大学|公司",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(
    r"\s*[(（,，|｜/\t].*$|\s+(?:男|女|先生|女士|求职|应聘|\d).*$|\s*(?:的)?(?:个人)?简历$|\s*[,，]?\s*(?:Ph\.?D\.?|M\.?D\.?|MBA|M\.?Sc\.?|he/him|she/her|they/them)\.?$",
    re.IGNORECASE,
)
_ORNAMENT: Final = re.compile(r"^[^\w\u3400-\u9fff]+|[^\w\u3400-\u9fff.)）]+$")


@dataclass(frozen=True, slots=True)
class Found:
    """A value, the line it stands on and how sure the reading is (0..1)."""

    value: str
    line: Line | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Contacts:
    name: Found | None
    email: Found | None
    phone: Found | None
    city: Found | None
    urls: tuple[Found, ...]
    repairs: tuple[Repair, ...] = ()


def read_contacts(head: Sequence[Line], rest: Sequence[Line], words: ResumeWords) -> Contacts:
    """`head` are the lines before the first section and those of a contact section."""
    head = unwrapped([*head, *_strayed(head, rest)])
    labelled = dict(reversed(list(_labelled(head, words))))
    email, repairs = _email(head, rest)
    phone = _phone(head, labelled.get("phone"))
    return Contacts(
        name=_name(head, labelled.get("name"), words),
        email=email,
        phone=phone,
        city=_city(head, labelled.get("city"), words),
        urls=tuple(_urls(head)),
        repairs=repairs,
    )


_STRAYED: Final = 5  # lines on either side of the address


def _strayed(head: Sequence[Line], rest: Sequence[Line]) -> list[Line]:
    """Contacts that columns carried below the first heading: the e-mail and the lines beside it.

    Only lines that are nothing but contacts count, so no work is taken for a phone.
    """
    if any(_EMAIL.search(line.whole) for line in head):
        return []
    known = {id(line) for line in head}
    at = next((i for i, x in enumerate(rest) if _EMAIL.search(x.whole) and _is_contact(x)), None)
    if at is None or id(rest[at]) in known:
        return []
    beside = rest[max(0, at - _STRAYED) : at + _STRAYED + 1]
    return [line for line in beside if id(line) not in known and _is_contact(line)]


def _is_contact(line: Line) -> bool:
    left = _PHONE.sub(" ", _URL.sub(" ", _EMAIL.sub(" ", line.whole)))
    if line.bullet or left == line.whole or find_dates(line.whole) is not None:
        return False
    return not any(c.isalpha() for piece in _SEPARATORS.split(left) for c in _unlabelled(piece))


def _unlabelled(piece: str) -> str:
    """`Email:` before a value says what it is."""
    return re.sub(r"^\s*[^\s:：]{1,16}\s*[:：]", "", piece)


def _labelled(head: Sequence[Line], words: ResumeWords) -> Iterator[tuple[str, Found]]:
    for line in head:
        for piece in _SEPARATORS.split(line.whole):
            match = _LABELLED.match(piece)
            field = words.labels.get(match[1].strip(" *#").lower()) if match else None
            if match is not None and field is not None:
                yield field, Found(match[2].strip(" *"), line, 1.0)


def _email(head: Sequence[Line], rest: Sequence[Line]) -> tuple[Found | None, tuple[Repair, ...]]:
    """The text's own address; a link where the text is broken; letter spacing closed up last."""
    written = next(_found(_EMAIL, head), None)
    linked = next(_linked_emails((*head, *rest)), None)
    if written is not None and (linked is None or linked.value.lower() == written.value.lower()):
        return written, ()
    if linked is not None:
        before = written.value if written else ""
        repair = (Repair("email", before, linked.value, "from_link"),) if before else ()
        return (
            (written or linked, ())
            if written and not _is_worse(before, linked.value)
            else (linked, repair)
        )
    spaced = next(_found(_SPACED_EMAIL, head), None)
    if spaced is not None:
        closed = re.sub(r"\s+", "", spaced.value)
        if _EMAIL.fullmatch(closed):
            return Found(closed, spaced.line, 0.8), (
                Repair("email", spaced.value, closed, "glyphs"),
            )
    return next(_found(_EMAIL, rest), None), ()


def _is_worse(written: str, linked: str) -> bool:
    """A stray icon letter in front, or a part of the address lost."""
    return linked.lower() in written.lower() or written.lower() in linked.lower()


def _found(pattern: re.Pattern[str], lines: Iterable[Line]) -> Iterator[Found]:
    for line in lines:
        for match in pattern.finditer(line.whole):
            yield Found(match[0], line, 1.0)


def _linked_emails(lines: Iterable[Line]) -> Iterator[Found]:
    for line in lines:
        for link in line.links:
            match = _EMAIL.search(link) if link.lower().startswith("mailto:") else None
            if match is not None:
                yield Found(match[0], line, 0.95)


def _phone(head: Sequence[Line], labelled: Found | None) -> Found | None:
    if labelled is not None:
        match = next((m for m in _PHONE.finditer(labelled.value) if _is_phone(m[0])), None)
        if match is not None:
            return Found(match[0].strip(), labelled.line, 1.0)
    for line in head:
        blank = _EMAIL.sub(" ", _URL.sub(lambda m: " " * len(m[0]), line.whole))
        for match in _PHONE.finditer(blank):
            if _is_phone(match[0]):
                return Found(match[0].strip(), line, 0.95)
    closed = _spaced_phone(head)
    return closed or _linked_phone(head)


def _is_phone(written: str) -> bool:
    digits = re.sub(r"\D", "", written)
    if not _LEAST_PHONE_DIGITS <= len(digits) <= _MOST_PHONE_DIGITS:
        return False
    return find_dates(written) is None or len(digits) > 10  # noqa: PLR2004 - a range of years has 8 to 10 digits


def _spaced_phone(head: Sequence[Line]) -> Found | None:
    """Letter-spaced digits: "0 1 2 3 4 5 6 7 8 9"."""
    for line in head:
        match = re.search(r"(?<!\d)\+?(?:\d{1,2}\s){5,14}\d{1,2}(?!\d)", line.whole)
        digits = re.sub(r"\s+", "", match[0]) if match else ""
        if _LEAST_PHONE_DIGITS <= len(digits) <= _MOST_PHONE_DIGITS:
            return Found(digits, line, 0.8)
    return None


def _linked_phone(head: Sequence[Line]) -> Found | None:
    links = ((line, link) for line in head for link in line.links)
    return next((Found(k[4:], ln, 0.9) for ln, k in links if k.lower().startswith("tel:")), None)


def _urls(head: Sequence[Line]) -> Iterator[Found]:
    seen: set[str] = set()
    for line in head:
        text = _EMAIL.sub(lambda m: " " * len(m[0]), line.whole)
        written = [m[0].rstrip(".,;") for m in _URL.finditer(text)]
        linked = [k for k in line.links if k.lower().startswith(("http://", "https://"))]
        for url in (*written, *linked):
            key = _url_key(url)
            if key not in seen and not any(k.startswith(f"{key}/") for k in seen if "/" not in key):
                seen.add(key)
                yield Found(url, line, 1.0)


def _url_key(url: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?|/+$", "", url.lower())


def _city(head: Sequence[Line], labelled: Found | None, words: ResumeWords) -> Found | None:
    if labelled is not None and not _EMAIL.search(labelled.value):
        return Found(_SEPARATORS.split(labelled.value)[0].strip(), labelled.line, 1.0)
    for line in head:
        for piece in (*_SEPARATORS.split(line.whole), *line.whole.split(" - ")):
            text = _ORNAMENT.sub("", piece).strip()
            if text and is_place(text, words):
                return Found(text, line, 0.9)
    return None


def _name(head: Sequence[Line], labelled: Found | None, words: ResumeWords) -> Found | None:
    if labelled is not None:
        return Found(
            _AFTER_NAME.sub("", _SEPARATORS.split(labelled.value)[0]).strip(), labelled.line, 1.0
        )
    candidates = [(line, name) for line in head if (name := _as_name(line, words))]
    if not candidates:
        return next(_titled(head, words), None)
    largest = max(line.size for line, _ in candidates)
    biggest = [c for c in candidates if c[0].size >= largest - 0.5] if largest else candidates
    marked = [c for c in biggest if c[0].heading] or biggest
    line, name = marked[0]
    return Found(name, line, 0.9 if line.size or line.heading else 0.7)


def _as_name(line: Line, words: ResumeWords) -> str | None:
    first = _SEPARATORS.split(line.text.strip())[0]
    text = _ORNAMENT.sub("", _AFTER_NAME.sub("", _AFTER_NAME.sub("", first))).strip()
    text = _closed_up(text)
    if not text or _NOT_NAMES.search(text) or line.bullet:
        return None
    if is_place(text, words) or title_score(text, words) or text.lower() in words.sections:
        return None
    if _HAN_NAME.fullmatch(text):
        return text
    plain = _LATIN_NAME.fullmatch(text)
    return text if plain and (" " in text or line.heading or line.size) else _mixed(text)


_ENDS: Final = 2  # the score of what ends in a job title's word
_NAME_AND_TITLE: Final = re.compile(
    r"([A-Z][\w'’-]{0,24}(?: [A-Z][\w'’-]{0,24}){1,3}|[\u3400-\u9fff]{2,4})\s*[,，]?\s+(\S.{1,60})"
)


def _titled(head: Sequence[Line], words: ResumeWords) -> Iterator[Found]:
    """`Zhang San backend engineer`: a name and a job title on one line, when no line is a name."""
    for line in head:
        text = _SEPARATORS.split(line.text.strip())[0]
        match = _NAME_AND_TITLE.fullmatch(text) if not line.bullet else None
        if match is None or title_score(match[1], words) or title_score(match[2], words) < _ENDS:
            continue
        title_begins_small = match[2][:1].islower() or match[2][:1] > "\u3400"
        if title_begins_small and not _NOT_NAMES.search(match[1]):
            yield Found(match[1], line, 0.6)


def _mixed(text: str) -> str | None:
    """李雷 Li Lei: the Chinese name and its spelling."""
    match = re.fullmatch(r"([\u3400-\u9fff]{2,4})\s*([A-Z][A-Za-z\s'-]{1,30})", text)
    return match[1] if match else None


def _closed_up(text: str) -> str:
    """张 三 and J O H N  D O E, written with a space between all letters."""
    if re.fullmatch(r"[\u3400-\u9fff](?:\s+[\u3400-\u9fff]){1,3}", text):
        return re.sub(r"\s+", "", text)
    if re.fullmatch(r"(?:\w\s){3,}\w", text):
        return text.replace(" ", "").title()
    return text


def headline_free(lines: Sequence[Line], contacts: Contacts, words: ResumeWords) -> list[Line]:
    """Lines of the head that carry no contact: the summary a person wrote without a heading."""
    used = {
        id(f.line)
        for f in (contacts.name, contacts.email, contacts.phone, contacts.city, *contacts.urls)
        if f
    }
    personal = any_word(tuple(words.labels))
    return [
        line
        for line in lines
        if id(line) not in used
        and len(without_dates(line.text)) > LONGEST_SLOGAN
        and not personal.match(line.text)
    ]
