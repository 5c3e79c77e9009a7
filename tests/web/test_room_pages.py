"""The plan changed in place, the room with hints, retries and a clock, without scripts."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.web.test_pages import ANSWER, start

PLAN = "/interviews/plan?lang=en&level=mid&mode=coached&minutes=25"


def titles(html: str) -> list[str]:
    return re.findall(r"<h3>(.*?)</h3>", html)


def button(html: str, verb: str) -> list[str]:
    return re.findall(rf'name="edit" value="({verb}:[^"]+)"', html)


def hidden(html: str, name: str) -> list[str]:
    return re.findall(rf'name="{name}" value="([^"]*)"', html)


def test_a_plan_is_changed_by_its_buttons_and_keeps_its_settings(pages: TestClient):
    shown = pages.get(f"{PLAN}&background=academic&warm_up=true").text
    before = titles(shown)
    assert len(before) > 1
    assert "It begins with a warm-up" in shown
    seed = hidden(shown, "seed")[0]
    address = f"{PLAN}&background=academic&warm_up=true&seed={seed}"
    changed = pages.get(f"{address}&edit={button(shown, 'down')[0]}")
    assert titles(changed.text)[:2] == [before[1], before[0]]
    for kept in ("background=academic", "warm_up=true", f"seed={seed}", "minutes=25"):
        assert kept in str(changed.url)
        assert kept in changed.text  # of the link that changes the settings
    removed = pages.get(f"{changed.url}&edit={button(changed.text, 'remove')[0]}").text
    assert titles(removed) == titles(changed.text)[1:]
    other = re.findall(r'<option value="([^"]+)">', shown)[0]
    added = pages.get(f"{address}&edit=add&other={other}").text
    assert len(titles(added)) == len(before) + 1
    swapped = pages.get(f"{address}&edit={button(shown, 'swap')[0]}&other={other}").text
    assert titles(swapped)[0] != before[0]
    assert titles(swapped)[1:] == before[1:]


def test_the_settings_page_takes_the_plan_back_up(pages: TestClient):
    html = pages.get("/interviews?lang=zh&level=senior&mode=exam&minutes=33&warm_up=true").text
    for chosen in ('value="senior" checked', 'value="exam" checked', 'value="33" checked'):
        assert chosen in html
    assert re.search(r'name="warm_up" value="true" checked', html)


@pytest.mark.parametrize("chosen", [(), ("zero-stages", "collectives")])
def test_the_plan_that_was_shown_is_started_once(pages: TestClient, chosen: tuple[str, ...]):
    html = pages.get(PLAN + "".join(f"&question={q}" for q in chosen)).text
    form = html.rpartition('method="post" action="/interviews"')[2]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.partition("</form>")[0]))
    first, second = (pages.post("/interviews", data=fields) for _ in range(2))
    assert first.url == second.url
    sessions = pages.get("/v1/sessions").json()
    assert len(sessions) == 1
    asked = pages.get(f"/v1/sessions/{sessions[0]['id']}").json()["plan"]["questions"]
    assert [q["question"] for q in asked] == titles(html)


def test_a_hint_stands_in_the_room_and_says_what_it_costs(pages: TestClient):
    room = start(pages)
    html = pages.post(f"{room}/turns/1/hint").text
    assert "Hint 1" in html
    assert "75 % at most" in html
    html = pages.post(f"{room}/turns/1/hint").text
    assert "Hint 2" in html
    assert "50 % at most" in html
    assert 'form="hint-form"' in html
    exam = start(pages, mode="exam")
    assert 'form="hint-form"' not in pages.get(exam).text
    assert pages.post(f"{exam}/turns/1/hint").status_code == 422


def test_a_question_is_tried_again_and_the_report_has_both(pages: TestClient):
    room = start(pages)
    answered = pages.post(f"{room}/turns/1", data={"text": ANSWER}).text
    assert "Retry question 1" in answered
    again = pages.post(f"{room}/questions/zero-stages/retry").text
    assert "Set aside: an earlier question comes first." in again
    pages.post(f"{room}/turns/3", data={"text": ANSWER})
    assert "Attempts: 2." in pages.post(f"{room}/end").text


def test_the_time_left_is_told_by_the_server(pages: TestClient):
    room = start(pages)
    html = pages.get(room).text
    left = [int(n) for n in re.findall(r'role="timer" data-timer data-left="(-?\d+)"', html)]
    assert len(left) == 2
    assert all(0 < n <= 12 * 60 for n in left)
    assert "data-stopped" in pages.post(f"{room}/pause").text


def test_what_was_asked_and_not_answered_is_called_so(pages: TestClient):
    report = pages.post(f"{start(pages)}/end").text
    assert "Asked, not answered" in report
    assert "Not reached" not in report


@pytest.mark.parametrize("closing", ["pause", "end"])
def test_words_sent_to_a_room_that_stands_still_are_given_back(pages: TestClient, closing: str):
    room = start(pages)
    pages.post(f"{room}/{closing}")
    late = pages.post(f"{room}/turns/1", data={"text": "my precious words"})
    assert late.status_code == 409
    assert "my precious words" in late.text
    streamed = pages.post(
        f"{room}/turns/1", data={"text": "my words"}, headers={"HX-Request": "true"}
    )
    assert "Go on where it stands" in streamed.text
