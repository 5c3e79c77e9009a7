"""Learning in Chromium: short questions, the board by keyboard and mouse, and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.fakes import ScriptedEngine
from tests.web.browsing import Visit, chromium, serving, visiting
from tests.web.conftest import covers_first_point

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
ANSWER = "Moving states to the host frees the GPU and pays with traffic over PCIe."


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def base(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("learning")
    with serving(folder, ScriptedEngine(covers_first_point)) as address:
        yield address


def card(page: Page, column: str) -> Locator:
    return page.locator(f"[data-column={column}] [data-card=flash_attention]")


def test_a_short_question_and_the_board_by_keyboard_and_mouse(browser: Browser, base: str):
    with visiting(browser, base) as visit:
        page = visit.page
        page.request.post(f"{base}/settings/delete")
        visit.go("/learning/drill")
        page.locator("#topic").select_option("flash_attention")
        visit.button("Ask me a short question")
        page.wait_for_url("**/learning/drill/*")
        page.locator("#text").fill("a draft")
        page.reload()
        expect(page.locator("#text")).to_have_value("a draft")
        visit.button("Give me a hint")
        expect(page.get_by_text("It is part of the answer to")).to_be_visible()
        page.locator("#text").fill(ANSWER)
        page.locator("#text").press("Control+Enter")
        expect(page.get_by_text("Rating: Hard")).to_be_visible()
        assert page.evaluate("Object.keys(localStorage).filter((k) => k.includes('drill'))") == []
        _over_the_board(visit)


def _over_the_board(visit: Visit) -> None:
    page = visit.page
    visit.go("/learning")
    expect(card(page, "shaky")).to_have_count(1)
    card(page, "shaky").focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(card(page, "good")).to_be_focused()
    expect(card(page, "good").get_by_text("Put here by you")).to_be_visible()
    card(page, "good").drag_to(page.locator("[data-column=stable]"))
    expect(card(page, "stable")).to_have_count(1)
    card(page, "stable").get_by_role("button", name="Back to the evidence").click()
    expect(card(page, "shaky")).to_be_focused()
    card(page, "shaky").get_by_role("link").click()
    expect(page.get_by_text("said after a hint")).to_be_visible()


def test_learning_works_without_scripts_on_a_phone(browser: Browser, base: str):
    phone = {"width": 360, "height": 740}
    with visiting(browser, base, "zh", java_script_enabled=False, viewport=phone) as visit:
        page = visit.page
        page.request.post(f"{base}/settings/delete")
        visit.go("/learning")
        visit.button("给我一道短题")
        page.locator("#text").fill(ANSWER)
        page.locator(".answerbox button.primary").click()
        expect(page.get_by_text("评级：")).to_be_visible()
        visit.go("/learning")
        one = page.locator("[data-card=flash_attention]")
        one.locator("summary").click()
        one.locator("select").select_option("stable")
        one.get_by_role("button", name="移动").click()
        expect(page.locator("[data-column=stable] [data-card=flash_attention]")).to_have_count(1)
