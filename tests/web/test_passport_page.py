"""The passport of the grader on its page: shipped figures, both languages, for everybody."""

from fastapi.testclient import TestClient

from service.domain.language import Lang
from service.web.passport import read_passport


def test_the_page_shows_every_table_of_the_shipped_passport(pages: TestClient):
    answer = pages.get("/passport", headers={"accept-language": "en"})
    passport = read_passport(Lang.EN)
    tables = [block for block in passport.blocks if block.kind == "table"]
    assert answer.status_code == 200
    assert len(tables) > 10
    assert answer.text.count("<caption>") == len(tables)
    assert f'datetime="{passport.date}"' in answer.text
    assert "style=" not in answer.text


def test_the_page_is_there_in_chinese_and_linked_from_the_help(pages: TestClient):
    chinese = {"accept-language": "zh"}
    assert "没有达到的目标" in pages.get("/passport", headers=chinese).text
    assert 'href="/passport"' in pages.get("/help", headers=chinese).text
