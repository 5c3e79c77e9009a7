from service.domain.alignment import MatchEvidence, Strength
from service.web.proofs import ShownProof, proofs

LINE = "Ran pre-training with DeepSpeed ZeRO-3"


def evidence(bullet: str, text: str, skill: str | None) -> MatchEvidence:
    return MatchEvidence(bullet, text, Strength.WORK, skill)


def test_a_line_that_proves_two_skills_is_shown_once_with_both():
    shown = proofs(
        [
            evidence("b1", LINE, "DeepSpeed"),
            evidence("b2", "Tuned NCCL", "NCCL"),
            evidence("b1", LINE, "ZeRO-3"),
            evidence("b1", LINE, None),
        ]
    )
    assert shown == (
        ShownProof(LINE, Strength.WORK, ("DeepSpeed", "ZeRO-3")),
        ShownProof("Tuned NCCL", Strength.WORK, ("NCCL",)),
    )


def test_the_same_words_in_another_room_are_another_proof():
    listed = MatchEvidence("s1", LINE, Strength.SKILLS_LINE, "DeepSpeed")
    assert len(proofs([evidence("b1", LINE, "DeepSpeed"), listed])) == 2


def test_no_evidence_is_nothing_to_show():
    assert proofs([]) == ()
