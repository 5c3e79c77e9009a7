"""Two owners on one service: a foreign id is an unknown id, and no route is left out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.flows.accounts import create_owner_with_key
from service.web.routes import PERSONAL
from service.web.routes.account import PAGE_COOKIE
from tests.api.opened import ANSWER, POSTING, RESUME, WISH, app_of, opened, operations

UNKNOWN = "0" * 24


@dataclass(frozen=True)
class Kept:
    """What one owner has, by the name of the path parameter."""

    resume_id: str
    posting_id: str
    match_id: str
    session_id: str
    key_id: str
    version_id: str
    proposal_id: str
    card_id: str
    drill_id: str
    bullet_id: str = "b1"
    order_id: str = "w1-0"

    def named(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True)
class Two:
    client: TestClient
    alice: Mapping[str, str]  # headers
    bob: Mapping[str, str]
    bobs_key_id: str
    kept: Kept  # by Alice


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder: Path = tmp_path_factory.mktemp("tenants")
    with opened(folder, access="key") as client:
        alice, alices_key = make_owner(client, "Alice", "sw_alice")
        bob, bobs_key = make_owner(client, "Bob", "sw_bob")
        yield Two(client, alice, bob, bobs_key, fill(client, alice, alices_key))


def make_owner(client: TestClient, name: str, secret: str) -> tuple[dict[str, str], str]:
    store = app_of(client).state.parts.store
    assert client.portal is not None
    made = client.portal.call(create_owner_with_key, store, name, secret)
    return {"Authorization": f"Bearer {secret}"}, made.key.id


def fill(client: TestClient, headers: Mapping[str, str], key_id: str) -> Kept:
    def post(path: str, **body: Any) -> str:
        response = client.post(path, headers=headers, **body)
        assert response.status_code == 201, response.text
        return response.json()["id"]

    resume = post("/v1/resumes", files={"file": ("li.md", RESUME.encode())})
    posting = post("/v1/postings", json={"text": POSTING})
    match = post("/v1/matches", json={"resume_id": resume, "posting_id": posting})
    session = post("/v1/sessions", json=dict(WISH))
    version = post("/v1/versions", json={"resume_id": resume, "posting_id": posting})
    of_version = f"/v1/versions/{version}"
    wordy = {"text": "Responsible for training a 13B model on 64 A100", "seen": 1}
    client.put(f"{of_version}/bullets/b1", json=wordy, headers=headers)
    worded = client.post(f"{of_version}/proposals", json={}, headers=headers).json()
    card = client.get("/v1/applications", headers=headers).json()[0]["id"]
    proposal = worded["proposals"][0]["id"]
    drill = post("/v1/learning/drills", json={})
    return Kept(resume, posting, match, session, key_id, version, proposal, card, drill)


@dataclass(frozen=True)
class Row:
    """How an operation is asked for another's things; `body` gets the ids to use."""

    body: Callable[[Mapping[str, str]], object] | None = None


BY_PATH = Row()
ANSWERED = Row(lambda _: {"answer": ANSWER})
PAIR = Row(lambda ids: {n: ids[n] for n in ("resume_id", "posting_id")})
PLAN = Row(lambda ids: dict(WISH) | {n: ids[n] for n in ("resume_id", "posting_id")})
NOTED = Row(lambda _: {"title": "t"})
REWRITTEN = Row(lambda _: {})
TOLD = Row(lambda _: {"answers": {"b1-result": "12%"}})
EDITED = Row(lambda _: {"text": "words", "seen": 2})
RESTORED = Row(lambda _: {"revision": 1, "seen": 2})
CHANGED = Row(lambda _: {"seen": 1, "column": "closed"})
DATED = Row(lambda _: {"seen": 1, "kind": "offer", "day": "2027-01-01"})
NAMES_NOTHING = {
    "list_versions", "add_card", "list_cards", "list_reminders", "board_table", "board_calendar",
    "list_skill_points", "list_due", "list_history", "get_skill_point", "put_skill_note",
    "delete_skill_note", "begin_drill",
    # gives or takes only one's own, or what belongs to nobody
    "upload_resume", "list_resumes", "paste_resume", "add_posting", "list_postings",
    "list_matches", "list_sessions", "export_data", "delete_data", "list_keys", "ask_facts",
    "get_fact", "list_questions", "list_models", "estimate_memory", "check_text",
    "check_configuration", "advise_scheme", "health", "ready",
}  # fmt: skip
NAMES_A_THING: Mapping[str, Row] = {
    "get_resume": BY_PATH,
    "delete_resume": BY_PATH,
    "export_resume": BY_PATH,
    "certify_export": BY_PATH,
    "check_resume_file": BY_PATH,
    "list_repairs": BY_PATH,
    "decide_repair": Row(lambda _: {"field": "phone", "accept": True}),
    "fill_missing": Row(lambda _: {"field": "phone", "value": "139 5500 0101"}),
    "get_posting": BY_PATH,
    "delete_posting": BY_PATH,
    "add_match": PAIR,
    "get_match": BY_PATH,
    "delete_match": BY_PATH,
    "preview_plan": PLAN,
    "start_session": PLAN,
    "get_session": BY_PATH,
    "delete_session": BY_PATH,
    "answer_turn": ANSWERED,
    "retry_turn": BY_PATH,
    "answer_stream": ANSWERED,
    "skip_turn": BY_PATH,
    "hint_turn": BY_PATH,
    "retry_question": BY_PATH,
    "pause_session": BY_PATH,
    "resume_session": BY_PATH,
    "end_session": BY_PATH,
    "get_report": BY_PATH,
    "get_report_markdown": BY_PATH,
    "get_report_pdf": BY_PATH,
    "get_drill": BY_PATH,
    "answer_drill": ANSWERED,
    "hint_drill": BY_PATH,
    "skip_drill": BY_PATH,
    "delete_drill": BY_PATH,
    "revoke_key": BY_PATH,
    "add_version": PAIR,
    "get_version": BY_PATH,
    "set_note": NOTED,
    "delete_version": BY_PATH,
    "propose_wordings": REWRITTEN,
    "answer_questions": TOLD,
    "accept_proposal": BY_PATH,
    "reject_proposal": BY_PATH,
    "accept_order": Row(lambda _: {"seen": 2}),
    "reject_order": BY_PATH,
    "edit_bullet": EDITED,
    "list_revisions": BY_PATH,
    "compare_revisions": BY_PATH,
    "restore_revision": RESTORED,
    "get_card": BY_PATH,
    "change_card": CHANGED,
    "add_date": DATED,
    "delete_card": BY_PATH,
}


def test_no_operation_is_without_a_row(two: Two):
    found = set(operations(two.client))
    assert len(found) > 30
    assert found == NAMES_NOTHING | set(NAMES_A_THING)


SHOWN = {"older": 1, "newer": 1}  # what comparing two revisions asks for


def ask(two: Two, operation: str, ids: Mapping[str, str], who: Mapping[str, str]) -> Any:
    method, path, _ = operations(two.client)[operation]
    row = NAMES_A_THING[operation]
    sent: dict[str, Any] = {"json": row.body(ids) if row.body else None, "headers": who}
    sent["params"] = SHOWN
    return two.client.request(method, path.format(**ids, seq=1, question_id="zero-stages"), **sent)


@pytest.mark.parametrize("operation", sorted(NAMES_A_THING))
def test_a_foreign_thing_is_an_unknown_thing(two: Two, operation: str):
    before = exported(two)
    foreign = ask(two, operation, two.kept.named(), two.bob)
    unknown = ask(two, operation, dict.fromkeys(two.kept.named(), UNKNOWN), two.bob)
    assert foreign.text == unknown.text
    assert foreign.status_code == unknown.status_code
    if operation == "answer_stream":
        assert "event: problem" in foreign.text
        assert '"status":404' in foreign.text.replace(" ", "")
    else:
        assert foreign.status_code == 404
        assert foreign.json()["title"] == "not_found"
    assert exported(two) == before


def exported(two: Two) -> object:
    return two.client.get("/v1/me/export", headers=two.alice).json()["tables"]


@pytest.mark.parametrize(
    "path", ["resumes", "postings", "matches", "sessions", "me/keys", "applications"]
)
def test_a_list_shows_ones_own_alone(two: Two, path: str):
    own = two.client.get(f"/v1/{path}", headers=two.alice).json()
    others = two.client.get(f"/v1/{path}", headers=two.bob).json()
    assert len(own) == 1
    assert [x["id"] for x in others] == ([two.bobs_key_id] if path == "me/keys" else [])


def test_deleting_ones_own_leaves_the_others(two: Two):
    before = exported(two)
    headers, _ = make_owner(two.client, "Carol", "sw_carol")
    two.client.post("/v1/postings", json={"text": POSTING}, headers=headers)
    assert two.client.delete("/v1/me", headers=headers).status_code == 204
    assert two.client.get("/v1/postings", headers=headers).status_code == 401
    assert exported(two) == before


def test_the_same_idempotency_key_of_two_owners_is_two_requests(two: Two):
    text = {"text": POSTING + "2. C++ is welcome."}
    again = {"Idempotency-Key": "shared"}
    own = two.client.post("/v1/postings", json=text, headers={**two.alice, **again}).json()
    other = two.client.post("/v1/postings", json=text, headers={**two.bob, **again})
    assert "Idempotent-Replay" not in other.headers
    assert other.json()["id"] != own["id"]
    for who, made in ((two.alice, own), (two.bob, other.json())):
        assert two.client.delete(f"/v1/postings/{made['id']}", headers=who).status_code == 204


PAGES = [row for table in PERSONAL for row in table if "_id}" in row.path]


def test_there_are_pages_that_take_an_id():
    assert len(PAGES) > 8


@pytest.mark.parametrize("row", PAGES, ids=lambda row: f"{row.method} {row.path}")
def test_a_page_of_a_foreign_thing_is_the_page_of_an_unknown_one(two: Two, row: Any):
    before = exported(two)
    shown = []
    for ids in (two.kept.named(), dict.fromkeys(two.kept.named(), UNKNOWN)):
        values = dict.fromkeys(["seq", "question_id", "fact_id", "date_id"], "1") | ids
        path = row.path.format(**values)
        form = {"text": ANSWER} if row.method == "POST" else None
        response = two.client.request(row.method, path, data=form, headers=two.bob)
        text = response.text
        for value in ids.values():
            text = text.replace(value, "ID")
        shown.append((response.status_code, text))
    assert shown[0] == shown[1]
    assert shown[0][0] in {404, 422} or row.path.endswith("/match")
    assert exported(two) == before


def test_signing_in_on_the_page_opens_it_and_signing_out_closes_it(two: Two):
    client = two.client
    client.cookies.clear()
    assert client.get("/interviews", follow_redirects=False).status_code in {303, 401}
    wrong = client.post("/signin", data={"key": "sw_nobody"})
    assert wrong.status_code == 401
    assert PAGE_COOKIE not in client.cookies
    signed = client.post("/signin", data={"key": "sw_alice", "back": "/interviews"})
    assert signed.status_code == 200
    token = client.cookies[PAGE_COOKIE]
    assert client.get("/interviews").status_code == 200
    assert len(client.get("/v1/sessions").json()) == 1
    client.post("/signout")
    assert PAGE_COOKIE not in client.cookies
    reused = client.get("/v1/sessions", headers={"Cookie": f"{PAGE_COOKIE}={token}"})
    assert reused.status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(two: Two):
    two.client.cookies.clear()
    response = two.client.post("/signin", data={"key": "sw_alice"}, follow_redirects=False)
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    two.client.cookies.clear()


def test_a_revoked_key_is_refused_at_once_and_so_is_its_page(two: Two):
    client = two.client
    headers, key_id = make_owner(client, "Dan", "sw_dan")
    client.cookies.clear()
    client.post("/signin", data={"key": "sw_dan"})
    assert client.get("/v1/sessions", headers=headers).status_code == 200
    assert client.delete(f"/v1/me/keys/{key_id}", headers=headers).status_code == 204
    refused = client.get("/v1/sessions", headers=headers)
    assert (refused.status_code, refused.json()["title"]) == (401, "not_signed_in")
    assert client.get("/v1/sessions").status_code == 401
    client.cookies.clear()


def test_figures_of_the_service_ask_for_a_key_too(two: Two):
    assert two.client.get("/metrics").status_code == 401
    assert two.client.get("/metrics", headers=two.alice).status_code == 200
