"""What an interviewer's line may not hold, whatever a model was talked into.

Everything is judged on the model's own words: what stands in the question, in the thing to ask
about or in the candidate's quoted words may be said again.
"""

import re
from collections.abc import Iterator
from typing import Final

from service.domain.language import detect_language
from service.domain.tasks import PhraseMove
from service.domain.text import fold
from service.prompting.prompt import SYSTEM

LONGEST: Final = 600  # characters
SHORT_QUOTE: Final = 40  # up to here the whole quote must be repeated
QUOTED_RUN: Final = 20  # of a longer one, at least this long a run
LEAKED_RUN: Final = 30  # characters of our own rules that no honest line shares

_FORBIDDEN: Final = {
    "a mark, a score or an outcome": re.compile(
        r"\b(?:scor(?:e|es|ed|ing)|marks?|grad(?:e|es|ed|ing)|ratings?|points? out of)\b"
        r"|\b\d{1,3}(?:\.\d)?\s*/\s*(?:10|100)\b|\b\d{1,3} out of \d"
        r"|\byou(?:'ve| have|'re| are|'ll be| will be)? "
        r"(?:pass(?:ed)?|fail(?:ed)?|hired|rejected)\b"
        r"|得分|评分|打分|满分|分数|扣分|加分|及格|录用|录取|淘汰|(?:通过|挂)了?(?:这次|本次)?面试"
        r"|\d\s*分(?![钟之片区布层组块配割支类批叉散发])",
        re.IGNORECASE,
    ),
    "praise or blame": re.compile(
        r"(?:^|[.!?。！,，;；]\s*)(?:(?:that|this|it)(?:'s| is| was) )?"
        r"(?:an? )?(?:very |really |so )?"
        r"(?:great|excellent|good|nice|perfect|brilliant|impressive|well done|well said|right|wrong"
        r"|correct|incorrect|exactly|spot on|amazing|wonderful|poor|bad|fantastic)"
        r"(?: (?:answer|job|point|work|explanation|one|start|try)s?)?\s*[.!,，。!:;—-]"
        r"|(?:回答|答|说|讲|解释)得(?:很|非常|真|太|挺|不)?(?:好|棒|对|清楚|到位|错)"
        r"|(?:^|[.!?。！,，;；]\s*)(?:很好|非常好|不错|太棒了|真棒|优秀|完全正确|没错|说得对|答对了|答错了|错了)"
        r"\s*[。！,，!;；]",
        re.IGNORECASE,
    ),
    "a link or markup": re.compile(r"://|\bwww\.|```|[<＜]/?\w|!?\[[^\]]*\]\(", re.IGNORECASE),
    "words of the job description": re.compile(r"\bnonce\b|\buntrusted\b|\bJSON\b", re.IGNORECASE),
}
# With the letters before it: the 3 of ZeRO-3 does not allow a bare 3.
_NUMBER: Final = re.compile(r"(?:[a-z]+-?)?\d+(?:\.\d+)?")


def phrase_faults(task: PhraseMove, text: str) -> Iterator[str]:
    """All that is wrong with `text` as the words for this move, in words for the model."""
    said, quote = fold(text).text, fold(task.quote).text.strip()
    given = fold("\n".join([task.question, task.asks_about, *task.slots.values()])).text
    if len(text) > LONGEST:
        yield f"The text is longer than {LONGEST} characters."
    if quote and not _repeats(said, quote):
        yield "The candidate's words to come back to are not repeated word for word."
    yield from _said_too_much(said, f"{given}\n{quote}".casefold())
    own = _without(said, quote)
    if _numbers(own) - _numbers(f"{given}\n{quote}\n{task.answer}"):
        yield "The text holds a number that was not given."
    if detect_language(own) is not task.lang:
        yield "The text is in the wrong language."


def _said_too_much(said: str, given: str) -> Iterator[str]:
    for name, pattern in _FORBIDDEN.items():
        if any(found.group().strip().casefold() not in given for found in pattern.finditer(said)):
            yield f"The text holds {name}."
    rules = fold(SYSTEM).text
    runs = (said[at : at + LEAKED_RUN] for at in range(len(said) - LEAKED_RUN + 1))
    if any(run in rules for run in runs):
        yield "The text repeats the rules."


def _repeats(said: str, quote: str) -> bool:
    if len(quote) <= SHORT_QUOTE:
        return quote in said
    return any(quote[at : at + QUOTED_RUN] in said for at in range(len(quote) - QUOTED_RUN + 1))


def _without(said: str, quote: str) -> str:
    """The text without the candidate's words: all of them, or the run that was repeated."""
    if not quote or quote in said:
        return said.replace(quote, " ") if quote else said
    for at in range(len(quote) - QUOTED_RUN + 1):
        run = quote[at : at + QUOTED_RUN]
        if run in said:
            said = said.replace(run, " ")
    return said


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(fold(text).text.casefold()))
