"""The whole way through the pages in Chromium, in both languages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.fakes import ScriptedEngine
from tests.web.browsing import SlowEngine, Visit, chromium, serving, visiting
from tests.web.conftest import covers_first_point

pytestmark = pytest.mark.browser

PLACES = (
    "/", "/resumes", "/postings", "/versions", "/board", "/interviews", "/interviews/plan",
    "/learning", "/questions", "/questions/zero-stages", "/tools", "/tools/memory",
    "/tools/check", "/tools/ask?q=ZeRO", "/settings", "/help", "/passport",
    "/design", "/docs", "/signin",
)  # fmt: skip
PHONE = {"width": 360, "height": 740}
PAUSE = 0.35


@dataclass(frozen=True)
class Words:
    """What a person of one language reads, writes and presses."""

    resume: str
    posting: str
    requirement: str
    evidence: str
    answer: str
    quote: str
    second: str
    read_file: str
    read_posting: str
    both: str
    show_plan: str
    start: str
    send: str
    end: str
    end_yes: str
    next: str
    points: str
    gap: str


WORDS = {
    "en": Words(
        resume="# Lin Xiao\n\nlin@example.com\n\n## Work\n\n### Acme, training engineer, 2021-03 to"
        " present\n\n- Replaced DDP by FSDP for a 13B model on 64 GPUs\n- Ran pre-training with"
        " DeepSpeed ZeRO-3\n",
        posting="Large-model training engineer\n\nRequirements\n- Proficient with FSDP or"
        " DeepSpeed\n- Deep knowledge of CUDA kernels\n",
        requirement="Proficient with FSDP or DeepSpeed",
        evidence="Replaced DDP by FSDP for a 13B model on 64 GPUs",
        answer="Plain data parallelism keeps parameters, gradients and optimizer states whole on"
        " every GPU, which is redundant. ZeRO stage 1 partitions only the optimizer states.",
        quote="data parallelism",
        second="Stage 2 also partitions the gradients, and stage 3 partitions the parameters too.",
        read_file="Read this file",
        read_posting="Read the posting",
        both="Make an interview from both",
        show_plan="Show the plan",
        start="Start the interview",
        send="Send the answer",
        end="End",
        end_yes="End it and read the report",
        next="Next",
        points="Point by point",
        gap="Gap",
    ),
    "zh": Words(
        resume="# 林晓\n\nlin@example.com\n\n## 工作经历\n\n"
        "### 某科技公司 训练工程师 2021.03 - 至今\n\n"
        "- 用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型\n- 用 DeepSpeed ZeRO-3 做预训练\n",
        posting="大模型训练工程师\n\n任职要求\n"
        "- 熟练使用 FSDP 或 DeepSpeed\n- 精通 CUDA 算子开发\n",
        requirement="熟练使用 FSDP 或 DeepSpeed",
        evidence="用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型",
        answer="数据并行时每张卡都完整保存参数、梯度和优化器状态，这是冗余的。"
        "ZeRO-1 只切分优化器状态。",
        quote="数据并行",
        second="ZeRO-2 再把梯度切分，ZeRO-3 连参数也切分。",
        read_file="读取文件",
        read_posting="读取招聘信息",
        both="用两者生成面试",
        show_plan="查看计划",
        start="开始面试",
        send="发送回答",
        end="结束",
        end_yes="结束并查看报告",
        next="下一步",
        points="逐点说明",
        gap="缺口",
    ),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def base(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service whose engine says what it is told, slowly enough to be watched."""
    engine = SlowEngine(ScriptedEngine(covers_first_point), PAUSE)
    with serving(tmp_path_factory.mktemp("scripted"), engine) as address:
        yield address


def one_question(visit: Visit) -> str:
    """Begin the five-minute interview; the path of its room."""
    visit.go("/questions/zero-stages")
    visit.page.locator("main form button").first.click()
    visit.page.wait_for_url("**/interviews/*")
    return urlsplit(visit.page.url).path


def answer(visit: Visit, text: str, words: Words) -> None:
    visit.page.locator("#text").fill(text)
    visit.button(words.send)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_one_interview_from_resume_to_report_survives_a_restart(
    browser: Browser, tmp_path: Path, lang: str
):
    words = WORDS[lang]
    data = tmp_path / "data"
    file = tmp_path / "resume.md"
    file.write_text(words.resume, encoding="utf-8")
    with serving(data) as address, visiting(browser, address, lang) as visit:
        _materials(visit, words, file)
        _begin(visit, words)
        asked = _first_answer(visit, words)
        state = visit.page.context.storage_state()
        room = urlsplit(visit.page.url).path
        port = urlsplit(address).port or 0
    with serving(data, port=port) as address:
        assert urlsplit(address).port == port
        with visiting(browser, address, lang, storage_state=state) as visit:
            visit.go("/")
            visit.page.locator(".next a").click()
            assert urlsplit(visit.page.url).path == room
            assert visit.page.locator(".turn.asks .words").all_inner_texts() == asked
            _finish(visit, words)


def _materials(visit: Visit, words: Words, file: Path) -> None:
    page = visit.page
    visit.go("/")
    page.locator(".next a").click()
    page.locator("input[type=file]").set_input_files(file)
    visit.button(words.read_file)
    expect(page.get_by_text(words.evidence).first).to_be_visible()
    visit.go("/postings")
    page.locator("#text").fill(words.posting)
    visit.button(words.read_posting)
    row = page.locator("tr", has_text=words.requirement)
    expect(row.locator("mark").first).to_contain_text("FSDP")
    expect(page.locator(".badge.gap").first).to_have_text(words.gap)


def _begin(visit: Visit, words: Words) -> None:
    page = visit.page
    visit.link(words.both)
    visit.button(words.show_plan)
    expect(page.locator(".points > li").first).to_be_visible()
    visit.button(words.start)
    expect(page.locator("#asked-1 .words")).not_to_be_empty()


def _first_answer(visit: Visit, words: Words) -> list[str]:
    """Answer; the follow-up quotes the answer, and a refresh changes nothing."""
    page = visit.page
    answer(visit, words.answer, words)
    expect(page.locator("#answered-1")).to_contain_text(words.answer)
    expect(page.locator("#asked-2")).to_be_visible()
    asked = page.locator(".turn.asks .words").all_inner_texts()
    assert len(asked) == 2
    assert _shares_words(asked[1], words.answer), asked[1]
    page.reload()
    assert page.locator(".turn.asks .words").all_inner_texts() == asked
    expect(page.locator("#answered-1")).to_contain_text(words.answer)
    return asked


LEAST_QUOTE = 4


def _shares_words(question: str, answered: str) -> bool:
    """Some run of the answer's own characters stands in the question."""
    runs = (answered[i : i + LEAST_QUOTE] for i in range(len(answered) - LEAST_QUOTE))
    return any(run in question for run in runs)


def _finish(visit: Visit, words: Words) -> None:
    page = visit.page
    answer(visit, words.second, words)
    expect(page.locator("#answered-2")).to_contain_text(words.second)
    expect(page.locator("#asked-3, .notice.good").first).to_be_visible()
    if page.locator("#asked-3").count():
        visit.button(words.end)
        visit.button(words.end_yes)
    else:
        page.locator(".notice.good a").click()
    page.wait_for_url("**/report")
    expect(page.get_by_role("heading", name=words.next, exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name=words.points, exact=True).first).to_be_visible()
    assert page.locator(".points.marks mark").count() >= 1
    assert page.locator(".gaps > li").count() <= 3
    assert page.locator(".meters .meter").count() == 4


def test_the_next_move_is_watched_as_it_comes(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        one_question(visit)
        page = visit.page
        page.evaluate(
            """() => {
              window.seen = [];
              new MutationObserver(() => {
                const text = document.getElementById('status').innerText.trim();
                if (text && window.seen.at(-1) !== text) window.seen.push(text);
              }).observe(document.getElementById('status'), {childList: true, subtree: true});
            }"""
        )
        answer(visit, WORDS["en"].answer, WORDS["en"])
        expect(page.locator("#answer-form")).to_be_hidden()
        expect(page.locator("#asked-2")).to_be_visible()
        seen = page.evaluate("() => window.seen")
        assert [s for s in seen if "Reading" in s]
        assert [s for s in seen if "what to ask next" in s]
        expect(page.locator("#text")).to_be_focused()
        assert page.locator("#turns").get_attribute("aria-live") == "polite"


def test_two_quick_clicks_are_one_answer(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        room = one_question(visit)
        visit.page.locator("#text").fill(WORDS["en"].answer)
        visit.page.get_by_role("button", name="Send the answer").dblclick()
        expect(visit.page.locator("#asked-2")).to_be_visible()
        visit.go(room)
        assert visit.page.locator(".turn.answers").count() == 1
        assert visit.page.locator(".turn.asks").count() == 2


def test_a_draft_outlives_a_refresh_and_goes_when_it_was_sent(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        one_question(visit)
        page = visit.page
        page.locator("#text").fill("half a thought")
        page.reload()
        expect(page.locator("#text")).to_have_value("half a thought")
        page.locator("#text").fill(WORDS["en"].answer)
        page.locator("#text").press("Control+Enter")
        expect(page.locator("#asked-2")).to_be_visible()
        expect(page.locator("#text")).to_have_value("")
        assert page.evaluate("() => Object.keys(localStorage)") == []


def test_a_draft_outlives_a_pause(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        one_question(visit)
        page = visit.page
        page.locator("#text").fill("half a thought")
        visit.button("Pause")
        expect(page.locator("#text")).to_have_count(0)
        page.reload()
        visit.button("Resume", within="#answer")
        expect(page.locator("#text")).to_have_value("half a thought")
        answer(visit, WORDS["en"].answer, WORDS["en"])
        expect(page.locator("#asked-2")).to_be_visible()
        assert page.evaluate("() => Object.keys(localStorage)") == []


def test_deleting_everything_forgets_the_drafts_of_this_browser(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        one_question(visit)
        page = visit.page
        page.locator("#text").fill("half a thought")
        visit.go("/settings")
        assert len(page.evaluate("() => Object.keys(localStorage)")) == 1
        visit.button("Delete all of it")
        visit.button("Delete everything")
        expect(page.locator(".next")).to_be_visible()
        assert page.evaluate("() => Object.keys(localStorage)") == []


def test_a_box_dragged_larger_breaks_no_rule_of_the_policy(browser: Browser, base: str):
    """The size a browser writes into the box must not be copied to the box that follows."""
    with visiting(browser, base) as visit:
        one_question(visit)
        page = visit.page
        box = page.locator("#text").bounding_box()
        assert box
        corner = (box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
        page.mouse.move(*corner)
        page.mouse.down()
        page.mouse.move(corner[0], corner[1] + 120)
        page.mouse.up()
        assert "height" in (page.locator("#text").get_attribute("style") or "")
        answer(visit, WORDS["en"].answer, WORDS["en"])
        expect(page.locator("#asked-2")).to_be_visible()
        assert page.locator("#text").get_attribute("style") is None


def test_after_the_last_answer_the_head_offers_the_report_alone(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        one_question(visit)
        page = visit.page
        for seq in range(1, MOST_TURNS):
            answer(visit, WORDS["en"].answer, WORDS["en"])
            expect(page.locator(f"#asked-{seq + 1}, .notice.good").first).to_be_visible()
            if page.locator(".notice.good").count():
                break
        expect(page.locator(".notice.good")).to_be_visible()
        expect(page.locator("#controls a")).to_have_text("Report")
        assert page.locator("#controls button").count() == 0


MOST_TURNS = 9


def test_an_interview_can_be_taken_with_the_keyboard_alone(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        page = visit.page
        visit.go("/questions/zero-stages")
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()
        _tab_to(visit, "main form button")
        page.keyboard.press("Enter")
        page.wait_for_url("**/interviews/*")
        _tab_to(visit, "#text")
        page.keyboard.type("Data parallelism keeps a full copy on every GPU.")
        page.keyboard.press("Control+Enter")
        expect(page.locator("#asked-2")).to_be_visible()
        page.locator("body").focus()
        _tab_to(visit, "[data-opens=end-interview]")
        page.keyboard.press("Enter")
        expect(page.locator("#end-interview")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#end-interview")).to_be_hidden()
        page.keyboard.press("Enter")
        _tab_to(visit, "#end-interview form button:not([type=button])")
        page.keyboard.press("Enter")
        page.wait_for_url("**/report")


MOST_TABS = 60


def _tab_to(visit: Visit, selector: str) -> None:
    for _ in range(MOST_TABS):
        visit.page.keyboard.press("Tab")
        reached = visit.page.evaluate(
            "selector => document.activeElement.matches(selector)", selector
        )
        if reached:
            return
    pytest.fail(f"{selector} cannot be reached with the Tab key")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_page_fits_a_phone_in_the_dark_and_names_its_fields(
    browser: Browser, base: str, lang: str
):
    with visiting(browser, base, lang, viewport=PHONE, color_scheme="dark") as visit:
        room = one_question(visit)
        for path in (*PLACES, room, f"{room}/report"):
            visit.go(path)
            visit.page.evaluate(UNFOLD)
            width = visit.page.evaluate("() => document.documentElement.scrollWidth")
            assert width <= PHONE["width"], path
            assert visit.page.evaluate(UNNAMED) == [], path
            assert visit.page.locator("h1").count() == 1, path
            assert _luminance(visit) < 0.1, path


UNFOLD = "() => document.querySelectorAll('details').forEach(one => { one.open = true; })"
UNNAMED = """() => [...document.querySelectorAll('input, select, textarea, button')]
  .filter(e => e.type !== 'hidden' && !e.hidden && !e.closest('dialog'))
  .filter(e => !(e.labels && e.labels.length) && !e.getAttribute('aria-label'))
  .filter(e => !e.innerText.trim())
  .map(e => e.outerHTML)"""


def _luminance(visit: Visit) -> float:
    """How light the page is: 0 black, 1 white."""
    colour = visit.page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    channels = [int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(channels) / (3 * 255)


def test_the_light_is_the_readers_choice(browser: Browser, base: str):
    with visiting(browser, base, color_scheme="light") as visit:
        visit.go("/help")
        assert _luminance(visit) > 0.8
        visit.button("Switch the light to: Dark")
        assert _luminance(visit) < 0.1
        visit.go("/")
        assert _luminance(visit) < 0.1


def test_the_language_is_switched_in_place_and_remembered(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        visit.go("/tools/memory?gpus=128")
        visit.button("中文")
        assert visit.page.url.endswith("/tools/memory?gpus=128")
        expect(visit.page.locator("html")).to_have_attribute("lang", "zh-Hans")
        visit.go("/")
        expect(visit.page.locator("html")).to_have_attribute("lang", "zh-Hans")


def test_the_menu_opens_on_a_phone(browser: Browser, base: str):
    with visiting(browser, base, viewport=PHONE) as visit:
        visit.go("/")
        expect(visit.page.locator("#sitenav")).to_be_hidden()
        visit.button("Menu")
        visit.page.locator("#sitenav").get_by_role("link", name="Question bank").click()
        visit.page.wait_for_url("**/questions")


def test_the_explorer_follows_each_choice_and_its_address(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        page = visit.page
        visit.go("/tools/memory")
        page.locator("#gpus").fill("128")
        page.locator("#gpus").blur()
        expect(page.locator("#explorer caption")).to_have_text("On one GPU of 128")
        expect(page).to_have_url(re.compile(r"/tools/memory\?.*scheme=zero3_paper.*gpus=128"))
        page.locator("#scheme").select_option("zero2_paper")
        expect(page.locator("#explorer .card h2")).to_have_text("ZeRO-2 as in the paper")
        page.reload()
        expect(page.locator("#explorer .card h2")).to_have_text("ZeRO-2 as in the paper")


def test_a_file_is_checked_in_place_and_its_report_taken_along(
    browser: Browser, base: str, tmp_path: Path
):
    config = tmp_path / "ds_config.json"
    config.write_text('{"zero_optimization": {"stage": 3, "stag": 1}}', encoding="utf-8")
    with visiting(browser, base) as visit:
        visit.go("/tools/check")
        visit.page.set_input_files('input[name="file"]', config)
        visit.button("Check it")
        expect(visit.page.locator("#result")).to_contain_text("zero_optimization.stag")
        with visit.page.expect_download() as download:
            visit.button("Download as JSON")
        assert '"tool": "deepspeed"' in Path(download.value.path()).read_text("utf-8")


def test_the_advice_follows_the_choice(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        visit.go("/tools/memory?model=llama-3-70b&gpus=8&keep=full")
        expect(visit.page.locator("#explorer")).to_contain_text("fits only with states on the host")
        visit.page.get_by_text("Node and links, for the advice").click()
        visit.page.fill("#host", "256")
        visit.page.dispatch_event("#host", "change")
        expect(visit.page.locator("#explorer")).to_contain_text("nothing fits")
        assert "host=256" in visit.page.url


def test_hostile_text_runs_nowhere(browser: Browser, base: str):
    attack = (
        "<script>window.hit=1</script><img src=x onerror='window.hit=1'><svg onload=window.hit=1>"
    )
    with visiting(browser, base) as visit:
        page = visit.page
        room = one_question(visit)
        answer(visit, f"{attack} and data parallelism keeps full copies", WORDS["en"])
        expect(page.locator("#asked-2")).to_be_visible()
        for path in (room, f"{room}/report"):
            visit.go(path)
            assert page.evaluate("() => window.hit") is None
            assert page.locator("main img, main script").count() == 0
            expect(page.get_by_text("<script>window.hit=1</script>").first).to_be_attached()


def test_the_whole_works_without_scripts(browser: Browser, base: str):
    with visiting(browser, base, java_script_enabled=False) as visit:
        page = visit.page
        one_question(visit)
        answer(visit, WORDS["en"].answer, WORDS["en"])
        expect(page.locator("#asked-2")).to_be_visible()
        page.locator("#end-interview form button").first.click()
        page.wait_for_url("**/report")
        expect(page.get_by_role("heading", name="Report")).to_be_visible()
