"""`shardwise resume rewrite`: proposals that add nothing, questions, and what a person says."""

import json
from pathlib import Path
from typing import Any

from tests.cli.child_cli import shardwise

EN = (
    "# Lin\n\n## Work\n### Acme | Engineer | 2021.03 - present\n"
    "- Responsible for the migration of a 13B model on 64 GPUs, cutting memory per GPU by 60%\n"
    "- Ran pre-training with DeepSpeed\n"
)
ZH = (
    "# 林晓\n\n## 工作经历\n### 某科技公司 | 工程师 | 2021.03 - 至今\n"
    "- 主要负责训练框架的设计和实现，成功将吞吐从 3200 tokens/s 提升到 4100 tokens/s\n"
)


def document(folder: Path, text: str, *words: str) -> dict[str, Any]:
    (folder / "cv.md").write_text(text, encoding="utf-8")
    ran = shardwise(folder, "resume", "rewrite", "cv.md", "--json", *words)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_proposals_and_questions_come_as_one_document(tmp_path: Path):
    found = document(tmp_path, EN)
    assert set(found) == {"proposals", "questions", "refused", "fallback", "orders"}
    assert {p["after"] for p in found["proposals"]} >= {
        "Migrated a 13B model on 64 GPUs, cutting memory per GPU by 60%",
        "Cut memory per GPU by 60% by migrating a 13B model on 64 GPUs",
    }
    assert 0 < len(found["questions"]) <= 6
    assert "b2-result" in {q["id"] for q in found["questions"]}


def test_an_answer_is_used_and_an_unknown_one_refused(tmp_path: Path):
    found = document(tmp_path, EN, "--answer", "b2-result=12% more tokens/s")
    assert any("12% more tokens/s" in p["after"] for p in found["proposals"])
    ran = shardwise(tmp_path, "resume", "rewrite", "cv.md", "--answer", "b9-result=1")
    assert ran.code == 2
    assert "b9-result" in ran.err


def test_chinese_lines_are_put_in_chinese_and_shown_as_differences(tmp_path: Path):
    (tmp_path / "cv.md").write_text(ZH, encoding="utf-8")
    (tmp_path / "ad.txt").write_text("训练工程师\n任职要求\n- 熟悉训练框架\n", encoding="utf-8")
    ran = shardwise(
        tmp_path, "resume", "rewrite", "cv.md", "--posting", "ad.txt", "--style", "result_first"
    )
    assert ran.code == 0, ran.err
    joined = ran.out.replace("\n", "")
    assert "+ 吞吐从 3200 tokens/s 提升到 4100 tokens/s：设计和实现训练框架" in joined
    assert "[plain]" not in ran.out


def test_an_unknown_style_is_refused(tmp_path: Path):
    (tmp_path / "cv.md").write_text(EN, encoding="utf-8")
    ran = shardwise(tmp_path, "resume", "rewrite", "cv.md", "--style", "heroic")
    assert ran.code == 2
    assert "heroic" in ran.err
