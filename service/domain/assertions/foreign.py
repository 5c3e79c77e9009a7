"""Which words of an answer are not the candidate's own: an echo, an order, an invented speaker."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.mentions import find_mentions
from service.domain.assertions.model import Mention
from service.domain.assertions.tokens import Shape, Token, tokenize
from service.domain.text import Folded, Span, fold

ECHO_RUN: Final = 6  # tokens in a row as in the question
ECHO_SHARE: Final = 0.8  # of a sentence's tokens, from which it is an echo
# A strong sign is enough alone; a command needs somebody or something of the grading beside it.
STRONG_SIGN: Final = "order_to_grader"
COMMAND: Final = "command_word"
WITH_A_COMMAND: Final = frozenset({"grader", "mark_word", "prompt_word"})
# Each alternative is bounded, so that the scan stays linear.
MACHINE_TEXT: Final = re.compile(
    r"<!--[^>]{0,2000}-->|<\|[^|>]{1,40}\|>|\[/?INST\]|</?(?:system|assistant|user|untrusted)[^>]{0,80}>"
    r"|[A-Za-z0-9+/]{40,}={0,2}"
    r"|\{[^{}]{0,400}\"(?:verdict|score|points?|grade|met|评分|得分|分数)\"[^{}]{0,400}\}",
    re.IGNORECASE,
)
LONGEST_SHELL: Final = 80  # code points of keys and brackets before an inner object
SHELL_START: Final = re.compile(r"[{\[,](?:\s*\"[^\"{}\[\]]{0,40}\"\s*:|[\s{\[])*$")
SHELL_END: Final = re.compile(r"(?:[ \t\n]{0,20}[}\]])*")
# Lines put into other people's mouths: to the end of the line nothing is the candidate's own. A tag
# that pretends to come from the machinery takes only its sentence: an answer is not lost to it.
ROLE_LINE: Final = re.compile(
    r"(?:^|[\n。！？.!?])[ \t>*#-]{0,6}(?:interviewer|examiner|grader|judge|assistant|"
    r"evaluator|moderator|面试官|考官|评委|评分员|阅卷人|助手|裁判|主持人)"
    r"[ \t]{0,3}(?:\([^)\n]{0,20}\)|（[^）\n]{0,20}）)?[:：][^\n]*"
    r"|[\[【<][^\]】>\n]{0,20}(?:grading|grader|system|meta|admin|instruction|override|rubric|"
    r"系统|评分|管理员|指令|通知|阅卷)[^\]】>\n]{0,20}[\]】>](?:[^\n。！？.!?]|\.(?=\S))*[。！？.!?]?",
    re.IGNORECASE,
)


def own_words_excluded(answer: str, question_text: str, lexicon: Lexicon) -> tuple[Span, ...]:
    """Spans that pay nothing, sorted and merged; empty for an honest answer.

    A sentence that talks about injections, prompts or graders is left alone unless it also
    addresses the one who marks.
    """
    folded = fold(answer)
    tokens = tokenize(folded, answer, lexicon.characters)
    asked = tokenize(fold(question_text), question_text, lexicon.characters)
    spans = [_with_its_shell(answer, m.start(), m.end()) for m in MACHINE_TEXT.finditer(answer)]
    spans += [_without_the_stop(answer, m) for m in ROLE_LINE.finditer(answer)]
    spans += _sentence_spans(tokens, folded, asked, lexicon)
    return _merged(spans)


def is_addressed_to_grader(line: str, lexicon: Lexicon) -> bool:
    """Whether a line of a résumé or a posting gives orders to the one who judges it."""
    return bool(own_words_excluded(line, "", lexicon))


def _with_its_shell(answer: str, start: int, end: int) -> Span:
    """The brackets and keys around an inner object of JSON go with it."""
    if answer[start] != "{":
        return Span(start, end)
    behind = SHELL_END.match(answer, end)
    before = SHELL_START.search(answer[max(0, start - LONGEST_SHELL) : start])
    left = start - (len(before[0]) if before else 0)
    return Span(left, behind.end() if behind else end)


def _without_the_stop(answer: str, found: re.Match[str]) -> Span:
    """The stop before a role belongs to the candidate's sentence."""
    start = found.start()
    return Span(start + (answer[start] in "\n。！？.!?"), found.end())


def _sentence_spans(
    tokens: Sequence[Token], folded: Folded, asked: Sequence[Token], lexicon: Lexicon
) -> Iterator[Span]:
    runs = _runs(asked)
    mentions = find_mentions(tokens, lexicon)
    place = 0
    for first, last in _sentences(tokens):
        inside: list[Mention] = []
        while place < len(mentions) and mentions[place].first < last:
            inside.append(mentions[place])
            place += 1
        if _addresses_grader(inside) or _echoes(tokens[first:last], runs):
            yield folded.span(tokens[first].start, tokens[last - 1].end)


def _sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, token in enumerate(tokens):
        stop = token.form == "." and (at + 1 == len(tokens) or tokens[at + 1].start > token.end)
        if token.form in "。!?;" or stop or token.line_end:
            yield start, at + 1
            start = at + 1
    if start < len(tokens):
        yield start, len(tokens)


def _addresses_grader(mentions: Sequence[Mention]) -> bool:
    concepts = {c for m in mentions for c in m.concepts}
    commands = COMMAND in concepts and not WITH_A_COMMAND.isdisjoint(concepts)
    return STRONG_SIGN in concepts or commands


def _words(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(t.form for t in tokens if t.shape is not Shape.SIGN)


def _runs(tokens: Sequence[Token]) -> frozenset[tuple[str, ...]]:
    words = _words(tokens)
    return frozenset(words[i : i + ECHO_RUN] for i in range(len(words) - ECHO_RUN + 1))


def _echoes(tokens: Sequence[Token], runs: frozenset[tuple[str, ...]]) -> bool:
    """Most of the sentence stands word for word in the question."""
    words = _words(tokens)
    covered = [False] * len(words)
    for i in range(len(words) - ECHO_RUN + 1):
        if words[i : i + ECHO_RUN] in runs:
            covered[i : i + ECHO_RUN] = [True] * ECHO_RUN
    return bool(words) and sum(covered) >= ECHO_SHARE * len(words)


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def without(answer: str, spans: Sequence[Span]) -> str:
    """The answer with the spans blanked out by line breaks; every offset stays."""
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += [answer[at : span.start], "\n" * (span.end - span.start)]
        at = span.end
    return "".join([*parts, answer[at:]])
