import pytest

from service.domain.assertions import read_frames
from service.domain.assertions.likeness import doubted, prepare_likeness, stretches
from service.domain.grading import Dimension, PointClaim, RubricPoint, Verdict
from service.domain.language import Bilingual

POINTS = [
    RubricPoint(
        "one",
        Dimension.STAGES,
        Bilingual(
            zh="ZeRO-1 只切分优化器状态，梯度仍是全量。",
            en="Stage 1 shards only the optimizer states, gradients stay whole.",
        ),
    ),
    RubricPoint(
        "link",
        Dimension.STAGES,
        Bilingual(
            zh="慢网络上通信成为瓶颈。", en="On a slow network communication is the bottleneck."
        ),
    ),
]


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Stage 1 shards only the optimizer states, gradients stay whole.", Verdict.UNJUDGED),
        ("Stage 2 shards only the optimizer states, gradients stay whole.", Verdict.MISSED),
        ("Activations grow with the sequence.", Verdict.MISSED),
    ],
)
def test_a_missed_point_whose_words_were_said_is_left_open(answer, verdict, lexicon):
    said = stretches(answer, read_frames(answer, lexicon), lexicon)
    missed = PointClaim("one", Verdict.MISSED)
    assert doubted(missed, said, prepare_likeness(POINTS, lexicon)).verdict is verdict
