"""Accept and reject, compare and restore, and the board by keyboard and mouse, in Chromium."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browsing import Visit, chromium, serving, visiting

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Words:
    resume: str
    posting: str
    plain: str  # what the built-in engine makes of the second line
    tailor: str
    propose: str
    accept: str
    reject: str
    answers: str
    compare: str
    restore: str
    restore_yes: str


WORDS = {
    "en": Words(
        "# Lin Xiao\n\nlin@example.com\n\n## Work\n\n### Acme | Training engineer | 2021-03 to"
        " present\n\n- Replaced DDP with FSDP for a 13B model on 64 GPUs, reducing memory per GPU"
        " by 60%\n- Was responsible for the design of a data pipeline\n",
        "Training engineer\n\nRequirements\n- Proficient with FSDP\n",
        "Designed a data pipeline",
        "Open the version",
        "Propose wordings",
        "Accept",
        "Reject",
        "Use these answers",
        "Compare with the newest",
        "Restore revision 1",
        "Restore it",
    ),
    "zh": Words(
        "# 林晓\n\nlin@example.com\n\n## 工作经历\n\n### 某科技公司 训练工程师 2021.03 - 至今\n\n"
        "- 用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型，单卡显存下降 60%\n"
        "- 主要负责数据管线的设计和实现\n",
        "训练工程师\n\n任职要求\n- 熟练使用 FSDP\n",
        "设计和实现数据管线",
        "打开版本",
        "生成改写建议",
        "采纳",
        "拒绝",
        "使用这些回答",
        "与最新对比",
        "恢复修订 1",
        "恢复",
    ),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def base(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("versions")) as address:
        yield address


def tailored(visit: Visit, words: Words) -> None:
    """A résumé, a posting, and the version for it; the page of the version is open."""
    visit.go("/resumes")
    visit.page.locator("#text").fill(words.resume)
    visit.page.locator("form[action='/resumes/pasted'] button").click()
    visit.page.wait_for_url("**/resumes/*")
    visit.go("/postings")
    visit.page.locator("#text").fill(words.posting)
    visit.page.locator("form[action='/postings'] button").click()
    visit.page.wait_for_url("**/postings/*")
    visit.go("/versions")
    visit.button(words.tailor, "main")
    visit.page.wait_for_url("**/versions/*")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lines_are_rewritten_compared_and_restored(browser: Browser, base: str, lang: str):
    words = WORDS[lang]
    with visiting(browser, base, lang) as visit:
        visit.page.request.post(f"{base}/settings/delete")
        tailored(visit, words)
        _decide(visit, words)
        _answer(visit, words)
        _restore(visit, words)
        # Tailored, rewritten, restored: all three are in the history.
        assert visit.page.locator("tbody tr").count() == 3


def _decide(visit: Visit, words: Words) -> None:
    page = visit.page
    visit.button(words.propose)
    proposals = page.locator(".proposal")
    expect(proposals).to_have_count(2)
    expect(page.locator(".diff del").first).to_be_visible()
    # A box that was dragged larger has an inline size; no swap may copy it against the policy.
    page.locator("textarea[id^='own-']").evaluate_all("all => all.map(x => x.style.height = '9em')")
    mine = proposals.filter(has=page.locator(".after", has_text=words.plain))
    mine.get_by_role("button", name=words.accept).click()
    expect(proposals).to_have_count(1)
    expect(page.locator(".bulletbox > p", has_text=words.plain)).to_be_visible()
    expect(page.locator("[role=status]").first).to_be_focused()
    proposals.get_by_role("button", name=words.reject).click()
    expect(proposals).to_have_count(0)
    visit.button(words.propose)
    expect(page.locator("[role=status]").first).to_be_focused()
    expect(proposals).to_have_count(0)


def _answer(visit: Visit, words: Words) -> None:
    page = visit.page
    fields = page.locator("form[action$='/answers'] input")
    assert 0 < fields.count() <= 6
    page.locator("input[id$='-result']").first.fill("12%")
    visit.button(words.answers)
    expect(page.locator(".proposal .after", has_text="12%").first).to_be_visible()


def _restore(visit: Visit, words: Words) -> None:
    page = visit.page
    page.locator("a[href$='/history']").click()
    page.get_by_role("link", name=words.compare).first.click()
    expect(page.locator(".diff ins").first).to_be_visible()
    visit.button(words.restore)
    expect(page.locator("dialog[open]")).to_be_visible()
    visit.button(words.restore_yes, "dialog")
    page.wait_for_url("**/versions/*")
    expect(page.locator(".bulletbox > p", has_text=words.plain)).to_have_count(0)
    page.locator("a[href$='/history']").click()
    expect(page.locator("tbody tr")).to_have_count(3)


@pytest.mark.timeout(240)
def test_a_card_is_moved_by_key_by_list_and_by_mouse(browser: Browser, base: str):
    with visiting(browser, base, "en") as visit:
        visit.page.request.post(f"{base}/settings/delete")
        tailored(visit, WORDS["en"])
        visit.go("/board")
        page = visit.page

        def card_in(column: str):
            return page.locator(f"[data-column={column}] [data-card]")

        expect(card_in("saved")).to_have_count(1)
        card_in("saved").focus()
        page.keyboard.press("Alt+ArrowRight")
        expect(card_in("applied")).to_have_count(1)
        expect(card_in("applied")).to_be_focused()
        page.keyboard.press("Alt+ArrowRight")
        expect(card_in("interview")).to_be_focused()
        page.keyboard.press("Alt+ArrowLeft")
        expect(card_in("applied")).to_be_focused()
        card_in("applied").locator("select").select_option("offer")
        card_in("applied").get_by_role("button", name="Move").click()
        expect(card_in("offer")).to_have_count(1)
        card_in("offer").drag_to(page.locator("[data-column=closed]"))
        expect(card_in("closed")).to_have_count(1)
        page.reload()
        expect(card_in("closed")).to_have_count(1)
        card_in("closed").get_by_role("link", name="Training engineer", exact=True).click()
        page.locator("#kind").select_option("interview")
        page.locator("#day").fill("2099-05-06")
        page.locator("form[action$='/dates'] button").click()
        expect(page.locator("time[datetime='2099-05-06']")).to_be_visible()


@pytest.mark.timeout(120)
def test_the_board_and_the_versions_fit_a_phone_and_name_their_parts(browser: Browser, base: str):
    phone = {"width": 360, "height": 740}
    with visiting(browser, base, "en", viewport=phone) as visit:
        visit.page.request.post(f"{base}/settings/delete")
        tailored(visit, WORDS["en"])
        visit.button(WORDS["en"].propose)
        expect(visit.page.locator(".proposal").first).to_be_visible()
        for path in ("", "/board"):
            if path:
                visit.go(path)
            wide = visit.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= phone["width"]
        unnamed = visit.page.evaluate(
            "[...document.querySelectorAll('select, input:not([type=hidden]), textarea')]"
            ".filter((one) => !one.labels || one.labels.length === 0).length"
        )
        assert unnamed == 0
