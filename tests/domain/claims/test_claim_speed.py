import pytest

from eval.bench_claims import ANSWERS, growth
from service.domain.claims.lexicon import CUES

SIGNS = 'ψ()[]{}\\/+-*=≈.,，。;:!?"“”abnkpszx0179e%$_—→|<>^·×¾𝟙'
SINGLE = [*SIGNS, *"一二十百千万亿点几个半倍张卡节第分之零"]
NUMBERS = ["7B", "8 张卡", "16 字节", "4ψ+12ψ/N", "ZeRO-2", "14GB", "1.5 倍", "2+2+12=18 "]
CUE_LISTS = [cues for values in CUES.values() for cues in values.values()]
WORDS = sorted({cue for cues in CUE_LISTS for cue in cues.split("|")})[::30]
PAIRS = [a + b for step in (1, 7, 19) for a, b in zip(SINGLE, SINGLE[step:], strict=False)][::3]
OTHERS = [*NUMBERS, *SINGLE] * (len(WORDS) // len(SINGLE) + 1)
SPOKEN = [f"{word} {other}" for word, other in zip(WORDS, OTHERS, strict=False)]
SQUARE = 40  # ten times the text, read in squares, takes a hundred times as long


@pytest.mark.parametrize("piece", [*ANSWERS, "ψ+" * 8, "1" * 9, "不对，16 字节？"])
def test_ten_times_the_text_takes_about_ten_times_as_long(piece: str) -> None:
    assert growth(piece, 1_500, 15_000, repeats=3) <= 30


def test_no_run_of_characters_or_words_is_read_in_squares() -> None:
    """A second measurement decides, for a busy machine may delay the first."""
    slow = [p for p in (*SINGLE, *PAIRS, *SPOKEN) if growth(p, 800, 8_000, repeats=1) > SQUARE]
    assert [p for p in slow if growth(p, 2_000, 20_000, repeats=3) > SQUARE] == []
