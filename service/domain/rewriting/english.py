"""English bullets taken apart and put together again, without a word that was not there."""

# ruff: noqa: E501 - word lists and patterns are read in one piece

import re
from collections.abc import Mapping, Sequence
from typing import Final

from service.domain.rewriting.parts import Parts

_FILLERS: Final = re.compile(
    r"\b(?:successfully|effectively|efficiently|basically|actually|various|a variety of|very|really"
    r"|etc\.?|as well as possible)\s*",
    re.IGNORECASE,
)
_PHRASES: Final = (
    (re.compile(r"\bin order to\b", re.IGNORECASE), "to"),
    (re.compile(r"\b(?:by|through) means of\b", re.IGNORECASE), "by"),
    (re.compile(r"\bmade use of\b", re.IGNORECASE), "used"),
    (re.compile(r"\bdue to the fact that\b", re.IGNORECASE), "because"),
    (re.compile(r"\bwith the (?:help|use) of\b", re.IGNORECASE), "with"),
    (re.compile(r"\butili[sz](e|ed|ing)\b", re.IGNORECASE), r"us\1"),
)
_NOUNS: Final[Mapping[str, str]] = {
    "design": "Designed", "implementation": "Implemented", "development": "Developed",
    "training": "Trained", "optimization": "Optimized", "optimisation": "Optimised",
    "migration": "Migrated", "evaluation": "Evaluated", "deployment": "Deployed",
    "maintenance": "Maintained", "analysis": "Analyzed", "integration": "Integrated",
    "testing": "Tested", "tuning": "Tuned", "profiling": "Profiled", "debugging": "Debugged",
}  # fmt: skip
# Past to -ing, for the verbs bullets begin with.
_IRREGULAR: Final[Mapping[str, str]] = {
    "built": "building", "wrote": "writing", "ran": "running", "cut": "cutting", "set": "setting",
    "made": "making", "found": "finding", "brought": "bringing", "kept": "keeping",
    "rewrote": "rewriting", "split": "splitting", "led": "leading", "took": "taking",
}  # fmt: skip
_REGULAR: Final = ["replaced", "designed", "implemented", "developed", "trained", "optimized", "optimised", "migrated", "evaluated", "deployed", "maintained", "analyzed", "analysed", "integrated", "tested", "tuned", "profiled", "debugged", "used", "enabled", "introduced", "moved", "switched", "converted", "ported", "fused", "overlapped", "sharded", "partitioned", "combined", "merged", "added", "removed", "reduced", "increased", "improved", "created", "automated", "refactored", "adapted", "configured", "scaled", "applied", "adopted", "fixed", "resolved", "cleaned", "filtered", "collected", "measured", "traced", "located", "identified", "launched", "pretrained", "finetuned", "fine-tuned", "benchmarked", "accelerated", "extended", "customized", "quantized", "distilled", "parallelized", "pipelined", "profiled", "reworked", "wrapped"]  # fmt: skip
# What was only being done while something else changed: "by training" would name a cause.
_NO_CAUSE: Final = frozenset(
    [
        "trained",
        "pretrained",
        "finetuned",
        "fine-tuned",
        "ran",
        "launched",
        "evaluated",
        "tested",
        "measured",
        "maintained",
        "deployed",
        "collected",
        "benchmarked",
        "led",
        "analyzed",
        "analysed",
    ]
)
_GERUNDS: Final = {
    "reducing": "Reduced", "cutting": "Cut", "lowering": "Lowered", "decreasing": "Decreased",
    "saving": "Saved", "shrinking": "Shrank", "improving": "Improved", "increasing": "Increased",
    "raising": "Raised", "boosting": "Boosted", "accelerating": "Accelerated",
    "speeding": "Sped", "shortening": "Shortened", "achieving": "Achieved", "reaching": "Reached",
    "bringing": "Brought", "doubling": "Doubled", "halving": "Halved", "lifting": "Lifted",
}  # fmt: skip
_PAST: Final = (*(v.lower() for v in _GERUNDS.values()), "dropped", "fell", "rose", "grew")
_RESULT: Final = re.compile(
    rf"(?:[,;]\s*(?:which\s+|thereby\s+|thus\s+|and\s+)?|\s+and\s+(?=(?:{'|'.join(_PAST)})\b))"
    rf"(?P<verb>{'|'.join((*_GERUNDS, *_PAST))})\b(?P<rest>[^;]*)$",
    re.IGNORECASE,
)
_RESPONSIBLE: Final = re.compile(
    r"^(?:i\s+)?(?:was\s+|am\s+)?(?:mainly\s+|primarily\s+)?(?:responsible for|in charge of|tasked with)\s+"
    r"(?:the\s+)?(?P<what>[a-z-]+)(?:\s+and\s+(?P<also>[a-z-]+))?\s+(?P<of>of\s+|for\s+)?",
    re.IGNORECASE,
)
_LEADING_I: Final = re.compile(r"^(?:i|we)\s+(?=[a-z])", re.IGNORECASE)
_SITUATION: Final = re.compile(
    r"\s*[,;]?\s+(?P<cue>because|since|as)\s+(?P<what>[^,;]{8,160})(?=[,;]|$)", re.IGNORECASE
)


def tidy(text: str) -> str:
    """Fillers out, duties turned into deeds; claims no more than was said."""
    text = _FILLERS.sub("", text.strip().rstrip(" .;"))
    for pattern, plain in _PHRASES:
        text = pattern.sub(plain, text)
    text = _LEADING_I.sub("", text)
    return _capital(re.sub(r"\s{2,}", " ", _as_deed(text)).strip())


def _as_deed(text: str) -> str:
    m = _RESPONSIBLE.match(text)
    if m is None:
        return text
    what = m["what"].lower()
    rest = text[m.end() :]
    also = (m["also"] or "").lower()
    if what in _NOUNS and m["of"] and (not also or also in _NOUNS):
        second = f" and {_NOUNS[also].lower()}" if also else ""
        return f"{_NOUNS[what]}{second} {rest}"
    pasts = [_past_of(w) for w in (what, also) if w]
    if None in pasts:
        return text
    return f"{' and '.join(str(p) for p in pasts).capitalize()} {m['of'] or ''}{rest}"


def _past_of(gerund: str) -> str | None:
    if gerund in _GERUNDS:
        return _GERUNDS[gerund]
    known = {**{g: p for p, g in _IRREGULAR.items()}, **{_gerund(p): p for p in _REGULAR}}
    past = known.get(gerund)
    return past.capitalize() if past else None


def _gerund(past: str) -> str:
    if past in _IRREGULAR:
        return _IRREGULAR[past]
    return past[:-2] + "ing"


def take_apart(text: str) -> Parts:
    """Situation, action and results of a tidy bullet; what is not found is empty."""
    result = _RESULT.search(text)
    action = text[: result.start()].rstrip(" ,;") if result else text
    results: Sequence[str] = ()
    if result:
        verb = result["verb"]
        results = (_GERUNDS.get(verb.lower(), verb.capitalize()) + result["rest"].rstrip(" ."),)
    situation = ""
    if m := _SITUATION.search(action):
        situation, action = _capital(m["what"].strip()), action[: m.start()] + action[m.end() :]
    return Parts(situation, action.strip(), tuple(results))


def result_first(parts: Parts) -> str:
    """`Reduced X by 60% by replacing Y`; a verb that is not known stays behind a colon."""
    result = parts.results[0]
    why = f" because {_small(parts.situation)}" if parts.situation else ""
    verb, _, rest = parts.action.partition(" ")
    causes = verb.lower() not in _NO_CAUSE
    if rest and causes and (verb.lower() in _IRREGULAR or verb.lower() in _REGULAR):
        return f"{result} by {_gerund(verb.lower())} {rest}{why}"
    return f"{result}: {verb[:1].lower()}{verb[1:]} {rest}{why}".rstrip()


def _small(text: str) -> str:
    """The first letter small again, unless it begins a name or an abbreviation."""
    return text if text[1:2].isupper() or text[:2] in ("I ", "I'") else text[:1].lower() + text[1:]


def in_order(parts: Parts, situation: str, results: Sequence[str]) -> str:
    """Situation, action, result as sentences: nothing is needed to join what people answer."""
    sentences = (situation, parts.action, *results)
    return ". ".join(_capital(s.strip().rstrip(" .")) for s in sentences if s.strip())


def with_figure(text: str, figure: str) -> str:
    return f"{text} ({figure.strip().rstrip(' .')})"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:1].islower() and not _is_name(text) else text


def _is_name(text: str) -> bool:
    """torch.compile, vLLM: names that begin small stay as they are."""
    return re.match(r"[a-z]+(?:[A-Z]|[._-]?\d|\.[a-z])", text) is not None
