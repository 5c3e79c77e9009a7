from collections import Counter

import pytest

from eval.constructed.bank import FAMILIES, LANGUAGES, QUESTIONS, Family, Split, load_bank
from eval.constructed.bases import Base, Maker
from eval.constructed.build import build, stale_files
from eval.constructed.changes import CHANGES
from eval.constructed.dice import Dice
from eval.constructed.labels import Label, Said, Stance, What, label
from service.corpus.load import load_knowledge
from service.domain.grading import CREDIT, Verdict
from service.domain.language import Lang
from service.settings import read_settings

BANK = load_bank()
FLAGSHIP = BANK.questions["zero-stages"]
KNOWLEDGE = load_knowledge(read_settings().knowledge_dir)
WORDS = {q: {x.value: KNOWLEDGE.questions[q].text.in_(x) for x in Lang} for q in QUESTIONS}
MAKER = Maker(BANK, Dice("test"))


def whole(point: str, stance: Stance = Stance.ASSERTED) -> Said:
    return Said(What.WHOLE, point, "en", "", stance)


def belief(name: str, stance: Stance = Stance.ASSERTED) -> Said:
    return Said(What.BELIEF, name, "en", "", stance)


def told(*said: Said):
    return label(FLAGSHIP, BANK.beliefs, said)


@pytest.fixture(scope="module")
def bases() -> list[Base]:
    return [b for split in Split for b in MAKER.bases(split)]


def test_the_bank_is_as_large_as_the_design_asks():
    assert sum(len(q.points) for q in BANK.questions.values()) >= 30
    assert len(BANK.beliefs) >= 25


def test_the_bank_knows_the_points_and_weights_of_the_rubrics():
    for name, question in BANK.questions.items():
        rubric = KNOWLEDGE.questions[name].rubric
        assert {p.id: p.dimension.value for p in rubric.points} == {
            p: v.dimension for p, v in question.points.items()
        }
        assert {d.value: w * 100 for d, w in rubric.dimensions.items()} == question.dimensions
        assert {p.weight for p in rubric.points} == {1}


def test_credit_is_that_of_the_contract():
    credit = {Label.MET: 1, Label.PARTIAL: 0.5, Label.ABSENT: 0, Label.CONTRADICTED: 0}
    assert {Verdict(k.value): v for k, v in credit.items()} == {
        v: c for v, c in CREDIT.items() if v is not Verdict.UNSUPPORTED
    }


def test_beliefs_exist_in_the_atlas_and_name_points_of_the_bank():
    points = {p for q in BANK.questions.values() for p in q.points}
    for name, one in BANK.beliefs.items():
        assert name in KNOWLEDGE.misconceptions
        assert one.touches <= points


def test_dev_and_test_share_no_wording():
    for question in BANK.questions.values():
        for point in question.points.values():
            for lang in LANGUAGES:
                used = {
                    s: {w for f in Family for w in point.wordings(lang, f, s)}
                    | set(point.halves(lang, s))
                    for s in Split
                }
                assert len(used[Split.DEV]) >= 3
                assert not used[Split.DEV] & used[Split.TEST]
    for one in BANK.beliefs.values():
        for lang in LANGUAGES:
            assert not set(one.wordings(lang, Split.DEV)) & set(one.wordings(lang, Split.TEST))


def test_no_two_wordings_of_the_bank_are_the_same():
    wordings = [
        w
        for q in BANK.questions.values()
        for p in q.points.values()
        for lang in LANGUAGES
        for f in Family
        for w in getattr(p.whole[lang], f.value)
    ]
    assert len(wordings) > 350
    assert max(Counter(wordings).values()) == 1


def test_labels_follow_from_what_was_said():
    labels = told(whole("m1"), Said(What.HALF, "m3", "en", ""), belief("M09"))
    assert (labels.points["m1"], labels.points["m3"]) == (Label.MET, Label.PARTIAL)
    assert labels.points["t2"] is Label.CONTRADICTED
    assert labels.misconceptions == ("M09",)
    assert labels.dimensions["motivation"] == 37.5
    assert labels.score == 7.5


def test_the_last_word_counts_and_a_hedge_earns_nothing():
    assert told(whole("t2"), belief("M09")).points["t2"] is Label.CONTRADICTED
    assert told(whole("t2"), belief("M09", Stance.DENIED)).points["t2"] is Label.MET
    assert told(whole("t2", Stance.HEDGED)).points["t2"] is Label.ABSENT
    assert told(whole("t2", Stance.DENIED)).points["t2"] is Label.CONTRADICTED


def test_a_point_that_other_words_may_imply_is_left_open():
    assert told(whole("t2")).open == ("s3",)
    assert not told(whole("t2"), whole("s3")).open
    assert "s2" not in told(belief("M01")).points


def test_everything_said_is_worth_full_marks():
    assert told(*(whole(p) for p in FLAGSHIP.points)).score == 100


def test_bases_fill_every_band_and_give_each_flagship_point_both_labels(bases: list[Base]):
    assert len(bases) == 400
    flagship = [b for b in bases if b.question is FLAGSHIP]
    assert len(flagship) == 280
    for point in FLAGSHIP.points:
        labels = Counter(b.labels.points.get(point) for b in flagship)
        assert labels[Label.MET] + labels[Label.PARTIAL] >= 60, point
        assert labels[Label.ABSENT] >= 60, point
    bands = Counter(min(9, int(b.labels.score // 10)) for b in bases)
    assert min(bands[i] for i in range(10)) >= 15
    assert {b.family for b in bases if b.split is Split.TEST} == set(FAMILIES[Split.TEST])
    assert not any(b.labels.open for b in bases if not b.labels.misconceptions)


def test_slots_are_filled_everywhere(bases: list[Base]):
    assert not [b.id for b in bases if "{" in b.text or "}" in b.text]


def test_each_change_keeps_or_changes_the_labels_as_it_says(bases: list[Base]):
    for kind, change in CHANGES.items():
        made = [(b, c) for b in bases[:200] if (c := change(MAKER, b, Dice(kind)))]
        assert made, kind
        for base, changed in made:
            assert changed.text != base.text or kind == "shuffled_sentences"
            for point in changed.lost:
                assert changed.labels.points[point] not in (Label.MET, Label.PARTIAL)
            if kind == "one_more":
                assert changed.labels.score > base.labels.score
            if kind in ("self_correction", "rejected_beliefs"):
                assert changed.labels.score == base.labels.score


def test_the_same_seed_gives_the_same_bytes_and_the_committed_files_are_current():
    built = build(BANK, WORDS)
    assert stale_files(built) == []
    assert build(BANK, WORDS).files == built.files
    assert built.files["ci.jsonl"].count(b"\n") == 150
    assert build(BANK, WORDS, "other").files["dev.jsonl"] != built.files["dev.jsonl"]
