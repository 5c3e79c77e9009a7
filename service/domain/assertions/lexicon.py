"""The bilingual lexicon: concepts, their forms as a trie, and concepts made of several others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.domain.assertions.model import Kind
from service.domain.assertions.phrasing import MoveLines
from service.domain.assertions.tokens import GLUE, Shape, Token, tokenize
from service.domain.text import fold

FUZZY_LEAST: Final = 7  # shorter words differ from other words by one letter too often


@dataclass(slots=True)
class Node:
    """A place in the trie: what may follow, and the concepts of the form that ends here."""

    children: dict[str, "Node"] = field(default_factory=dict[str, "Node"])
    closes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One concept as written in a file. `broader` are concepts every mention also counts as.

    `term` entries are found beside the others and never in their place.
    """

    id: str
    kind: Kind
    forms: tuple[str, ...]
    broader: tuple[str, ...] = ()
    term: bool = False


@dataclass(frozen=True, slots=True)
class Composition:
    """A concept said by several others in a row, such as each rank + keeps + a share.

    Every part is a set of alternatives; `gap` is the most tokens between two parts.
    """

    id: str
    parts: tuple[frozenset[str], ...]
    gap: int
    denied: bool = False  # the parts say the opposite of the concept
    blockers: frozenset[str] = frozenset()  # concepts that must not stand between


@dataclass(frozen=True, slots=True)
class Lexicon:
    kinds: Mapping[str, Kind]
    broader: Mapping[str, tuple[str, ...]]  # closed: a concept first, then all above it
    trie: Node
    terms: Node
    words: frozenset[str]
    near_words: Mapping[str, str]  # a long word with one letter left out -> the word
    compositions: Mapping[str, tuple[Composition, ...]]  # by a concept of the first part
    characters: Mapping[str, str] = field(default_factory=dict[str, str])
    phrasing: Mapping[str, MoveLines] = field(default_factory=dict[str, MoveLines])

    def kind_of(self, concept: str) -> Kind:
        return self.kinds[concept]

    def form_of(self, token: Token) -> str:
        """The token's form, with a single slip of the pen in a long word put right."""
        form = token.form
        if token.shape is not Shape.WORD or len(form) < FUZZY_LEAST or form in self.words:
            return form
        for candidate in (form, *_one_left_out(form)):
            if candidate in self.words:
                return candidate
            near = self.near_words.get(candidate)
            if near and near[0] == form[0]:
                return near
        return form


def build_lexicon(
    entries: Iterable[Entry],
    compositions: Iterable[Composition] = (),
    characters: Mapping[str, str] | None = None,
) -> Lexicon:
    """Compile the entries.

    Raises:
        ValueError: a concept is entered with two kinds, or a broader concept or part is unknown.
    """
    characters = characters or {}
    kinds: dict[str, Kind] = {}
    parents: dict[str, tuple[str, ...]] = {}
    trie, terms = Node(), Node()
    words: set[str] = set()
    rows = tuple(entries)
    for entry in rows:
        if kinds.setdefault(entry.id, entry.kind) is not entry.kind:
            raise ValueError(f"concept {entry.id} has two kinds")
        parents[entry.id] = (*parents.get(entry.id, ()), *entry.broader)
        for form in entry.forms:
            keys = form_keys(form, characters)
            _insert(terms if entry.term else trie, keys, entry.id)
            words.update(k for k in keys if len(k) > 1)
    made = tuple(compositions)
    _check_known(kinds, parents, made)
    return Lexicon(
        kinds=kinds,
        broader={concept: tuple(_closure(concept, parents)) for concept in kinds},
        trie=trie,
        terms=terms,
        words=frozenset(words),
        near_words=_near_words(words),
        compositions=_by_first_part(made),
        characters=characters,
    )


def form_keys(form: str, characters: Mapping[str, str]) -> tuple[str, ...]:
    """The trie keys of a written form: token forms without hyphens and underscores."""
    tokens = tokenize(fold(form), form, characters)
    return tuple(t.form for t in tokens if t.form not in GLUE)


def longest_form(forms: Sequence[str], at: int, trie: Node) -> tuple[int, tuple[str, ...]]:
    """End and concepts of the longest form that starts here; (at, ()) when none does."""
    node = trie
    best: tuple[int, tuple[str, ...]] = (at, ())
    place = at
    while place < len(forms):
        if forms[place] in GLUE and place > at:
            place += 1
            continue
        child = node.children.get(forms[place])
        if child is None:
            break
        node = child
        place += 1
        if node.closes:
            best = (place, node.closes)
    return best


def _insert(trie: Node, keys: tuple[str, ...], concept: str) -> None:
    if not keys:
        raise ValueError(f"concept {concept} has an empty form")
    node = trie
    for key in keys:
        node = node.children.setdefault(key, Node())
    if concept not in node.closes:
        node.closes = (*node.closes, concept)


def _check_known(
    kinds: Mapping[str, Kind],
    parents: Mapping[str, tuple[str, ...]],
    compositions: tuple[Composition, ...],
) -> None:
    for concept, above in parents.items():
        for broader in above:
            if broader not in kinds:
                raise ValueError(f"concept {concept} belongs to unknown {broader}")
    for made in compositions:
        for concept in (
            made.id,
            *sorted(c for part in made.parts for c in part),
            *sorted(made.blockers),
        ):
            if concept not in kinds:
                raise ValueError(f"composition {made.id} names unknown {concept}")


def _closure(concept: str, parents: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    seen = [concept]
    for name in seen:
        seen.extend(p for p in parents.get(name, ()) if p not in seen)
    return iter(seen)


def _one_left_out(word: str) -> Iterator[str]:
    return (word[:i] + word[i + 1 :] for i in range(len(word)))


def _near_words(words: set[str]) -> dict[str, str]:
    near: dict[str, str] = {}
    for word in sorted(words):
        if len(word) >= FUZZY_LEAST and word.isascii():
            for shorter in _one_left_out(word):
                near.setdefault(shorter, word)
    return near


def _by_first_part(made: tuple[Composition, ...]) -> dict[str, tuple[Composition, ...]]:
    index: dict[str, tuple[Composition, ...]] = {}
    for composition in made:
        for concept in sorted(composition.parts[0]):
            index[concept] = (*index.get(concept, ()), composition)
    return index
