"""Opens what weighs words no pattern knows: wordings, their vectors, and the fitted trees."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from service.corpus.denials import Denials, load_denials
from service.domain.assertions.evidence import FIGURES, Evidence, wordings_of
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.point_wordings import wordings_of_points
from service.domain.assertions.trees import Ensemble, read_ensemble
from service.domain.assertions.weighing import BeliefScale, PointScale, Scales
from service.domain.knowledge import Knowledge
from service.errors import KnowledgeInvalid
from service.retrieval.nearness import RecentlyEmbedded, SentenceNearness

if TYPE_CHECKING:
    from service.retrieval.embedding import Embedder

BELIEF_TREES: Final = "misconceptions/trees.json"
POINT_TREES: Final = "questions/trees.json"


def open_scales(
    folder: Path, knowledge: Knowledge, lexicon: Lexicon, embedder: "Embedder | None" = None
) -> Scales:
    """The scales of the knowledge base in `folder`; one without fitted trees is left out.

    Light to call: the encoder and the vectors of the wordings wait for the first text. What one
    scale has embedded the other finds ready.

    Raises:
        KnowledgeInvalid: the trees are damaged or fitted to other figures.
    """
    recent = RecentlyEmbedded(embedder)
    beliefs, points = (_read_trees(folder, name) for name in (BELIEF_TREES, POINT_TREES))
    denials = load_denials(folder)
    return Scales(
        open_belief_scale(knowledge, lexicon, beliefs, recent) if beliefs else None,
        QuestionScales(knowledge, denials, lexicon, points, recent) if points else None,
    )


def open_belief_scale(
    knowledge: Knowledge, lexicon: Lexicon, ensemble: Ensemble, embedder: "Embedder"
) -> BeliefScale:
    wordings = wordings_of(tuple(knowledge.misconceptions.values()))
    nearness = SentenceNearness([w.text for w in wordings], embedder)
    return BeliefScale(Evidence(wordings, lexicon), nearness, ensemble, lexicon)


@dataclass(slots=True)
class QuestionScales:
    """The scale of a question is made when its first answer comes."""

    knowledge: Knowledge
    denials: Denials
    lexicon: Lexicon
    ensemble: Ensemble
    embedder: "Embedder"
    _made: dict[str, PointScale] = field(default_factory=dict[str, PointScale], init=False)

    def of(self, question_id: str) -> PointScale | None:
        question = self.knowledge.questions.get(question_id)
        if question is None:
            return None
        known = self._made.get(question_id)
        if known is None:
            atlas = self.knowledge.misconceptions.values()
            wordings = wordings_of_points(question, atlas, self.denials.get(question_id, {}))
            nearness = SentenceNearness([w.text for w in wordings], self.embedder)
            evidence = Evidence(wordings, self.lexicon)
            known = PointScale(evidence, nearness, self.ensemble, self.lexicon)
        # Two threads may both have made one: either will do.
        return self._made.setdefault(question_id, known)


def _read_trees(folder: Path, name: str) -> Ensemble | None:
    path = folder / name
    if not path.is_file():
        return None
    try:
        return read_ensemble(json.loads(path.read_text(encoding="utf-8")), FIGURES)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise KnowledgeInvalid("The knowledge base is not usable:", [f"{name}: {error}"]) from error
