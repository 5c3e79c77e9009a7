"""What a model's wordings must keep before they are taken at all; the guard decides the rest."""

import pytest

from service.domain.language import Lang
from service.domain.tasks import AskedBullet, WordBullets, WordedBullet, WordedBullets
from service.engine.checks import faults_of

LINE = "Trained a 7B model with DeepSpeed on 32 GPUs"


def task() -> WordBullets:
    return WordBullets(
        lang=Lang.EN,
        bullets=(AskedBullet(id="b1", text=LINE),),
        styles=("plain", "star"),
        material=LINE,
    )


def worded(text: str, bullet_id: str = "b1", style: str = "plain") -> WordedBullets:
    fields = {"bullet_id": bullet_id, "style": style, "text": text}
    return WordedBullets(proposals=(WordedBullet.model_validate(fields),))


def test_an_honest_wording_has_no_fault():
    faults = faults_of(task(), worded("Used DeepSpeed to train a 7B model on 32 GPUs"))
    assert (faults.fatal, faults.minor) == ((), ())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{LINE}, 40% faster", "number"),
        (f"{LINE} at Google", "name"),
        ("Led a team that trained a 7B model with DeepSpeed on 32 GPUs", "role"),
    ],
)
def test_an_invention_is_shown_once_without_its_text(text: str, kind: str):
    faults = faults_of(task(), worded(text))
    assert faults.fatal == ()
    assert any(f"b1 (plain) adds or loses something: {kind}." == fault for fault in faults.minor)
    assert not any("Google" in fault or "40" in fault for fault in faults.minor)


def test_what_was_not_asked_for_is_refused():
    assert faults_of(task(), worded(LINE, bullet_id="b2")).fatal
    assert faults_of(task(), worded(LINE, style="quantified")).fatal
