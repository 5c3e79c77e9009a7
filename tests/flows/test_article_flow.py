"""The article check and the configuration checker as use cases."""

import re
from typing import Any, cast

import pytest

from service.domain.article import CheckedArticle, Mark
from service.domain.claims.model import ClaimContext
from service.domain.language import Lang
from service.errors import InputInvalid, ModelUnknown, TextEmpty, TextTooLong
from service.flows.article import LONGEST_ARTICLE, check_article, cited_facts, desk_of
from service.flows.check_any import Brought, as_document, check_any, check_only_config
from service.flows.config_check import (
    CheckedConfig,
    check_config_text,
    open_schemas,
    read_setting,
)
from service.settings import ROOT
from service.wording import load_wording
from tests.fakes import ScriptedEngine


async def test_an_article_comes_back_marked_with_its_facts(make_parts):
    parts = make_parts(ScriptedEngine())
    text = "ZeRO-1 splits optimizer states and gradients. The weather is fine."
    article = await check_article(parts, text, ClaimContext())
    assert [s.mark for s in article.sentences] == [Mark.MISCONCEPTION, None]
    assert "F014" in cited_facts(parts.knowledge, article)


async def test_what_is_known_beforehand_decides_sizes(make_parts):
    parts = make_parts(ScriptedEngine())
    known = ClaimContext(model_params=7e9, dp_degree=8)
    article = await check_article(parts, "ZeRO-3 takes 14 GB per GPU.", known)
    assert [c.verdict.value for c in article.claims] == ["right"]


async def test_no_text_and_too_much_text_are_refused(make_parts):
    parts = make_parts(ScriptedEngine())
    with pytest.raises(TextEmpty):
        await check_article(parts, " \n", ClaimContext())
    with pytest.raises(TextTooLong):
        await check_article(parts, "a" * (LONGEST_ARTICLE + 1), ClaimContext())


def test_a_configuration_comes_back_with_probes_and_sources(make_parts):
    parts = make_parts(ScriptedEngine())
    setting = read_setting(parts.models, model="llama-3-8b", gpus=8)
    text = '{"train_batch_size": 8, "bf16": {"enabled": true}, "zero_optimization": {"stage": 3}}'
    schemas = open_schemas(ROOT / "knowledge")
    checked = check_config_text(text, schemas, parts.knowledge, setting)
    assert checked is not None
    assert checked.report.estimate is not None
    assert checked.report.estimate.own is not None
    assert "zero-stages" in {p.id for p in checked.probes}
    assert "F016" in {f.id for f in checked.facts}


def test_text_that_is_no_configuration_is_none(make_parts):
    parts = make_parts(ScriptedEngine())
    schemas = open_schemas(ROOT / "knowledge")
    assert check_config_text("some notes", schemas, parts.knowledge, read_setting({})) is None


def test_sizes_are_given_in_one_way_only(make_parts):
    models = make_parts(ScriptedEngine()).models
    assert read_setting(models, params="7B", gpus=8).params == 7e9
    with pytest.raises(InputInvalid):
        read_setting(models, params="7B", model="llama-3-8b")
    with pytest.raises(InputInvalid):
        read_setting(models, gpus=-1)
    with pytest.raises(ModelUnknown):
        read_setting(models, model="no-such-model")


@pytest.mark.parametrize("page", ["check.md"])
def test_the_example_of_the_documentation_runs(page, capsys):
    [example] = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL
    )
    text = "ZeRO-1 splits optimizer states and gradients. The weather is fine."
    exec(compile(example, page, "exec"), {"folder": ROOT / "knowledge", "text": text})  # noqa: S102
    printed = capsys.readouterr().out
    assert "misconception ZeRO-1 splits" in printed
    assert "None The weather is fine." in printed


async def test_a_configuration_is_told_from_prose_by_its_keys(make_parts):
    parts = make_parts(ScriptedEngine())
    config = await check_any(parts, Brought('{"zero_optimization": {"stage": 2}}'))
    assert isinstance(config, CheckedConfig)
    prose = await check_any(parts, Brought("ZeRO-3 holds 16ψ/N per GPU.", "notes.md"))
    assert isinstance(prose, CheckedArticle)
    with pytest.raises(InputInvalid, match="is no DeepSpeed"):
        await check_any(parts, Brought('{"a": 1}', "a.json"))
    with pytest.raises(InputInvalid, match="is no DeepSpeed"):
        await check_only_config(parts, Brought("some notes"))


async def test_a_document_says_what_was_checked_and_where_it_is_proved(make_parts):
    parts = make_parts(ScriptedEngine())
    brought = Brought("Under DDP a 7.5B model takes 60 GB per GPU.", "a.txt")
    desk = desk_of(parts, load_wording(), Lang.ZH)
    found = as_document(desk, brought, await check_any(parts, brought))
    assert found["id"] == "a.txt"
    [claim] = cast("list[dict[str, Any]]", found["claims"])
    assert (claim["verdict"], claim["formula"]) == ("wrong", "16×7.5e9")
    assert set(claim["fact_ids"]) <= set(cast("list[str]", found["sources"]))
