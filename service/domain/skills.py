"""Finding the field's terms in any text: glued Chinese-Latin writing, ambiguous names, denials.

Forms are looked up in a trie over folded text, longest first; spans point into the original.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Final

from service.domain.denial import denied_ranges
from service.domain.knowledge import Skill
from service.domain.text import Folded, Span, fold

# How far (characters) around an ambiguous name its context may stand.
CONTEXT_REACH: Final = 60
# How many terms away a list of terms is looked along.
LIST_REACH: Final = 3
# A form with more optional separators than this is only tried with all or none of them.
MOST_OPTIONAL_SEPARATORS: Final = 3
# Shorter names are not accepted glued to a neighbour ("MLflowC").
LEAST_GLUED: Final = 4

# Stretches that name no skill: addresses, and "measurable" where Chinese writes 量化.
_NO_TERMS: Final = re.compile(
    r"(?:https?://|www\.)[^\s，。；、）)]{1,300}|[\w.+-]{1,64}@[\w.-]{1,128}"
    r"|可量化|量化(?:的)?(?:指标|成果|结果|目标|收益|评估)"
)
_SEPARATORS: Final = str.maketrans(dict.fromkeys("-_‐‑–", " "))
_LIST_GLUE: Final = re.compile(r"[\s、，,/|;；&+]*(?:和|与|及|或|and|or)?[\s、，,/|]*")
_VERSION: Final = re.compile(r" ?v?\d+(?:\.\d+)*")
# Where a reader may or may not write a space or hyphen: deep|Speed, ZeRO|3, 3D|并行.
_SEAM: Final = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=[A-Za-z0-9])(?=[\u3400-\u9fff])"
    r"|(?<=[\u3400-\u9fff])(?=[A-Za-z0-9])|[\s_-]+"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """One skill in a text. `how` is named or alias; `denied` when the words deny having it."""

    skill: str
    span: Span
    how: str = "named"
    denied: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    """One way of writing a skill. `exact` is the required case, if case matters."""

    skill: str
    named: bool
    exact: str | None
    context: tuple[str, ...]


@dataclass(slots=True)
class _Node:
    children: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])
    forms: list[_Form] = field(default_factory=list[_Form])


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    form: _Form


def find_skills(text: str, skills: Mapping[str, Skill]) -> tuple[Mention, ...]:
    """Every skill named in `text`, in order, the longest form first where forms overlap."""
    return _find(text, _lexicon(tuple(skills.values())), skills)


def skill_names(text: str, skills: Mapping[str, Skill]) -> tuple[str, ...]:
    """The canonical names in `text`, each once, denied ones left out."""
    return tuple(dict.fromkeys(m.skill for m in find_skills(text, skills) if not m.denied))


def ancestors(name: str, skills: Mapping[str, Skill]) -> tuple[str, ...]:
    """All that `name` implies: its parents, theirs, and so on; nearest first, cycles ended."""
    found: dict[str, None] = {}
    queue = list(skills[name].parents) if name in skills else []
    while queue:
        parent = queue.pop(0)
        if parent in found or parent == name:
            continue
        found[parent] = None
        queue.extend(skills[parent].parents if parent in skills else ())
    return tuple(found)


def are_alternatives(names: Sequence[str], skills: Mapping[str, Skill]) -> bool:
    """Whether the skills are of one kind, so that an ad naming them side by side means one."""
    return all(
        other in skills[name].siblings
        for name in names
        if name in skills
        for other in names
        if other != name
    )


def _find(text: str, trie: _Node, skills: Mapping[str, Skill]) -> tuple[Mention, ...]:
    folded = fold(text)
    lookup = _lookup(folded.text)
    hits = list(_with_shared_heads(lookup, list(_scan(folded.text, lookup, trie)), trie))
    kept = [h for i, h in enumerate(hits) if _in_context(i, hits, lookup, skills)]
    denied = denied_ranges(folded.text, [(h.start, h.end) for h in kept])
    return tuple(
        Mention(
            h.form.skill,
            _original(folded, h),
            "named" if h.form.named else "alias",
            (h.start, h.end) in denied,
        )
        for h in kept
    )


def _original(folded: Folded, hit: _Hit) -> Span:
    return folded.span(hit.start, hit.end)


def _lookup(folded: str) -> str:
    """Lower case, separators as spaces, addresses blanked; same length as the folded text."""
    blanked = _NO_TERMS.sub(lambda m: "\0" * len(m[0]), folded)
    lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in blanked)
    return lowered.translate(_SEPARATORS)


def _scan(folded: str, lookup: str, trie: _Node) -> Iterator[_Hit]:
    at = 0
    glued = False
    while at < len(lookup):
        hit = _match(folded, lookup, trie, at) if glued or _starts(lookup, at) else None
        if hit is None:
            at, glued = at + 1, False
            continue
        yield hit
        at, glued = hit.end, True


# "data, tensor and pipeline parallelism", 数据、张量和流水线并行: the head is written once.
_HEADS: Final = (" parallelism", " parallel", "并行", "并行度")
_STEM: Final = re.compile(
    r"([a-z0-9]{1,14}|[\u3400-\u9fff]{2,4}?)"
    r"(?:\s?[、，,/+&]\s?(?:and |or )?|\s(?:and|or)\s|[和与及或])$"
)
LONGEST_SHARED: Final = 4


def _with_shared_heads(lookup: str, hits: Sequence[_Hit], trie: _Node) -> Iterator[_Hit]:
    for hit in hits:
        head = next((h for h in _HEADS if lookup[hit.start : hit.end].endswith(h)), None)
        if head is not None:
            yield from reversed(list(_shared(lookup, hit.start, head, trie)))
        yield hit


def _shared(lookup: str, at: int, head: str, trie: _Node) -> Iterator[_Hit]:
    """Backwards from a term with a head: stems that make a known term with the same head."""
    for _ in range(LONGEST_SHARED):
        stem = _STEM.search(lookup, 0, at)
        forms = _exact(trie, stem[1] + head) if stem else []
        if stem is None or not forms:
            return
        at = stem.start(1)
        yield _Hit(at, stem.end(1), forms[0])


def _exact(trie: _Node, key: str) -> list[_Form]:
    node: _Node | None = trie
    for char in key:
        node = node.children.get(char) if node else None
    return node.forms if node else []


def _match(folded: str, lookup: str, trie: _Node, at: int) -> _Hit | None:
    """The longest form at `at` that ends at a word's end or where another form begins."""
    best: _Hit | None = None
    for end, forms in _walk(lookup, trie, at):
        close = _close(folded, lookup, trie, at, end)
        if close is None:
            continue
        form = next((f for f in forms if _case_fits(f, folded[at:end])), None)
        best = _Hit(at, close, form) if form else best
    return best


def _walk(lookup: str, trie: _Node, at: int) -> Iterator[tuple[int, list[_Form]]]:
    node = trie
    for end in range(at, len(lookup)):
        child = node.children.get(lookup[end])
        if child is None:
            return
        node = child
        if node.forms:
            yield end + 1, node.forms


def _case_fits(form: _Form, written: str) -> bool:
    return form.exact is None or form.exact == written or _plain(form.exact) == _plain(written)


def _plain(text: str) -> str:
    return text.translate(_SEPARATORS)


def _starts(lookup: str, at: int) -> bool:
    return at == 0 or not (_word(lookup[at]) and _word(lookup[at - 1]))


def _word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _close(folded: str, lookup: str, trie: _Node, at: int, end: int) -> int | None:
    """Where the mention ends: a plural or a version belongs to it; None inside a word."""
    if end == len(lookup) or not _word(lookup[end - 1]):
        return end
    if not _word(lookup[end]) and lookup[end] not in "+#":
        return end
    tail = lookup[end:]
    if tail.startswith("s") and not _word(tail[1:2] or " ") and end - at >= LEAST_GLUED:
        return end + 1
    version = _VERSION.match(lookup, end) if not lookup[end - 1].isdigit() else None
    if version and not _word(lookup[version.end() : version.end() + 1] or " "):
        return version.end() if end - at >= LEAST_GLUED else None
    return end if _glued_next(folded, lookup, trie, end) else None


def _glued_next(folded: str, lookup: str, trie: _Node, end: int) -> bool:
    """Lost separators: Megatron-LM|DeepSpeed|Horovod. The next name must be whole as well."""
    if not (folded[end].isupper() or folded[end + 1 : end + 2].isupper()):
        return False
    return any(
        e - end >= LEAST_GLUED and _close(folded, lookup, trie, end, e) is not None
        for e, _ in _walk(lookup, trie, end)
    )


def _in_context(index: int, hits: Sequence[_Hit], lookup: str, skills: Mapping[str, Skill]) -> bool:
    hit = hits[index]
    if not hit.form.context:
        return True
    before = lookup[max(0, hit.start - CONTEXT_REACH) : hit.start]
    after = lookup[hit.end : hit.end + CONTEXT_REACH]
    if any(_stands_in(c, part) for c in hit.form.context for part in (before, after)):
        return True
    category = skills[hit.form.skill].category
    return any(
        skills[other.form.skill].category == category and not other.form.context
        for other in hits[max(0, index - LIST_REACH) : index + LIST_REACH + 1]
        if _side_by_side(hit, other, lookup)
    )


def _stands_in(context: str, part: str) -> bool:
    """Words of context stand as words; Chinese and symbols anywhere."""
    at = part.find(context)
    while at >= 0:
        end = at + len(context)
        left = at == 0 or not (_word(part[at]) and _word(part[at - 1]))
        right = end == len(part) or not (_word(part[end - 1]) and _word(part[end]))
        if left and (right or len(context) > LEAST_GLUED):
            return True
        at = part.find(context, at + 1)
    return False


def _side_by_side(one: _Hit, other: _Hit, lookup: str) -> bool:
    first, second = sorted((one, other), key=lambda h: h.start)
    if first is second or second.start - first.end > CONTEXT_REACH:
        return False
    return bool(_LIST_GLUE.fullmatch(lookup[first.end : second.start]))


@lru_cache(maxsize=4)
def _lexicon(skills: tuple[Skill, ...]) -> _Node:
    root = _Node()
    for skill in skills:
        for written in _forms(skill):
            form = _form(skill, written)
            for key in _keys(written):
                _put(root, key, form)
    return root


def _forms(skill: Skill) -> Iterable[str]:
    return dict.fromkeys((skill.name, *((skill.zh,) if skill.zh else ()), *skill.aliases))


def _form(skill: Skill, written: str) -> _Form:
    """Only a skill's own one-word name and its abbreviations are ambiguous; "golang" is not."""
    one_word = written.isascii() and " " not in written
    unsafe = one_word and (written == skill.name or len(written) < LEAST_GLUED)
    return _Form(
        skill.name,
        written.lower() in (skill.name.lower(), skill.zh),
        written if skill.case_sensitive and unsafe else None,
        tuple(c.lower().translate(_SEPARATORS) for c in skill.context) if unsafe else (),
    )


def _keys(written: str) -> set[str]:
    """All spellings of a form, with and without a separator at each of its seams."""
    pieces = [p for p in _SEAM.split(written) if p]
    seams = len(pieces) - 1
    choices = (
        product(("", " "), repeat=seams)
        if seams <= MOST_OPTIONAL_SEPARATORS
        else (("",) * seams, (" ",) * seams)
    )
    spelled = {"".join(p + s for p, s in zip(pieces, (*c, ""), strict=True)) for c in choices}
    plain = re.sub(r"\s+", " ", written.translate(_SEPARATORS))
    return {s.lower() for s in (*spelled, plain)}


def _put(root: _Node, key: str, form: _Form) -> None:
    node = root
    for char in key:
        node = node.children.setdefault(char, _Node())
    # Unconditional forms first: "golang" before a bare name that needs context.
    node.forms = sorted([*node.forms, form], key=lambda f: (bool(f.context), not f.named))
