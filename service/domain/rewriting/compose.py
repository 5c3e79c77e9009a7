"""Proposals of the built-in engine: another order, plainer verbs, the person's own figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Final

from service.domain.language import Lang, detect_language
from service.domain.rewriting import chinese, english
from service.domain.rewriting.figures import find_figures
from service.domain.rewriting.model import Asks, Source, Style
from service.domain.rewriting.parts import Parts
from service.domain.rewriting.questions import question_id
from service.domain.text import fold, is_invisible

_VOICES: Final[dict[Lang, ModuleType]] = {Lang.EN: english, Lang.ZH: chinese}


def compose(
    source: Source, given: Mapping[str, str], styles: Sequence[Style]
) -> Iterator[tuple[Style, str]]:
    """Wordings of one bullet, each different from it and from the others.

    `given` are answers by question id. The guard still decides on each.
    """
    voice = _VOICES[detect_language(source.text)]
    tidied = str(voice.tidy(_one_line(source.text)))
    parts: Parts = voice.take_apart(tidied)
    answers = {asks: given.get(question_id(source, asks), "").strip() for asks in Asks}
    seen = {_key(source.text)}
    for style in styles:
        text = _MAKERS[style](voice, tidied, parts, answers)
        if text and _key(text) not in seen:
            seen.add(_key(text))
            yield style, text


def _plain(voice: ModuleType, tidied: str, parts: Parts, answers: dict[Asks, str]) -> str:
    del voice, parts, answers
    return tidied


def _star(voice: ModuleType, tidied: str, parts: Parts, answers: dict[Asks, str]) -> str:
    del tidied
    situation = parts.situation or answers[Asks.SITUATION]
    results = (*parts.results, *((answers[Asks.RESULT],) if answers[Asks.RESULT] else ()))
    if not situation or not results:
        return ""
    return str(voice.in_order(parts, situation, results))


def _quantified(voice: ModuleType, tidied: str, parts: Parts, answers: dict[Asks, str]) -> str:
    """The bullet with the figures that were asked for behind it."""
    del parts
    figures = [answers[a] for a in (Asks.SCALE, Asks.RESULT, Asks.BASELINE) if answers[a]]
    if not figures or not any(find_figures(f) for f in figures):
        return ""
    joint = "；" if voice is chinese else "; "
    return str(voice.with_figure(tidied, joint.join(f.rstrip(" .。；;") for f in figures)))


def _result_first(voice: ModuleType, tidied: str, parts: Parts, answers: dict[Asks, str]) -> str:
    del tidied
    results = parts.results or ((answers[Asks.RESULT],) if answers[Asks.RESULT] else ())
    if not results:
        return ""
    if not parts.results and voice is english:
        said = results[0].rstrip(" .")
        return f"{said[:1].upper()}{said[1:]}: {parts.action[:1].lower()}{parts.action[1:]}"
    return str(voice.result_first(Parts(parts.situation, parts.action, results)))


def _one_line(text: str) -> str:
    return " ".join("".join(c for c in text if not is_invisible(c)).split())


def _key(text: str) -> str:
    return "".join(c for c in fold(text).text.lower() if c.isalnum())


_MAKERS: Final[Mapping[Style, Callable[[ModuleType, str, Parts, dict[Asks, str]], str]]] = {
    Style.PLAIN: _plain,
    Style.STAR: _star,
    Style.QUANTIFIED: _quantified,
    Style.RESULT_FIRST: _result_first,
}
