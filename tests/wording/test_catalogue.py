"""Every sentence a person reads exists in both languages, with the same values in it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog

from service.domain.language import Bilingual, Lang, Message, msg
from service.errors import FileTooLarge, SetupError
from service.wording import Wording, load_wording
from service.wording.catalogue import catalogue_path
from service.wording.extraction import ROOT, extract, keywords, untranslated
from service.wording.update import as_text, read_catalogue

ENOUGH_TO_BE_REAL = 50


@pytest.fixture(scope="module")
def template() -> Catalog:
    return extract()


@pytest.fixture(scope="module")
def chinese() -> Catalog:
    return read_catalogue(catalogue_path(Lang.ZH), Lang.ZH)


def test_every_sentence_for_people_has_chinese_words(template: Catalog, chinese: Catalog):
    assert len(template) > ENOUGH_TO_BE_REAL
    assert untranslated(template, chinese) == []


def test_a_missing_translation_is_noticed(template: Catalog):
    assert len(untranslated(template, Catalog(locale="zh"))) == len(template)


def test_no_value_is_lost_or_invented_in_translation(chinese: Catalog):
    pairs = [(str(m.id), str(m.string)) for m in chinese if m.id and m.string]
    assert len(pairs) > ENOUGH_TO_BE_REAL
    assert [en for en, zh in pairs if _names(en) != _names(zh)] == []


def test_the_catalogue_on_disk_is_in_the_form_that_update_writes(chinese: Catalog):
    on_disk = catalogue_path(Lang.ZH).read_text(encoding="utf-8")
    assert as_text(chinese, Lang.ZH) == on_disk


def test_raised_errors_and_messages_are_constant_sentences():
    """A computed sentence cannot be translated; values belong into its parameters."""
    calls = list(_sentence_calls())
    assert len(calls) > ENOUGH_TO_BE_REAL
    assert [where for where, first in calls if not _is_constant(first)] == []


def test_a_message_is_rendered_in_the_language_of_the_reader():
    wording = Wording({Lang.ZH: {"An interview takes {n} minutes.": "一场面试 {n} 分钟。"}})
    message = msg("An interview takes {n} minutes.", n=25.0)
    assert wording.render(message, Lang.ZH) == "一场面试 25 分钟。"
    assert wording.render(message, Lang.EN) == "An interview takes 25 minutes."


def test_sentences_inside_sentences_speak_the_same_language():
    wording = Wording({Lang.ZH: {"{a} and {b}": "{a}和{b}", "half": "一半"}})
    both = msg("{a} and {b}", a=msg("half"), b=Bilingual(zh="全部", en="all"))
    assert wording.render(both, Lang.ZH) == "一半和全部"
    assert wording.render(both, Lang.EN) == "half and all"


def test_a_sentence_without_translation_stays_english():
    assert Wording({}).text("Plain.", Lang.ZH) == "Plain."


def test_braces_from_a_person_are_shown_as_they_are():
    wording = Wording({})
    assert wording.render(msg("{said}", said="{x} {0}"), Lang.EN) == "{x} {0}"


def test_an_error_speaks_the_language_of_the_reader():
    wording = Wording({Lang.ZH: {"At most {n} bytes.": "最多 {n} 字节。"}})
    assert wording.error(FileTooLarge("At most {n} bytes.", n=3), Lang.ZH) == "最多 3 字节。"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (75.0, "75"),
        (0.5, "0.5"),
        (33.333, "33.33"),
        (100, "100"),
        (-0.25, "-0.25"),
        (1e21, "1e+21"),
    ],
)
def test_numbers_read_the_same_in_both_languages(value: float, shown: str):
    wording = Wording({})
    assert wording.text("{x}", Lang.ZH, x=value) == shown
    assert wording.text("{x}", Lang.EN, x=value) == shown
    assert wording.text("{x}", Lang.EN, x=(value,)) == shown


def test_a_template_may_ask_for_its_own_format():
    assert Wording({}).text("{seconds:.2f} s", Lang.EN, seconds=1.5) == "1.50 s"


def test_lists_are_joined_as_the_language_does():
    wording = Wording({})
    assert wording.value(("a", "b"), Lang.ZH) == "a、b"
    assert wording.value(("a", "b"), Lang.EN) == "a, b"


def test_the_shipped_catalogue_loads():
    wording = load_wording()
    text = wording.text("You chose it.", Lang.ZH)
    assert text == "这是你自己选的题。"


def test_setup_errors_are_among_the_sentences_looked_for():
    assert SetupError.__name__ in keywords()
    assert "msg" in keywords()


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _sentence_calls() -> Iterator[tuple[str, ast.expr]]:
    wanted = set(keywords()) - {"_"}
    for path in sorted((ROOT / "service").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _called(node) in wanted:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.args[0]


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _is_constant(node: ast.expr) -> bool:
    """A string, or the template of a message that was made elsewhere."""
    if isinstance(node, ast.Attribute) and node.attr == "template":
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_a_message_keeps_its_english_template_as_key():
    message = msg("Half said.")
    assert isinstance(message, Message)
    assert message.template == "Half said."


def test_the_catalogue_stands_where_the_package_is():
    assert catalogue_path(Lang.ZH).is_relative_to(Path(ROOT) / "service")
