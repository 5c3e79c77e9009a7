"""What pages promise, name and leave out, in the words a reader sees."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.domain.tasks import AnswerReading, ReadAnswer
from service.settings import Settings
from tests.fakes import ScriptedEngine, reading
from tests.web.conftest import opened
from tests.web.test_pages import ANSWER, RESUME, start

CHINESE = {"Accept-Language": "zh"}
ADDRESS = "http://user:secret@127.0.0.1:9/v1"
MOST_TURNS = 9


def main_of(html: str) -> str:
    return html[html.index("<main") : html.index("</main>")]


def bring_resume(pages: TestClient) -> str:
    """Its id."""
    return pages.post("/resumes/pasted", data={"text": RESUME}).url.path.rsplit("/", 1)[-1]


def test_the_map_holds_what_is_there_and_promises_nothing(pages: TestClient):
    html = pages.get("/").text
    nav = html[html.index('id="sitenav"') : html.index("</nav>")]
    assert "/learning" in re.findall(r'href="(/[a-z]*)"', nav)
    assert "later" not in nav


def test_the_quick_question_promises_its_real_minutes_and_stays(pages: TestClient):
    assert "Only 12 minutes?" in pages.get("/").text
    start(pages)
    home = pages.get("/").text
    assert "Only 12 minutes?" in home
    assert '<input type="hidden" name="minutes" value="12">' in home


@pytest.mark.parametrize("path", ["/", "/tools", "/tools/ask"])
def test_it_is_said_quietly_that_words_alone_are_searched(pages: TestClient, path: str):
    assert pages.get(path).text.count("The search index is being built.") == 1


def test_the_last_answer_leaves_nothing_to_pause_or_end(pages: TestClient):
    room = start(pages)
    last = answer_to_the_end(pages, room)
    controls = last[last.index('hx-target="#controls"') :].split("</hx-partial>")[0]
    assert f"{room}/report" in controls
    assert "/pause" not in controls
    assert "end-interview" not in controls
    assert "/pause" not in pages.get(room).text


def answer_to_the_end(pages: TestClient, room: str) -> str:
    """The stream after the last answer, as the text it carries."""
    for seq in range(1, MOST_TURNS):
        sent = pages.post(
            f"{room}/turns/{seq}", data={"text": ANSWER}, headers={"HX-Request": "true"}
        )
        if "This interview is over." in sent.text:
            return sent.text.replace("data: ", "")
        assert 'hx-target="#controls"' not in sent.text
    pytest.fail("the interview does not end")


def test_an_answer_that_covers_nothing_says_so_in_its_box(tmp_path: Path):
    settings = Settings(data_dir=tmp_path, engine="builtin", model=None)
    with opened(settings, ScriptedEngine(nothing_covered)) as pages:
        html = pages.post(f"{start(pages)}/turns/1", data={"text": ANSWER}).text
        assert "None of the points this question looks for was found" in html


def nothing_covered(task: ReadAnswer) -> AnswerReading:
    return reading(*((p.id, "missed", "") for p in task.points))


def test_a_failure_is_told_once(pages: TestClient):
    body = main_of(pages.get("/nothing", headers=CHINESE).text)
    assert body.count("没有找到") == 1
    assert "没有 /nothing 这个页面。" in body


def test_a_field_that_does_not_fit_is_called_by_its_name(pages: TestClient):
    asked = pages.get("/interviews/plan?minutes=soon", headers=CHINESE)
    assert asked.status_code == 422
    assert "分钟：必须是整数。" in asked.text


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({}, "GPUs: a whole number from 1 to 100000."),
        (CHINESE, "GPU 数：请填 1 到 100000 之间的整数。"),
    ],
)
def test_a_wrong_number_in_the_explorer_keeps_the_form_and_is_told_at_its_field(
    pages: TestClient, headers: dict[str, str], told: str
):
    html = pages.get("/tools/memory?gpus=0&params=13B&scheme=ddp", headers=headers).text
    assert html.count(told) == 2
    assert 'id="gpus-wrong"' in html
    assert 'aria-describedby="gpus-wrong"' in html
    assert 'value="13B"' in html
    assert '<option value="ddp" selected>' in html
    part = pages.get("/tools/memory?gpus=0", headers={**headers, "HX-Request": "true"}).text
    assert told in part
    assert "<form" not in part


def test_a_line_of_the_resume_is_quoted_once_in_a_row(pages: TestClient):
    text = "Requirements\n- Proficient with DeepSpeed and ZeRO-3\n"
    html = pages.post("/postings", data={"text": text, "resume": bring_resume(pages)}).text
    table = html[html.index("<tbody>") : html.index("</tbody>")]
    assert table.count("Ran pre-training on 1024 GPUs with DeepSpeed ZeRO-3") == 1


def test_skills_are_called_by_their_chinese_names_on_chinese_pages(pages: TestClient):
    text = "任职要求\n- 熟悉混合精度训练与流水线并行\n"
    sent = {"text": text, "resume": bring_resume(pages)}
    shown = pages.post("/postings", data=sent, headers=CHINESE)
    assert "没有一行体现 混合精度、流水线并行。" in shown.text
    assert ">混合精度</span>" in pages.get(shown.url.path, headers=CHINESE).text
    assert ">mixed precision</span>" in pages.get(shown.url.path).text


def test_before_the_start_it_is_said_what_a_model_will_be_sent(tmp_path: Path):
    settings = Settings(
        data_dir=tmp_path, engine="llm", model="some-model", openai_base_url=ADDRESS
    )
    with opened(settings, ScriptedEngine()) as pages:
        for path in ("/interviews", "/interviews/plan", "/settings"):
            html = pages.get(path).text
            assert "A model reads your answers: some-model at 127.0.0.1:9" in html
            assert "your résumé and the posting are not sent" in html
            assert "secret" not in html
        for path in ("/", "/questions/zero-stages"):
            assert "Your answer goes to some-model at 127.0.0.1:9." in pages.get(path).text


def test_the_settings_show_the_very_text_a_model_would_be_sent(tmp_path: Path):
    settings = Settings(
        data_dir=tmp_path, engine="llm", model="some-model", openai_base_url=ADDRESS
    )
    with opened(settings, ScriptedEngine()) as pages:
        html = pages.get("/settings").text
        assert html.count('<pre class="fulltext"') == 4
        assert "(This stands for your answer.) ZeRO-1 splits only" in html
        assert "&lt;untrusted name=&#34;answer&#34;" in html


def test_without_a_model_it_is_said_that_nothing_is_sent(pages: TestClient):
    assert "nothing is sent to a model" in pages.get("/interviews").text
    assert "A model reads your answers" not in pages.get("/settings").text
    assert "Your answer goes to" not in pages.get("/").text
