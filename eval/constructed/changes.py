"""Ways to change a base answer whose effect on the labels is known."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eval.constructed.bank import LANGUAGES, QUESTIONS, Family, half_of
from eval.constructed.bases import Base, Maker
from eval.constructed.composing import inner
from eval.constructed.dice import Dice
from eval.constructed.labels import Labels, Said, Stance, What
from eval.constructed.wordplay import (
    full_width,
    invisible,
    mistype,
    swap_words,
    without_punctuation,
)

TYPOS_PER_HUNDRED: Final = 4
PADDING: Final = (1, 3, 10)
# No stage keeps its number: a true statement about one becomes false of the other.
TURNS: Final = ({"1": "2", "2": "3", "3": "1"}, {"1": "3", "2": "1", "3": "2"})
HAN_OF: Final = {"1": "一", "2": "二", "3": "三"}
WORD_OF: Final = {"1": "one", "2": "two", "3": "three"}
STAGE: Final = re.compile(
    r"(?:ZeRO-|[Ss]tage |第)(?P<digit>[123一二三]|one|two|three)|(?P<zh>[一二三])阶段"
)
STAGED: Final = ("s1", "s2", "s3", "s4", "s5", "s6", "t2")


@dataclass(frozen=True, slots=True)
class Change:
    """The changed text with its labels; `lost` and `beliefs` as in a case."""

    text: str
    labels: Labels
    lost: tuple[str, ...] = ()
    beliefs: tuple[str, ...] = ()


Changer = Callable[[Maker, Base, Dice], Change | None]


def _as_before(base: Base, text: str) -> Change:
    return Change(text, base.labels)


def _resaid(maker: Maker, base: Base, said: Sequence[Said], **more: tuple[str, ...]) -> Change:
    changed = maker.retell(base, said)
    return Change(changed.text, changed.labels, **more)


def _whole(base: Base) -> list[int]:
    """Where the base states a point in full that no other of its statements implies."""
    told = [s for s in base.said if s.what is What.WHOLE]
    implied = {p for s in told for p in base.question.points[s.about].implies}
    return [i for i, s in enumerate(base.said) if s in told and s.about not in implied]


def _put(said: Sequence[Said], place: int, *new: Said) -> tuple[Said, ...]:
    return (*said[:place], *new, *said[place + 1 :])


# ---- the same meaning


def shuffled_sentences(maker: Maker, base: Base, dice: Dice) -> Change | None:
    order = dice.shuffled(base.said, "order")
    return _resaid(maker, base, order) if len(order) > 2 else None  # noqa: PLR2004 - two change little


def padding(maker: Maker, base: Base, dice: Dice) -> Change:
    times = dice.pick(PADDING, "times")
    lines = half_of(maker.bank.speech.fillers[base.frame], base.split)
    lines = (*lines, *half_of(maker.bank.speech.aside[base.frame], base.split))
    said = list(base.said)
    for number in range(times):
        place = dice.below(len(said) + 1, f"place{number}")
        said.insert(place, Said(What.NOTHING, "padding", base.frame, dice.pick(lines, number)))
    return _resaid(maker, base, said)


def flattery(maker: Maker, base: Base, dice: Dice) -> Change:
    return _as_before(
        base, dice.pick(half_of(maker.bank.tricks.flattery[base.frame], base.split)) + base.text
    )


def no_punctuation(_maker: Maker, base: Base, _dice: Dice) -> Change:
    return _as_before(base, without_punctuation(base.text))


def homophones(maker: Maker, base: Base, dice: Dice) -> Change | None:
    text = swap_words(base.text, maker.bank.tricks.homophones[base.frame], 2, dice)
    return _as_before(base, text) if text != base.text else None


def code_switching(maker: Maker, base: Base, dice: Dice) -> Change | None:
    text = swap_words(base.text, maker.bank.tricks.terms[base.frame], 3, dice)
    return _as_before(base, text) if text != base.text else None


def traditional(maker: Maker, base: Base, _dice: Dice) -> Change | None:
    text = maker.bank.glyphs.convert(base.text)
    return _as_before(base, text) if text != base.text else None


def full_width_digits(_maker: Maker, base: Base, _dice: Dice) -> Change | None:
    text = full_width(base.text)
    return _as_before(base, text) if text != base.text else None


def unseen_characters(_maker: Maker, base: Base, dice: Dice) -> Change:
    return _as_before(base, invisible(base.text, dice))


def typos(_maker: Maker, base: Base, dice: Dice) -> Change:
    return _as_before(base, mistype(base.text, TYPOS_PER_HUNDRED, dice))


def numerals(maker: Maker, base: Base, dice: Dice) -> Change | None:
    text = swap_words(base.text, maker.bank.tricks.numerals[base.frame], 6, dice)
    return _as_before(base, text) if text != base.text else None


def reworded(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """Every point in the split's wording of the other near distance."""
    if base.family is Family.FAR or any(s.what is What.HALF for s in base.said):
        return None
    other = Family.MIDDLE if base.family is Family.NEAR else Family.NEAR
    told = replace(base, family=other)
    return _resaid(maker, base, [_again(maker, told, s, s.lang, dice) for s in base.said])


def other_language(maker: Maker, base: Base, dice: Dice) -> Change | None:
    if base.lang == "mixed" or any(s.what is What.HALF for s in base.said):
        return None
    lang = _other(base.lang)
    told = replace(base, lang=lang)
    said = [_again(maker, told, s, lang, dice) for s in base.said]
    changed = maker.retell(told, said)
    return Change(changed.text, changed.labels)


def _other(lang: str) -> str:
    return next(x for x in LANGUAGES if x != lang)


def _again(maker: Maker, base: Base, one: Said, lang: str, dice: Dice) -> Said:
    if one.what is What.WHOLE:
        texts = base.question.points[one.about].wordings(lang, base.family, base.split)
        return replace(one, lang=lang, text=base.numbers.fill(dice.pick(texts, one.about)))
    if one.what is What.BELIEF:
        return maker.belief(base, one.about, lang, dice)
    return maker.filler(base, dice)


# ---- another meaning


def negated_truth(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """One stated point is denied; it earns nothing and the others what they did."""
    places = _whole(base)
    if not places:
        return None
    place = dice.pick(places, "place")
    one = base.said[place]
    frames = half_of(maker.bank.speech.negating[one.lang], base.split)
    text = dice.pick(frames, "frame").format(x=inner(one.text, one.lang))
    said = _put(base.said, place, replace(one, text=text, stance=Stance.DENIED))
    return _resaid(maker, base, said, lost=(one.about,))


def denied_list(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """The whole answer is called wrong, before or after."""
    if base.lang == "mixed" or not _whole(base):
        return None
    before, after = 0, 1
    frames = maker.bank.speech.deny_all[base.lang][slice(before, None, 2)]
    closers = maker.bank.speech.deny_all[base.lang][slice(after, None, 2)]
    said = [replace(s, stance=Stance.DENIED) for s in base.said if s.what is not What.NOTHING]
    changed = maker.retell(base, said)
    is_before = dice.below(2, "where")
    text = dice.pick(frames) + changed.text if is_before else f"{changed.text} {dice.pick(closers)}"
    return Change(text, changed.labels)


def swapped_stages(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """The stages change places, so that what is said of each is false."""
    if base.question.question != QUESTIONS[0] or base.family is Family.FAR:
        return None
    turn = dice.pick(TURNS, "turn")
    staged = [s for s in base.said if s.about in STAGED and s.what is What.WHOLE]
    kept = tuple(s for s in base.said if s in staged or s.what is What.NOTHING)
    lost = tuple(s.about for s in staged if STAGE.search(s.text))
    if len(lost) != len(staged) or not lost:
        return None
    said = [
        replace(s, text=STAGE.sub(lambda m: _turned(m, turn), s.text), stance=Stance.DENIED)
        if s in staged
        else s
        for s in kept
    ]
    return _resaid(maker, base, said, lost=lost)


def _turned(match: re.Match[str], turn: Mapping[str, str]) -> str:
    found = match["digit"] or match["zh"]
    for names in ({d: d for d in "123"}, HAN_OF, WORD_OF):
        for digit, name in names.items():
            if found == name:
                return match[0].replace(found, names[turn[digit]])
    return match[0]


def rejected_belief(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """A false belief is quoted and rejected: no accusation, no change."""
    name = _new_belief(maker, base, dice)
    if name is None or base.lang == "mixed":
        return None
    one = maker.belief(base, name, base.lang, dice)
    frames = half_of(maker.bank.speech.rejecting[base.lang], base.split)
    text = dice.pick(frames, "frame").format(x=inner(one.text, base.lang))
    said = (*base.said, replace(one, text=text, stance=Stance.DENIED))
    return _resaid(maker, base, said, beliefs=(name,))


def _new_belief(maker: Maker, base: Base, dice: Dice) -> str | None:
    held = {s.about for s in base.said if s.what is What.BELIEF}
    known = sorted(maker.bank.beliefs_for(base.question, base.split).keys() - held)
    return dice.pick(known, "belief") if known else None


def _opposed(maker: Maker, base: Base, dice: Dice) -> tuple[int, str] | None:
    """A stated point and a belief that contradicts it."""
    known = maker.bank.beliefs_for(base.question, base.split)
    pairs = [
        (place, name)
        for place in _whole(base)
        for name, belief in sorted(known.items())
        if base.said[place].about in belief.denies
    ]
    return dice.pick(pairs, "pair") if pairs and base.lang != "mixed" else None


def self_correction(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """First the false belief, then the truth it hid: the last word counts."""
    found = _opposed(maker, base, dice)
    if found is None:
        return None
    place, name = found
    one = base.said[place]
    false = maker.belief(base, name, base.lang, dice)
    frames = half_of(maker.bank.speech.correcting[base.lang], base.split)
    text = dice.pick(frames, "frame").format(
        x=_opening(false.text, base.lang), y=inner(one.text, base.lang)
    )
    return _resaid(maker, base, _put(base.said, place, replace(one, text=text)), beliefs=(name,))


def both_ways(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """A point and its opposite in one breath earn nothing."""
    found = _opposed(maker, base, dice)
    if found is None:
        return None
    place, name = found
    one = base.said[place]
    false = inner(maker.belief(base, name, base.lang, dice).text, base.lang)
    frames = half_of(maker.bank.speech.both_ways[base.lang], base.split)
    text = dice.pick(frames, "frame").format(x=false, y=_opening(one.text, base.lang))
    said = _put(base.said, place, replace(one, text=text, stance=Stance.HEDGED))
    return _resaid(maker, base, said, lost=(one.about,))


def _opening(text: str, lang: str) -> str:
    """Names keep their form at the head of a sentence or within it."""
    return inner(text, lang)


def one_more(maker: Maker, base: Base, dice: Dice) -> Change | None:
    """One true point is added that was not touched before."""
    touched = {s.about for s in base.said}
    touched |= {p for s in base.said if s.what is What.BELIEF for p in _touched(maker, s)}
    free = [
        p
        for p, v in base.question.points.items()
        if p not in touched and not set(v.implies) - touched
    ]
    if not free:
        return None
    lang = base.frame
    return _resaid(maker, base, (*base.said, maker.point(base, dice.pick(free), lang, dice)))


def _touched(maker: Maker, one: Said) -> frozenset[str]:
    return maker.bank.beliefs[one.about].touches


def one_less(maker: Maker, base: Base, dice: Dice) -> Change | None:
    places = _whole(base)
    if not places or len(base.said) < 3:  # noqa: PLR2004 - something must be left to read
        return None
    return _resaid(maker, base, _put(base.said, dice.pick(places, "place")))


CHANGES: Final[Mapping[str, Changer]] = {
    "shuffled_sentences": shuffled_sentences,
    "negated_truths": negated_truth,
    "denied_lists": denied_list,
    "swapped_stages": swapped_stages,
    "padding": padding,
    "flattery": flattery,
    "no_punctuation": no_punctuation,
    "homophones": homophones,
    "code_switching": code_switching,
    "traditional": traditional,
    "full_width": full_width_digits,
    "invisible": unseen_characters,
    "rejected_beliefs": rejected_belief,
    "self_correction": self_correction,
    "both_ways": both_ways,
    "reworded": reworded,
    "other_language": other_language,
    "numerals": numerals,
    "typos": typos,
    "one_more": one_more,
    "one_less": one_less,
}
