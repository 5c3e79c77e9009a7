import pytest

from service.domain.assertions import Stance, read_frames


def denied(text, concept, lexicon):
    return [
        m.negated for f in read_frames(text, lexicon) for m in f.mentions if concept in m.concepts
    ]


@pytest.mark.parametrize(
    ("text", "concept", "expected"),
    [
        ("Without gradients the parameters are sharded.", "partition", False),
        ("Stage 2 shards the gradients instead of keeping them.", "hold", True),
        ("Stage 1 shards p states instead of m.", "partition", False),
        ("Adding GPUs is faster without shrinking the model.", "shrink", True),
        ("每张卡连完整权重都没有。", "full", True),
        ("别忘了激活也要占显存。", "costs", False),
    ],
)
def test_a_denial_reaches_what_it_belongs_to(text, concept, expected, lexicon):
    assert denied(text, concept, lexicon)[0] is expected


def test_a_condition_that_ends_its_clause_leaves_the_next_one_asserted(lexicon):
    first, second = read_frames("没有梯度的话，ZeRO-1 切优化器状态。", lexicon)
    assert first.stance is Stance.HYPOTHETICAL
    assert second.stance is Stance.ASSERTED


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Wait, stage 1 shards gradients.", Stance.ASSERTED),
        ("Stage 1 shards gradients. Wait, that is stage 2.", Stance.CORRECTED),
        ("Stage 1 shards gradients and the early ones wait, that is all.", Stance.ASSERTED),
        ("先把梯度发给对应的卡，算完再收回来。", Stance.ASSERTED),
    ],
)
def test_only_a_word_that_opens_a_clause_takes_back(text, stance, lexicon):
    assert read_frames(text, lexicon)[0].stance is stance
