import pytest

from service.domain.assertions import read_frames
from service.domain.assertions.patterns import compile_pattern, find_hits, index_frames


def hits(raw, text, lexicon):
    return list(find_hits(compile_pattern(raw, lexicon), index_frames(read_frames(text, lexicon))))


def test_all_items_must_be_said_of_the_subject(lexicon):
    raw = {"says": ["partition", "gradients"], "about": ["stage2"]}
    assert hits(raw, "ZeRO-2 切分梯度。", lexicon)
    assert not hits(raw, "ZeRO-1 切分梯度。", lexicon)
    assert not hits(raw, "ZeRO-2 切分参数。", lexicon)


def test_a_denied_predicate_is_a_flipped_hit(lexicon):
    raw = {"says": ["partition", "gradients"], "about": ["stage2"]}
    [hit] = hits(raw, "Stage 2 does not shard gradients.", lexicon)
    assert hit.flipped


def test_unless_blocks_and_or_widens(lexicon):
    raw = {"says": ["partition|replicate", "gradients"], "unless": ["parameters"]}
    assert hits(raw, "gradients are replicated", lexicon)
    assert not hits(raw, "gradients and parameters are replicated", lexicon)


def test_values_are_compared(lexicon):
    raw = {"says": ["formula=4+12/N"]}
    assert hits(raw, "每卡 (4+12/N)ψ 字节", lexicon)
    assert not hits(raw, "每卡 2ψ+14ψ/N 字节", lexicon)
    assert hits({"says": ["q_times=1.5"]}, "about 1.5x the traffic", lexicon)


def test_a_sentence_window_reaches_over_clauses(lexicon):
    text = "If bandwidth is low, stage 3 becomes the bottleneck."
    says = {"says": ["slow_link", "slow"], "stance": ["asserted", "hypothetical"]}
    assert not hits(says, text, lexicon)
    assert hits(says | {"within": "sentence"}, text, lexicon)


@pytest.mark.parametrize(
    "raw",
    [
        {"says": []},
        {"says": ["no_such_concept"]},
        {"says": ["partition"], "about": ["nobody_knows"]},
        {"says": ["partition"], "sings": True},
        {"says": ["partition"], "gives": "full marks"},
        {"says": ["partition"], "within": "book"},
        {"says": 3},
    ],
)
def test_a_malformed_pattern_is_refused(raw, lexicon):
    with pytest.raises(ValueError, match=r".+"):
        compile_pattern(raw, lexicon)
