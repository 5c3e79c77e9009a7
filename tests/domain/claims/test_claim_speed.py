import pytest

from eval.bench_claims import ANSWERS, growth


@pytest.mark.parametrize("piece", [*ANSWERS, "ψ+" * 8, "1" * 9, "不对，16 字节？"])
def test_ten_times_the_text_takes_about_ten_times_as_long(piece: str) -> None:
    assert growth(piece, 1_500, 15_000, repeats=3) <= 30
