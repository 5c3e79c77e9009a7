"""Which language a reader gets."""

import pytest

from service.domain.language import Lang
from service.wording import negotiate


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", Lang.ZH),
        ("en-GB,en;q=0.9,zh;q=0.8", Lang.EN),
        ("fr-FR, zh-TW;q=0.5, en;q=0.4", Lang.ZH),
        ("en;q=0.1, zh;q=0.2", Lang.ZH),
        ("zh;q=0, en", Lang.EN),
        ("zh_Hans", Lang.ZH),
        ("de", Lang.EN),
        ("*", Lang.EN),
        ("", Lang.EN),
        (None, Lang.EN),
        ("zh;q=oops, en;q=0.1", Lang.EN),
        (";;;,,,q=1", Lang.EN),
    ],
)
def test_the_header_is_ranked_by_quality(header: str | None, lang: Lang):
    assert negotiate(header) is lang


def test_a_remembered_choice_outranks_the_browser():
    assert negotiate("zh-CN", chosen="en") is Lang.EN
    assert negotiate("en", chosen="zh") is Lang.ZH


def test_an_unknown_remembered_choice_is_ignored():
    assert negotiate("zh", chosen="klingon") is Lang.ZH
