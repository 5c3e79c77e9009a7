"""One sentence that turns down many: `all of the above is wrong`, `the following are myths: ...`.

It must say both which sentences (above, below) and that it means all of them: one statement that
is called wrong is read in `stance`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.domain.assertions.model import Frame, Stance
from service.domain.text import Span

SENTENCE: Final = re.compile(
    r"[^。！？!?\n.:：]+(?:\.(?!\s|$)[^。！？!?\n.:：]*)*[。！？!?\n.:：]?"
)
FAULT: Final = (
    r"(?:wrong|false|untrue|incorrect|mistaken|nonsense|rubbish|myths?|misconceptions?|mistakes?|"
    r"errors?|fallacies|misunderstandings?|not (?:true|right|correct|so))"
)
TRUTH: Final = r"(?:true|right|correct|accurate|holds?|is so|applies)"
REFUSE: Final = r"(?:disagree with|reject|deny|do not believe|don't believe|would not say)"
ALL: Final = r"(?:all|both|every\w*|each|any(?:thing)?)"
NONE: Final = r"(?:none|nothing|neither|not one|no (?:part|word|sentence|statement))"
BACK: Final = r"(?:above|so far|before(?: this)?|i(?:'ve| have)? (?:just )?(?:said|listed|claimed))"
AHEAD: Final = r"(?:following|below|these|what follows|comes next)"
GAP: Final = r"[^\n]{0,40}?\b"
ZH_FAULT: Final = (
    r"(?:错|误解|误区|谬误|有误|不对|不成立|不正确|不属实|不是真的|"
    r"不同意|不认同|不赞同|反对|站不住)"
)
ZH_ALL: Final = r"(?:全|都|每|皆|均|统统|一律|没有一|无一)"
ZH_BACK: Final = r"(?:以上|上面|上述|前面|刚才|前述)"
ZH_AHEAD: Final = r"(?:以下|下面|下列|如下|接下来)"


def _patterns(deictic: str, zh_deictic: str) -> re.Pattern[str]:
    forms = (
        rf"\b{ALL}\b{GAP}{deictic}\b{GAP}{FAULT}\b",
        rf"\b{deictic}\b{GAP}{ALL}\b{GAP}{FAULT}\b",
        rf"\b{NONE}\b{GAP}{deictic}\b{GAP}{TRUTH}\b",
        rf"\b{REFUSE}\b{GAP}{ALL}\b{GAP}{deictic}\b",
        rf"{zh_deictic}[^\n]{{0,14}}?{ZH_ALL}[^\n]{{0,12}}?{ZH_FAULT}",
        rf"{ZH_ALL}[^\n]{{0,6}}?{zh_deictic}[^\n]{{0,12}}?{ZH_FAULT}",
    )
    return re.compile("|".join(forms), re.IGNORECASE)


OF_ABOVE: Final = _patterns(BACK, ZH_BACK)
OF_BELOW: Final = _patterns(AHEAD, ZH_AHEAD)
# One statement announced as wrong, which follows the colon ...
ANNOUNCED: Final = re.compile(
    rf"\b(?:following|next) (?:statement|claim|sentence|idea|view)\b[^\n]{{0,20}}?\b"
    rf"{FAULT}\b[^\n]*:$|"
    rf"(?:下面|以下|下列|接下来)这?(?:个|句|种|条)?(?:说法|观点|话|看法|结论)"
    rf"[^\n]{{0,6}}{ZH_FAULT}[^\n]*[:：]$",
    re.IGNORECASE,
)
# ... or enclosed by what is said of it.
ENCLOSED: Final = re.compile(
    rf"(?<!used )\bto (?:say|claim|argue|think|believe) (?:that )?[^\n]{{8,400}}?\bis {FAULT}\b|"
    rf"(?:^|，|,)\s*要?说[^\n]{{6,300}}，这(?:就|可)?是?{ZH_FAULT}",
    re.IGNORECASE,
)
# `Not all of it is wrong` turns down nothing.
SPARED: Final = re.compile(
    r"\bnot (?:all|every\w*|each|both)\b|并非|不全|不都|不是(?:都|全|每)|未必", re.IGNORECASE
)
# From here the speaker says what is right instead.
TURN: Final = re.compile(
    r"\s*(?:in fact|in truth|in reality|actually|rather|instead|what is true|the truth|"
    r"the right|correct(?:ly)?\b|其实|实际上|事实上|正确|真正|应该是|而是)",
    re.IGNORECASE,
)


def deny_wholesale(text: str, frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames with those turned down that such a sentence speaks of; linear in length."""
    denied = _denied(text)
    if not denied:
        return tuple(frames)
    return tuple(
        replace(f, stance=Stance.REJECTED) if f.stance in HELD and _inside(f, denied) else f
        for f in frames
    )


HELD: Final = frozenset({Stance.ASSERTED, Stance.HEDGED})


def _inside(frame: Frame, denied: Sequence[Span]) -> bool:
    """`denied` is sorted and disjoint."""
    place = bisect_left(denied, frame.span.end, key=lambda span: span.start)
    return place > 0 and denied[place - 1].end > frame.span.start


def _denied(text: str) -> list[Span]:
    """Sorted, disjoint: each stretch between two turns is denied from and to one place."""
    found: list[Span] = []
    since, opened = 0, None
    for match in SENTENCE.finditer(text):
        said = match[0]
        if TURN.match(said):
            found += [Span(opened, match.start())] if opened is not None else []
            since, opened = match.end(), None
        elif said.endswith(("?", "？")) or SPARED.search(said):
            continue
        elif OF_ABOVE.search(said):
            found.append(Span(since, match.start()))
            since = match.end()
        elif opened is None and OF_BELOW.search(said):
            opened = match.end()
    if opened is not None:
        found.append(Span(opened, len(text)))
    return _merged([*found, *_single(text)])


def _single(text: str) -> Iterator[Span]:
    """Sentences that are called wrong alone, by what stands before or around them."""
    is_announced = False
    for match in SENTENCE.finditer(text):
        said = match[0]
        if is_announced or ENCLOSED.search(said):
            yield Span(match.start(), match.end())
        is_announced = bool(ANNOUNCED.search(said)) and not OF_BELOW.search(said)


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        elif span.end > span.start:
            merged.append(span)
    return merged
