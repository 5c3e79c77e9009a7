"""The pages as a browser without scripts would use them."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.domain.tasks import EngineNote, Task
from service.engine.port import Performed
from service.errors import EngineUnavailable
from service.settings import Settings
from service.wording.extraction import extract
from tests.fakes import FailingEngine, ScriptedEngine
from tests.web.conftest import opened

RESUME = """# Lin Xiao

lin@example.com

## Work

### Acme, training engineer, 2021-03 to present

- Replaced DDP by FSDP for a 13B model; memory per GPU fell by 61 %
- Ran pre-training on 1024 GPUs with DeepSpeed ZeRO-3
"""
POSTING = """Large-model training engineer
Requirements
- Proficient with FSDP or DeepSpeed
- Three years of experience in distributed training
- Deep knowledge of CUDA kernels
"""
ANSWER = "Plain data parallelism keeps every state on every GPU, which is redundant."
PLACES = (
    "/", "/resumes", "/postings", "/versions", "/board", "/interviews", "/interviews/plan",
    "/learning", "/learning/history", "/learning/drill", "/learning/points/zero",
    "/questions", "/questions/zero-stages", "/tools", "/tools/memory",
    "/tools/check", "/tools/ask", "/tools/ask?q=ZeRO-3", "/settings", "/help", "/passport",
    "/design", "/docs",
    "/signin",
)  # fmt: skip
START = {
    "lang": "en",
    "level": "mid",
    "mode": "coached",
    "minutes": "10",
    "question": "zero-stages",
}


def start(pages: TestClient, **more: str) -> str:
    """Begin an interview; its path."""
    answer = pages.post("/interviews", data=START | more)
    assert answer.status_code == 200, answer.text
    return answer.url.path


def title(html: str) -> str:
    found = re.search(r"<title>(.*?) · Shardwise</title>", html)
    assert found
    return found[1]


@pytest.mark.parametrize("path", PLACES)
def test_every_page_opens_in_both_languages(pages: TestClient, path: str):
    english = pages.get(path, headers={"Accept-Language": "en"})
    chinese = pages.get(path, headers={"Accept-Language": "zh-CN"})
    assert (english.status_code, chinese.status_code) == (200, 200)
    assert '<html lang="en"' in english.text
    assert '<html lang="zh-Hans"' in chinese.text
    assert re.search("[一-鿿]", title(chinese.text))


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    found = [str(m.id) for m in extract() if m.id]
    return [text for text in found if " " in text and "{" not in text]


@pytest.mark.parametrize("path", PLACES)
def test_no_english_sentence_is_left_on_a_chinese_page(
    pages: TestClient, sentences: list[str], path: str
):
    html = pages.get(path, headers={"Accept-Language": "zh"}).text
    assert len(sentences) > 50
    assert [s for s in sentences if f">{s}<" in html] == []


def test_a_page_is_personal_and_guarded(pages: TestClient):
    headers = pages.get("/").headers
    assert headers["cache-control"] == "no-store"
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"


def test_static_files_are_kept_by_their_content(pages: TestClient):
    found = re.search(r'href="(/static/\w+/shardwise\.css)"', pages.get("/").text)
    assert found
    sheet = pages.get(found[1])
    assert sheet.headers["content-type"].startswith("text/css")
    assert "immutable" in sheet.headers["cache-control"]
    assert pages.get("/static/old/shardwise.css").headers["cache-control"] == "no-cache"
    assert pages.get("/static/x/../../page.py").status_code == 404


def test_the_chosen_language_and_light_are_remembered(pages: TestClient):
    answer = pages.post("/preferences", data={"lang": "zh", "theme": "dark", "back": "/help"})
    assert answer.url.path == "/help"
    assert 'lang="zh-Hans" data-theme="dark"' in answer.text
    assert 'lang="zh-Hans" data-theme="dark"' in pages.get("/").text


def test_a_post_from_another_site_changes_nothing(pages: TestClient):
    refused = pages.post(
        "/settings/delete", headers={"Sec-Fetch-Site": "cross-site"}, follow_redirects=False
    )
    assert refused.status_code == 403


def test_a_resume_is_read_shown_and_deleted(pages: TestClient):
    shown = pages.post("/resumes", files={"file": ("lin.md", RESUME.encode())})
    assert shown.status_code == 200
    assert "Replaced DDP by FSDP" in shown.text
    assert "lin@example.com" in shown.text
    gone = pages.post(f"{shown.url.path}/delete")
    assert "No résumé yet" in gone.text
    assert pages.get(shown.url.path).status_code == 404


@pytest.mark.parametrize(
    ("name", "data", "status", "words"),
    [
        ("empty.txt", b"", 422, "paste the text below"),
        ("photo.exe", b"MZ\x00\x01" * 50, 415, "Use PDF, DOCX"),
        ("broken.pdf", b"%PDF-1.7 nothing", 422, "paste"),
    ],
)
def test_a_bad_file_says_what_to_do_and_nothing_is_kept(
    pages: TestClient, name: str, data: bytes, status: int, words: str
):
    answer = pages.post("/resumes", files={"file": (name, data)})
    assert answer.status_code == status
    assert words in answer.text
    assert "No résumé yet" in answer.text


def test_a_refused_text_is_still_in_its_box(pages: TestClient):
    answer = pages.post("/postings", data={"text": "x" * 60_000})
    assert answer.status_code == 413
    assert "x" * 60_000 in answer.text
    assert pages.post("/postings", data={"text": " \n "}).status_code == 422


def test_requirements_stand_beside_evidence_and_lead_to_an_interview(pages: TestClient):
    resume = pages.post("/resumes/pasted", data={"text": RESUME}).url.path.rsplit("/", 1)[-1]
    page = pages.post("/postings", data={"text": POSTING, "resume": resume})
    assert page.status_code == 200
    assert "Proficient with FSDP or DeepSpeed" in page.text
    assert "Replaced DDP by FSDP" in page.text
    assert "Gap" in page.text
    posting = page.url.path.rsplit("/", 1)[-1]
    again = pages.get(f"/postings/{posting}?resume={resume}")
    assert again.status_code == 200
    assert f"resume={resume}&amp;posting={posting}" in page.text
    plan = pages.get(f"/interviews/plan?resume={resume}&posting={posting}&minutes=25")
    assert "Start the interview" in plan.text


def test_user_text_is_never_markup(pages: TestClient):
    attack = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    page = pages.post("/postings", data={"text": f"Requirements\n- {attack} FSDP"})
    room = start(pages)
    answered = pages.post(f"{room}/turns/1", data={"text": f"{attack} and more words"})
    report = pages.get(f"{room}/report")
    for html in (page.text, answered.text, report.text):
        assert "<script>alert" not in html
        assert "<img" not in html
        assert "&lt;script&gt;" in html


def test_an_answer_leads_to_a_follow_up_with_its_words(pages: TestClient):
    room = start(pages)
    page = pages.post(f"{room}/turns/1", data={"text": ANSWER})
    assert page.url.path == room
    assert "Follow-up 1" in page.text
    assert f"clarify: {ANSWER[:12]}" in page.text.replace("&#39;", "'")
    assert '<mark class="said">Plain data p' in page.text


def test_exam_mode_says_nothing_until_the_report(pages: TestClient):
    room = start(pages, mode="exam")
    page = pages.post(f"{room}/turns/1", data={"text": ANSWER})
    assert "What this answer covered" not in page.text
    assert "<mark" not in page.text
    assert "<mark" in pages.get(f"{room}/report").text


def test_the_same_answer_twice_is_one_turn(pages: TestClient):
    room = start(pages)
    sent = {"text": ANSWER, "key": "k-1"}
    first = pages.post(f"{room}/turns/1", data=sent)
    second = pages.post(f"{room}/turns/1", data=sent)
    assert first.status_code == second.status_code == 200
    assert second.text.count('id="asked-2"') == 1
    assert 'id="asked-3"' not in second.text


def test_other_words_to_an_answered_turn_are_refused(pages: TestClient):
    room = start(pages)
    pages.post(f"{room}/turns/1", data={"text": ANSWER})
    late = pages.post(f"{room}/turns/1", data={"text": "something else entirely"})
    assert late.status_code == 409
    assert "Your words were not sent" in late.text
    assert "something else entirely" in late.text
    assert 'id="asked-2"' in late.text
    assert "API" not in late.text


def test_skip_pause_resume_and_end(pages: TestClient):
    room = start(pages)
    assert "Resume" in pages.post(f"{room}/pause").text
    assert pages.post(f"{room}/turns/1", data={"text": ANSWER}).status_code == 409
    assert "Send the answer" in pages.post(f"{room}/resume").text
    skipped = pages.post(f"{room}/turns/1/skip")
    assert "Skipped: this leaves no mark." in skipped.text
    report = pages.post(f"{room}/end")
    assert report.url.path == f"{room}/report"
    assert "Not enough evidence to score" in report.text
    assert pages.post(f"{room}/end").status_code == 200


def test_the_report_shows_quotes_reference_and_one_next_step(pages: TestClient):
    room = start(pages)
    pages.post(f"{room}/turns/1", data={"text": ANSWER})
    report = pages.post(f"{room}/end").text
    assert report.count('class="next"') == 1
    assert "Point by point" in report
    assert '<mark class="said">Plain data p</mark>' in report
    assert "Reference answer with sources" in report
    assert "F0" in report
    gaps = re.search(r'<ol class="gaps">(.*?)</ol>', report, re.DOTALL)
    assert gaps
    assert 1 <= gaps[1].count("<strong>") <= 3
    assert "Read by:" in report


def test_the_stream_tells_the_stages_and_ends_with_the_next_question(pages: TestClient):
    room = start(pages)
    streamed = pages.post(f"{room}/turns/1", data={"text": ANSWER}, headers={"HX-Request": "true"})
    assert streamed.headers["content-type"].startswith("text/event-stream")
    order = [
        "Your answer is safe.",
        "Reading your answer",
        "what to ask next",
        'id="answered-1"',
        'id="asked-2"',
        'id="answer-form"',
    ]
    places = [streamed.text.index(words) for words in order]
    assert places == sorted(places)


def test_a_failure_in_the_stream_keeps_the_form(pages: TestClient):
    room = start(pages)
    streamed = pages.post(f"{room}/turns/1", data={"text": "  "}, headers={"HX-Request": "true"})
    assert "Nothing to read" in streamed.text
    assert 'hx-target="#answer"' not in streamed.text
    assert 'name="text"' in pages.get(room).text


class FellBack(ScriptedEngine):
    """Says that another engine should have read."""

    async def perform(self, task: Task[Any]) -> Performed[Any]:
        performed = await super().perform(task)
        note = EngineNote(engine="builtin", fallback_from="llm", fallback_why="timeout")
        return Performed(performed.reading, note)


def test_a_fallback_is_named_at_the_answer_and_in_the_report(tmp_path: Path):
    settings = Settings(data_dir=tmp_path, engine="builtin", model=None)
    with opened(settings, FellBack()) as pages:
        room = start(pages, mode="exam")
        answered = pages.post(f"{room}/turns/1", data={"text": ANSWER}).text
        assert "Read by the built-in engine: the model could not be reached." in answered
        report = pages.get(f"{room}/report").text
        assert "Part of this was read by the built-in engine" in report


def test_after_a_failed_reading_the_answer_is_safe_and_can_be_read_again(tmp_path: Path):
    down = EngineUnavailable("The model did not answer in time.")
    engine = FailingEngine(down, ScriptedEngine(), times=1)
    settings = Settings(data_dir=tmp_path, engine="builtin", model=None)
    with opened(settings, engine) as pages:
        room = start(pages)
        streamed = pages.post(
            f"{room}/turns/1", data={"text": ANSWER}, headers={"HX-Request": "true"}
        )
        assert "The model did not answer in time." in streamed.text
        assert "Read my answer now" in streamed.text
        assert "Read my answer now" in pages.get(room).text
        assert pages.get(f"{room}/turns/1").headers.get("hx-refresh") is None
        after = pages.post(f"{room}/turns/1/again")
        assert after.status_code == 200
        assert ANSWER[:40] in after.text
        assert pages.get(f"{room}/turns/1").headers["hx-refresh"] == "true"


@pytest.mark.parametrize(
    "path",
    ["/resumes/no", "/postings/no", "/interviews/no", "/interviews/no/report", "/questions/no"],
)
def test_an_unknown_thing_is_a_page_with_a_way_on(pages: TestClient, path: str):
    answer = pages.get(path)
    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert "Not here" in answer.text


def test_a_page_that_does_not_exist_says_so_and_the_api_stays_json(pages: TestClient):
    missing = pages.get("/nowhere/at/all")
    assert missing.status_code == 404
    assert "There is no page at /nowhere/at/all." in missing.text
    assert pages.get("/resumes/").url.path == "/resumes"
    unknown = pages.get("/v1/nothing")
    assert unknown.status_code == 404
    assert "json" in unknown.headers["content-type"]


def test_the_api_is_described_without_asking_another_host(pages: TestClient):
    html = pages.get("/docs").text
    assert "/v1/sessions" in html
    assert "resume_id" in html
    assert "https://" not in html
    assert pages.get("/openapi.json").status_code == 200


def test_the_explorer_computes_what_its_address_says(pages: TestClient):
    html = pages.get("/tools/memory?params=7.5e9&gpus=64&scheme=zero3_paper").text
    assert "1.875 GB (1.746 GiB)" in html
    assert "120 GB (111.8 GiB)" in html
    assert "16ψ/N" in html
    assert "3kψ" in html


def test_the_explorer_answers_htmx_with_the_result_alone(pages: TestClient):
    part = pages.get("/tools/memory?gpus=8", headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert "<table" in part


def test_the_explorer_counts_activations_of_a_known_model(pages: TestClient):
    with_them = pages.get("/tools/memory?model=llama-3-8b&keep=full&seq=4096").text
    assert 'class="activations"' in with_them
    unknown = pages.get("/tools/memory?params=7B&keep=full").text
    assert "need a model from the list" in unknown


@pytest.mark.parametrize("query", ["gpus=10&tp=4", "params=lots", "model=gpt-99", "scheme=zero9"])
def test_the_explorer_says_what_is_wrong_and_keeps_the_form(pages: TestClient, query: str):
    html = pages.get(f"/tools/memory?{query}").text
    assert 'class="notice error"' in html
    assert 'id="gpus"' in html


def test_the_explorer_counts_activations_under_tensor_parallelism(pages: TestClient):
    alone = pages.get("/tools/memory?model=llama-3-8b&keep=none&gpus=8").text
    split = pages.get("/tools/memory?model=llama-3-8b&keep=none&gpus=8&tp=8").text
    sizes = [re.search(r"4096 × 1: ([\d.]+) GB", html) for html in (alone, split)]
    assert sizes[0]
    assert sizes[1]
    assert float(sizes[1][1]) < float(sizes[0][1])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("model=llama-3-70b&gpus=8&keep=full", "fits only with states on the host"),
        ("model=deepseek-v3&gpus=8&keep=full", "nothing fits"),
        ("model=llama-3-8b&gpus=8&keep=full&micro=8", "with 8 micro-batches"),
        ("model=llama-3-70b&gpus=8&keep=full&host=256", "nothing fits"),
    ],
)
def test_the_explorer_advises_and_says_what_decides(pages: TestClient, query: str, words: str):
    html = pages.get(f"/tools/memory?{query}").text
    assert words in html
    assert ("proposed" in html) == ("nothing fits" not in html)


def test_the_time_of_transfers_follows_the_links_in_the_address(pages: TestClient):
    slow, fast = (
        re.findall(r'data-label="Transfers">([\d.]+) s', pages.get(f"/tools/memory?{q}").text)
        for q in ("model=llama-3-8b&gpus=16&net=10", "model=llama-3-8b&gpus=16&net=100")
    )
    assert float(slow[0]) == pytest.approx(10 * float(fast[0]), rel=0.01)


WRONG_NUMBER = (
    "With mixed-precision Adam a 7.5B model needs 60 GB of model states on every GPU under DDP."
)


def test_a_text_is_checked(pages: TestClient):
    html = pages.post("/tools/check", data={"text": WRONG_NUMBER}).text
    assert "Checked by formula" in html
    assert "120 GB" in html


def test_every_sentence_is_marked_with_formula_and_source(pages: TestClient):
    text = "ZeRO-1 splits optimizer states and gradients. ZeRO-3 holds 16ψ/N per GPU. It rains."
    html = pages.post("/tools/check", data={"text": text}).text
    assert "3 sentences read" in html
    marked = re.findall(r'<span class="badge (\w+)">[\w ]+</span>\s*<q>(.*?)</q>', html)
    assert [look for look, _ in marked] == ["wrong", "met"]
    assert "16ψ/N" in html
    assert re.search(r"F016</span> · ZeRO: .*? · checked in the paper", html)


CONFIG = '{"train_batch_size": 8, "zero_optimization": {"stage": 3, "stag": 1}}'


def test_a_configuration_is_checked_from_a_file(pages: TestClient):
    html = pages.post(
        "/tools/check",
        data={"model": "llama-3-8b", "gpus": "8"},
        files={"file": ("ds_config.json", CONFIG.encode("utf-8-sig"))},
    ).text
    assert "zero_optimization.stag" in html
    assert "16×8.03e9/8" in html
    assert "prints GB: its figures are GiB" in html
    assert "What an interviewer would ask" in html


def test_what_was_checked_can_be_taken_along(pages: TestClient):
    answer = pages.post("/tools/check.json", data={"text": WRONG_NUMBER})
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert [s["verdict"] for s in found["sentences"]] == ["wrong"]
    assert found["claims"][0]["formula"]
    assert set(found["sources"]) >= set(found["claims"][0]["fact_ids"])
    config = pages.post("/tools/check.json", data={"text": CONFIG, "name": "ds_config.json"}).json()
    assert config["findings"][0]["path"] == "zero_optimization.stag"


@pytest.mark.parametrize(
    ("data", "files", "status", "words"),
    [
        ({"text": " "}, {}, 422, "The text is empty"),
        ({"text": CONFIG, "gpus": "-3"}, {}, 422, "must be at least 1"),
        ({"text": CONFIG, "model": "gpt-99"}, {"file": ("a.json", CONFIG)}, 404, "gpt-99"),
        ({"text": "kept"}, {"file": ("a.json", '{"a": 1}')}, 422, "no DeepSpeed or FSDP"),
        ({"text": "kept"}, {"file": ("a.txt", b"\xff\xfe\x00")}, 422, "not UTF-8"),
    ],
)
def test_what_cannot_be_checked_says_why_and_keeps_the_form(
    pages: TestClient, data: dict[str, str], files: dict[str, Any], status: int, words: str
):
    answer = pages.post("/tools/check", data=data, files=files)
    assert answer.status_code == status
    assert words in answer.text
    assert 'name="text"' in answer.text


def test_hostile_words_stay_words_in_the_report(pages: TestClient):
    text = "</textarea><script>alert(1)</script> ZeRO-3 holds 2ψ per GPU."
    html = pages.post("/tools/check", data={"text": text}).text
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


def test_a_fact_is_found_with_its_source(pages: TestClient):
    html = pages.get("/tools/ask?q=What does ZeRO-3 communicate per step?").text
    assert re.search(r"F\d{3}", html)
    assert "checked in" in html


def test_everything_can_be_taken_along_and_deleted(pages: TestClient):
    pages.post("/resumes/pasted", data={"text": RESUME})
    export = pages.get("/settings/export")
    assert "attachment" in export.headers["content-disposition"]
    assert "Replaced DDP by FSDP" in export.text
    pages.post("/settings/delete")
    assert "Replaced DDP" not in pages.get("/settings/export").text
    assert "No résumé yet" in pages.get("/resumes").text


def test_a_stranger_is_sent_to_sign_in(pages_by_key: TestClient):
    answer = pages_by_key.get("/resumes")
    assert answer.url.path == "/signin"
    assert answer.url.params["back"] == "/resumes"
    assert "Sign in" in answer.text
    assert pages_by_key.get("/help").status_code == 200
    assert pages_by_key.post("/resumes/pasted", data={"text": RESUME}).status_code == 401


def test_a_wrong_key_is_refused(pages_by_key: TestClient):
    answer = pages_by_key.post("/signin", data={"key": "sw_wrong", "back": "/resumes"})
    assert answer.status_code == 401
    assert "not known" in answer.text
    assert "shardwise_session" not in answer.cookies
