"""All texts that the passport has the reader read: free answers, constructed ones, attacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eval.answers import AnswerLine, read_answers
from eval.attacks.cases import SEED, build_suite
from eval.attacks.model import Case
from eval.constructed.bank import QUESTIONS, Bank, Split
from eval.constructed.bases import Base, Maker
from eval.constructed.dice import Dice
from eval.passport.reading import Text, text_of
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.settings import ROOT

FREE: Final = ROOT / "eval" / "cases" / "free"
FLAGSHIP: Final = "zero-stages"
# Cases of each class of the probe suite: few enough for the command to stay within minutes.
PROBES: Final[Mapping[Split, int]] = {Split.TEST: 25, Split.DEV: 10}
LONG: Final = "fifty_thousand"
LONG_PROBES: Final = 2


@dataclass(frozen=True, slots=True)
class Probes:
    """The cases of one half, and the texts of the bases they are compared with."""

    cases: Sequence[Case]
    bases: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class Texts:
    free: Sequence[AnswerLine]
    constructed: Mapping[Split, Sequence[AnswerLine]]
    probes: Mapping[Split, Probes]

    def wanted(self) -> Sequence[Text]:
        found = [text_of(a, FLAGSHIP) for a in self.free]
        for lines in self.constructed.values():
            found += [text_of(a, FLAGSHIP) for a in lines]
        for probes in self.probes.values():
            found += [*probes.bases.values(), *map(case_text, probes.cases)]
        return found


def all_texts(bank: Bank, knowledge: Knowledge) -> Texts:
    """Raises InputInvalid: the free answers cannot be read."""
    words = {q: {x.value: knowledge.questions[q].text.in_(x) for x in Lang} for q in QUESTIONS}
    maker = Maker(bank, Dice(SEED))
    return Texts(
        free=read_answers(FREE),
        constructed={s: [_line(b) for b in maker.bases(s)] for s in Split},
        probes={s: _probes(bank, words, s, n) for s, n in PROBES.items()},
    )


def _line(base: Base) -> AnswerLine:
    """A base as a labelled answer; the changes made from bases are the probe suite's."""
    return AnswerLine(
        id=base.id,
        question_id=base.question.question,
        lang=base.lang,
        answer=base.text,
        points={p: v.value for p, v in base.labels.points.items()},
        misconceptions=base.labels.misconceptions,
        score=base.labels.score,
        family=base.family.value,  # pyright: ignore[reportCallIssue] a key kept for --by
    )


def _probes(bank: Bank, words: Mapping[str, Mapping[str, str]], split: Split, count: int) -> Probes:
    suite = build_suite(bank, words, split, per_class=count)
    long = [c for c in suite.cases if c.kind == LONG][:LONG_PROBES]
    cases = [c for c in suite.cases if c.kind != LONG] + long
    used = {c.base for c in cases}
    bases = {n: Text(b.question.question, b.lang, b.text) for n, b in suite.bases.items()}
    return Probes(cases, {n: t for n, t in bases.items() if n in used})


def case_text(case: Case) -> Text:
    return Text(case.question, case.lang, case.answer)
