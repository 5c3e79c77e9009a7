import pytest

from service.domain.assertions import Stance, find_misconceptions, read_frames


def stances_of(text, lexicon, concept):
    return [
        f.stance for f in read_frames(text, lexicon) for m in f.mentions if concept in m.concepts
    ]


@pytest.mark.parametrize(
    "text",
    [
        "ZeRO-3 的通信量是 DDP 的三倍。它还会切分参数。我刚才说的三倍不对，应该是 1.5 倍。",
        "ZeRO-3 moves three times the traffic. I was wrong with the factor of three, it is 1.5x.",
        "I said ZeRO-3 triples the communication, but that is not right: it is 1.5 times.",
        "对，我说 ZeRO-3 是三倍通信说错了，应该是 1.5 倍。",
        "ZeRO 会降低激活显存。想了想，前面那句话有问题：激活 ZeRO 管不到。",
        "ZeRO reduces activation memory. What I said about activations is not correct.",
        "So I was wrong with ZeRO-1 sharding gradients; only optimizer states are sharded there.",
        "前面说 ZeRO-2 的通信量比 DDP 多，这个我收回，两者是一样的。",
        "我一开始说 ZeRO-3 的通信量是三倍，其实是 1.5 倍。",
    ],
)
def test_a_belief_taken_back_later_is_not_held(text, knowledge, lexicon):
    assert not find_misconceptions(text, knowledge.misconceptions.values(), lexicon)


def test_only_the_clause_that_is_named_is_taken_back(lexicon):
    text = "ZeRO-3 的通信量是三倍。它还切分参数。我刚才说的三倍不对。"
    assert stances_of(text, lexicon, "parameters") == [Stance.ASSERTED]
    assert stances_of(text, lexicon, "comm") == [Stance.CORRECTED]


def test_going_on_from_what_one_said_takes_nothing_back(lexicon):
    text = "ZeRO-1 只切优化器状态。我刚才说的优化器状态包括主权重。"
    assert set(stances_of(text, lexicon, "optimizer_states")) == {Stance.ASSERTED}


def test_the_right_value_after_a_retraction_is_said_of_the_same_thing(lexicon):
    text = "ZeRO-3 的通信量是三倍，不对，是 1.5 倍。"
    last = read_frames(text, lexicon)[-1]
    assert last.subjects[0] == "stage3"
    assert "comm" in last.objects
