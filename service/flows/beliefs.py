"""Opens what weighs beliefs said in other words: wordings, their vectors, and the fitted trees."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from service.domain.assertions.evidence import FIGURES, Evidence, wordings_of
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.trees import read_ensemble
from service.domain.assertions.weighing import BeliefScale
from service.domain.knowledge import Knowledge
from service.errors import KnowledgeInvalid
from service.retrieval.nearness import SentenceNearness

if TYPE_CHECKING:
    from service.retrieval.embedding import Embedder

TREES: Final = "misconceptions/trees.json"


def open_scale(
    folder: Path, knowledge: Knowledge, lexicon: Lexicon, embedder: "Embedder | None" = None
) -> BeliefScale | None:
    """The scale of the knowledge base in `folder`; None when it has no fitted trees.

    Light to call: the encoder and the vectors of the wordings wait for the first text.

    Raises:
        KnowledgeInvalid: the trees are damaged or fitted to other figures.
    """
    path = folder / TREES
    if not path.is_file():
        return None
    try:
        ensemble = read_ensemble(json.loads(path.read_text(encoding="utf-8")), FIGURES)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise KnowledgeInvalid(
            "The knowledge base is not usable:", [f"{TREES}: {error}"]
        ) from error
    wordings = wordings_of(tuple(knowledge.misconceptions.values()))
    nearness = SentenceNearness([w.text for w in wordings], embedder)
    return BeliefScale(Evidence(wordings, lexicon), nearness, ensemble, lexicon)
