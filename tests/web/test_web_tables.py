"""Nothing of the domain is without a name on the page, no failure without a way on."""

from collections.abc import Mapping
from enum import StrEnum

import pytest

from service import errors
from service.corpus.load import load_knowledge
from service.domain.alignment import Status, Strength
from service.domain.applications import Column, DateKind
from service.domain.claims.model import ClaimVerdict
from service.domain.grading import Dimension, Level, Verdict
from service.domain.interview import Mode, MoveKind, SessionStatus
from service.domain.knowledge import HowVerified, QuestionKind
from service.domain.memory import OFFLOAD_TITLES, Offload
from service.domain.posting import Kind
from service.domain.reporting import QuestionState
from service.domain.resume import Quality
from service.domain.rewriting import Style
from service.domain.versions import Change
from service.errors import FileUnreadable, ShardwiseError
from service.flows.answer import Stage
from service.settings import ROOT
from service.web import labels
from service.web.errors import TOLD, told
from service.web.navigation import SITE, current
from service.web.page import HTML_LANG, LANG_NAMES, THEME_NAMES, Theme
from service.web.routes.about import VERDICT_HELP
from service.web.routes.answering import STAGES
from service.web.routes.board import COLUMNS, DATES
from service.web.routes.versions import CHANGES, STYLES


@pytest.mark.parametrize(
    ("words", "table"),
    [
        (Dimension, labels.DIMENSION),
        (Level, labels.LEVEL),
        (Mode, labels.MODE),
        (Mode, labels.MODE_HINT),
        (Verdict, labels.VERDICT),
        (Verdict, VERDICT_HELP),
        (ClaimVerdict, labels.CLAIM),
        (Status, labels.STATUS),
        (Strength, labels.STRENGTH),
        (Kind, labels.KIND),
        (SessionStatus, labels.SESSION),
        (QuestionState, labels.QUESTION_STATE),
        (QuestionKind, labels.QUESTION_KIND),
        (MoveKind, labels.MOVE),
        (HowVerified, labels.VERIFIED),
        (Offload, OFFLOAD_TITLES),
        (Stage, STAGES),
        (Theme, THEME_NAMES),
        (Style, STYLES),
        (Change, CHANGES),
        (Column, COLUMNS),
        (DateKind, DATES),
    ],
)
def test_every_closed_word_has_a_name(words: type[StrEnum], table: Mapping[StrEnum, object]):
    assert len(words) > 1
    assert set(table) == set(words)


def test_both_languages_are_named_and_tagged():
    assert set(LANG_NAMES) == set(HTML_LANG)
    assert len(LANG_NAMES) == 2


def leaves(kind: type[ShardwiseError]) -> set[type[ShardwiseError]]:
    below = kind.__subclasses__()
    return {leaf for child in below for leaf in leaves(child)} if below else {kind}


def test_every_failure_is_told_with_what_to_do():
    assert len(leaves(errors.ShardwiseError)) > 20
    assert set(TOLD) == leaves(errors.ShardwiseError)


def test_an_unreadable_file_is_told_by_what_is_wrong_with_it():
    assert set(labels.FILE_QUALITY) == set(Quality) - {Quality.OK}
    scan = told(FileUnreadable("unreadable", quality="scan"))
    assert "picture" in str(scan.remedy)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", "/"),
        ("/resumes/abc", "/resumes"),
        ("/interviews/abc/report", "/interviews"),
        ("/tools/memory", "/tools"),
        ("/resumesque", ""),
        ("/design", ""),
    ],
)
def test_each_page_belongs_to_a_place(path: str, place: str):
    assert current(path) == place


def test_the_page_map_is_whole():
    places = {place.path for area in SITE for place in area.places}
    assert places == {
        "/", "/resumes", "/postings", "/versions", "/board", "/interviews", "/learning",
        "/questions", "/tools", "/settings", "/help", "/passport",
    }  # fmt: skip


def test_every_topic_of_the_knowledge_base_has_a_name():
    knowledge = load_knowledge(ROOT / "knowledge")
    topics = {q.topic for q in knowledge.questions.values()}
    topics |= {f.topic for f in knowledge.facts.values()}
    assert len(topics) > 5
    assert topics - set(labels.TOPIC) == set()


def test_a_topic_without_a_name_is_still_readable():
    assert labels.topic_name("new_topic") == "new topic"
