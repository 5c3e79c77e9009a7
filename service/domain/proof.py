"""What a résumé proves: every line that may be quoted, and the skills each one names or implies."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain import scale
from service.domain.knowledge import Skill
from service.domain.resume import Education, Project, Resume, Work
from service.domain.skills import ancestors, find_skills
from service.domain.whose import is_order, own_words

_TRAINS: Final = re.compile(
    r"训练|微调|预训练|\b(?:pre-?)?train(?:ed|ing)?\b|fine-?tun", re.IGNORECASE
)
TRAINED_LARGE: Final = "LLM training"
LARGE_CLUSTER: Final = "large-scale cluster training"
_BY_SIZE: Final = (
    (TRAINED_LARGE, scale.parameters, 1e9),
    (LARGE_CLUSTER, scale.accelerators, 512.0),
)
CLUSTER: Final = "GPU cluster experience"
PUBLICATIONS: Final = "publications"
TITLE: Final = "title"
# What makes a mention of a paper or a venue somebody's own paper.
_PUBLISHES: Final = re.compile(
    r"发表|录用|收录|接收|中稿|一作|二作|共一|作者|"
    r"\b(?:publish(?:ed|es)?|publications?|accepted|(?:co-?)?author(?:ed|s)?|"
    r"appear(?:ed|s)? (?:at|in)|presented (?:at|in)|oral|spotlight|best paper|proceedings)\b",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"(?:19|20)\d\d|['’]\d\d")
_OF_OTHERS: Final = re.compile(
    r"复现|阅读|精读|研读|跟踪|关注|跟进|毕业论文|学位论文|"
    r"\b(?:re-?produc\w+|re-?implement\w*|read(?:ing)?|follow\w*|review\w*|thesis|dissertation|attend\w*)\b",
    re.IGNORECASE,
)
_PATENT: Final = re.compile(r"专利|\bpatent", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A quotable line: a bullet, a heading of an entry, a skills line, a degree."""

    id: str
    text: str
    room: str  # work, project, skills_line, education
    entry: int = -1  # index in its section
    title: bool = False  # employer and job title: what somebody was called, not what was done
    paper: bool = False  # stands under publications

    @property
    def own(self) -> str:
        """The text without what others did or an ad wants; as long as the text."""
        return own_words(self.text)

    @property
    def standing(self) -> str:
        """What it is worth as evidence; its own room for all but a job title."""
        return TITLE if self.title else self.room


@dataclass(frozen=True, slots=True)
class Proof:
    line: Line
    skill: str  # the skill named in the line
    how: str  # named, alias, implied


@dataclass(frozen=True, slots=True)
class Ledger:
    """All proofs by canonical skill, best first; and the lines that deny a skill."""

    lines: tuple[Line, ...]
    proofs: Mapping[str, tuple[Proof, ...]]
    denials: Mapping[str, Line]

    jobs: Mapping[str, frozenset[int]]  # the work entries each skill is about, by title or line

    def of(self, skill: str) -> tuple[Proof, ...]:
        return self.proofs.get(skill, ())


Foreign = Callable[[str], bool]


def nothing(_line: str) -> bool:
    return False


_ROOMS: Final = ("work", "project", "skills_line", TITLE, "education")
_HOWS: Final = ("named", "alias", "implied")


def ledger(resume: Resume, skills: Mapping[str, Skill], foreign: Foreign = nothing) -> Ledger:
    """What each line proves; a `foreign` line, such as an order to the grader, proves nothing."""
    lines = tuple(
        line for line in quotable(resume) if not (is_order(line.text) or foreign(line.text))
    )
    proofs: dict[str, list[Proof]] = {}
    denials: dict[str, Line] = {}
    jobs: dict[str, set[int]] = {}
    for line in lines:
        for name, proof in _proofs(line, skills, denials):
            if line.room == "work":
                jobs.setdefault(name, set()).add(line.entry)
            # A job title says in its own words what somebody was; it implies no skill.
            if not line.title or proof.how == "named":
                proofs.setdefault(name, []).append(proof)
    ordered = {name: tuple(sorted(found, key=_rank)) for name, found in proofs.items()}
    return Ledger(
        lines,
        ordered,
        {n: d for n, d in denials.items() if n not in ordered},
        {name: frozenset(entries) for name, entries in jobs.items()},
    )


def quotable(resume: Resume) -> Iterator[Line]:
    for index, work in enumerate(resume.work):
        yield from _entry(work, "work", index, f"w{index + 1}", resume.text)
    for index, project in enumerate(resume.projects):
        yield from _entry(project, "project", index, f"p{index + 1}", resume.text)
    for bullet in (*resume.skill_lines, *resume.notes):
        yield Line(bullet.id, bullet.text, "skills_line", paper=bullet.id in resume.papers)
    for index, education in enumerate(resume.education):
        yield Line(f"e{index + 1}", _schooling(education, resume.text), "education", index)


def _entry(
    entry: Work | Project, room: str, index: int, heading_id: str, text: str
) -> Iterator[Line]:
    for bullet in (*entry.bullets, *entry.description):
        yield Line(bullet.id, bullet.text, room, index)
    yield Line(heading_id, _heading(entry, text), room, index, title=room == "work")


def _heading(entry: Work | Project, text: str) -> str:
    if entry.span is not None:
        return " ".join(entry.span.of(text).split())
    names = (entry.employer, entry.title) if isinstance(entry, Work) else (entry.name, entry.role)
    return " ".join(n for n in (*names, entry.start, entry.end) if n)


def _schooling(education: Education, text: str) -> str:
    if education.span is not None:
        return " ".join(education.span.of(text).split())
    parts = (education.school, education.degree, education.major, education.start, education.end)
    return " ".join(p for p in parts if p)


def _proofs(
    line: Line, skills: Mapping[str, Skill], denials: dict[str, Line]
) -> Iterator[tuple[str, Proof]]:
    own = line.own
    for mention in find_skills(own, skills):
        if mention.denied:
            denials.setdefault(mention.skill, line)
            continue
        if mention.skill == PUBLICATIONS and not _is_paper(line):
            continue
        yield mention.skill, Proof(line, mention.skill, mention.how)
        for ancestor in ancestors(mention.skill, skills):
            yield ancestor, Proof(line, mention.skill, "implied")
    if line.paper and _is_paper(line):
        yield PUBLICATIONS, Proof(line, PUBLICATIONS, "named")
    if _TRAINS.search(own):
        yield from ((name, Proof(line, name, "implied")) for name in _trained(own))


def _trained(text: str) -> Iterator[str]:
    """What a line about training shows by its numbers, whatever words it uses."""
    for name, measure, least in _BY_SIZE:
        size = measure(text)
        if size is not None and size >= least:
            yield name


def _is_paper(line: Line) -> bool:
    """The line tells of an own publication: by its place, by its verb, or by a venue's year."""
    if line.paper:
        return _PATENT.search(line.text) is None
    if _PUBLISHES.search(line.text):
        return True
    return bool(_DATED.search(line.text)) and _OF_OTHERS.search(line.text) is None


def _rank(proof: Proof) -> tuple[int, int, int]:
    return (_ROOMS.index(proof.line.standing), _HOWS.index(proof.how), len(proof.line.text))


def overlap(requirement: str, lines: Sequence[Line]) -> tuple[float, Line | None]:
    """The share (0..1) of a requirement's content words that one line repeats, and that line."""
    wanted = _content(requirement)
    if not wanted:
        return 0.0, None
    scored = [(len(wanted & _content(line.own)), line) for line in lines]
    shared, line = max(scored, key=lambda s: s[0], default=(0, None))
    enough = shared >= min(LEAST_SHARED, len(wanted))
    return (shared / len(wanted), line) if enough else (0.0, None)


# One word in common is chance, unless it is the only one that says anything.
LEAST_SHARED: Final = 2
_LATIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9+#.-]{2,}")
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff]+")
_EMPTY_WORDS: Final = re.compile(
    r"熟悉|精通|掌握|熟练|了解|具备|具有|拥有|相关|经验|优先|能力|良好|较强|深入|理解|以上|以及|或者|能够|优秀|扎实|丰富|至少|一定|实际|编程|编码|开发|使用|技术|项目|工作|方面|领域|方向|知识|原理|工具|应用|问题|对|有|的|者|和|与|及|等|在"
)
_EMPTY_LATIN: Final = frozenset(
    {"and", "the", "for", "with", "from", "experience", "strong", "knowledge", "ability", "must"}
    | {"understanding", "familiar", "familiarity", "required", "preferred", "plus", "years"}
    | {"working", "good", "excellent", "solid", "have", "has", "are", "you", "your", "our"}
    | {
        "programming",
        "coding",
        "development",
        "developing",
        "using",
        "use",
        "used",
        "work",
        "tools",
    }
    | {"project", "projects", "technology", "technologies", "field", "concepts", "basics", "one"}
    | {"such", "related", "similar", "skills", "proven", "hands-on", "deep"}
)


def _content(text: str) -> frozenset[str]:
    latin = {w.lower() for w in _LATIN.findall(text)} - _EMPTY_LATIN
    runs = (_HAN_RUN.findall(part) for part in _EMPTY_WORDS.split(text))
    pairs = {run[i : i + 2] for found in runs for run in found for i in range(len(run) - 1)}
    return frozenset(latin | pairs)
