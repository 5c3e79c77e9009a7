"""The passport in one language, from the figures and what was measured with."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from eval.gate import value_at
from eval.meta import Document
from eval.passport.blocks import Block, gap, heading, items, number, paragraph, table
from eval.passport.goals import Goal, judged_goals
from eval.passport.words import LIMITS, REPRODUCE, W
from service.domain.language import Lang

TOTALS: Final = (
    "mae",
    "bias",
    "qwk",
    "icc",
    "pearson",
    "exact_band",
    "adjacent_band",
    "off_by_15",
    "smd",
)
POINTS: Final = ("accuracy", "macro_f1", "kappa", "false_credit", "missed_credit")
FLOORS: Final = ("mean", "length", "lexical")
POINT_FLOORS: Final = ("majority", "length", "lexical")
SETS: Final = ("free.all", "free.test", "constructed.test")
# None of n broken: the rate is below 3/n at 95%.
UPPER: Final = 3
Tables = Mapping[str, Document]


def pages(figures: Document, made: Document, lang: Lang) -> list[Block]:
    """Everything from the title to how to make it again."""
    parts = (
        _head, _goals, _spread, _totals, _points, _people, _robust, _languages, _modules, _sure,
        _speed, _limits,
    )  # fmt: skip
    return [block for part in parts for block in part(figures, made, lang)]


def at(figures: Document, path: str) -> Document:
    here = figures
    for part in path.split("."):
        inner = here.get(part)
        here = cast("Document", inner) if isinstance(inner, dict) else {}
    return here


def _head(_: Document, made: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["title"], lang, 1)
    yield paragraph(W["what"].in_(lang))
    versions = cast("Document", made["versions"])
    data = cast("Mapping[str, str]", made["data"])
    rows = [[W["date"].in_(lang), str(made["date"])]]
    rows += [[name, str(value)] for name, value in versions.items()]
    rows += [[name, digest] for name, digest in data.items()]
    yield table(W["made"].in_(lang), [W["thing"].in_(lang), W["value"].in_(lang)], rows)


def _goals(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    judged = list(judged_goals(figures))
    missed = [(g, v) for g, v in judged if not g.met_by(v)]
    yield heading(W["goals"], lang)
    yield paragraph(
        W["goals_count"].in_(lang).format(met=len(judged) - len(missed), all=len(judged))
    )
    rows = [[g.name.in_(lang), *_missed(g, v, lang)] for g, v in missed]
    yield table(W["missed"].in_(lang), [W[k].in_(lang) for k in ("goal", "figure", "bound")], rows)


def _missed(goal: Goal, value: float | None, lang: Lang) -> tuple[str, str]:
    if goal.path.endswith(".passed"):
        return W["fails"].in_(lang), W["passes"].in_(lang)
    return number(value), f"{'≤' if goal.is_most else '≥'} {goal.bound:g}"


def _spread(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["spread"], lang)
    head = ["", "0–20", "20–40", "40–60", "60–80", "80–100", W["mean"].in_(lang), "SD"]
    rows: list[list[str]] = []
    for name in SETS:
        for side in ("said", "true"):
            found = at(figures, f"{name}.scores.{side}")
            bands = cast("Sequence[int]", found.get("bands", ()))
            label = f"{W[name].in_(lang)}, {W[side].in_(lang)}"
            rows.append(
                [label, *map(str, bands), number(found.get("mean"), 1), number(found.get("sd"), 1)]
            )
    yield table(W["spread_note"].in_(lang), head, rows)


def _totals(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["totals"], lang)
    yield paragraph(W["totals_note"].in_(lang))
    for name in SETS:
        rows = [_row(W["grader"].in_(lang), at(figures, f"{name}.totals"), TOTALS)]
        rows.append(
            _row(W["with_blanks"].in_(lang), at(figures, f"{name}.totals_with_blanks"), TOTALS)
        )
        for floor in FLOORS:
            title = W[f"floor_{floor}"].in_(lang)
            rows.append(_row(title, at(figures, f"{name}.floors.{floor}"), TOTALS))
        if name.endswith(".test"):
            rows += _dev_and_gap(figures, name, "totals", TOTALS, lang)
        yield table(W[name].in_(lang), ["", "n", *(W[c].in_(lang) for c in TOTALS)], rows)
        between = at(figures, f"{name}.totals.intervals")
        told = [f"{W[k].in_(lang)} {_range(v)}" for k, v in between.items() if k in TOTALS]
        yield paragraph(W["intervals"].in_(lang) + "; ".join(told))


def _range(value: object) -> str:
    low, high = cast("Sequence[float]", value)
    return f"[{low:.3f}, {high:.3f}]"


def _row(title: str, found: Document, columns: Sequence[str]) -> list[str]:
    return [title, number(found.get("n")), *(number(found.get(c)) for c in columns)]


def _dev_and_gap(
    figures: Document, name: str, what: str, columns: Sequence[str], lang: Lang
) -> list[list[str]]:
    test = at(figures, f"{name}.{what}")
    dev = at(figures, f"{name.removesuffix('test')}dev.{what}")
    gaps = [gap(dev.get(c), test.get(c)) for c in columns]
    return [_row(W["dev"].in_(lang), dev, columns), [W["gap"].in_(lang), "", *gaps]]


def _points(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["points"], lang)
    yield paragraph(W["points_note"].in_(lang))
    head = ["", "n", *(W[c].in_(lang) for c in POINTS)]
    for name in SETS:
        rows = [_row(W["grader"].in_(lang), at(figures, f"{name}.points"), POINTS)]
        for floor in POINT_FLOORS:
            title = W[f"floor_{floor}"].in_(lang)
            rows.append(_row(title, at(figures, f"{name}.point_floors.{floor}"), POINTS))
        if name.endswith(".test"):
            rows += _dev_and_gap(figures, name, "points", POINTS, lang)
        yield table(W[name].in_(lang), head, rows)
    yield _by_wording(figures, lang)
    yield _by_point(figures, lang)


def _by_wording(figures: Document, lang: Lang) -> Block:
    dev, test = (at(figures, f"constructed.{h}.groups.family") for h in ("dev", "test"))
    rows = [
        [
            W[f"wording_{family}"].in_(lang),
            *(number(at(half, family).get(c)) for half in (test, dev) for c in ("n", "macro_f1")),
            gap(at(dev, family).get("macro_f1"), at(test, family).get("macro_f1")),
        ]
        for family in ("near", "middle", "far")
    ]
    head = ["", *(W[k].in_(lang) for k in ("n_test", "f1_test", "n_dev", "f1_dev", "gap"))]
    return table(W["wording"].in_(lang), head, rows)


def _by_point(figures: Document, lang: Lang) -> Block:
    points, people = at(figures, "free.all.by_point"), at(figures, "free.all.raters.by_point")
    rows = [
        [
            point,
            *(number(at(points, point).get(c)) for c in ("positives", *POINTS)),
            number(at(people, point).get("kappa")),
        ]
        for point in points
    ]
    head = [
        "",
        W["positives"].in_(lang),
        *(W[c].in_(lang) for c in POINTS),
        W["people_kappa"].in_(lang),
    ]
    return table(W["by_point"].in_(lang), head, rows)


def _people(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    raters = at(figures, "free.all.raters")
    yield heading(W["people"], lang)
    if not raters:
        yield paragraph(W["one_rater"].in_(lang))
        return
    yield paragraph(W["people_note"].in_(lang))
    names = cast("Sequence[str]", raters.get("raters", ()))
    rows = [
        _row(
            W["between_people"].in_(lang), at(raters, f"each_against_the_others.{names[0]}"), TOTALS
        )
    ]
    rows.append(_row(W["grader_people"].in_(lang), at(raters, "grader_against_all"), TOTALS))
    yield table(W["totals"].in_(lang), ["", "n", *(W[c].in_(lang) for c in TOTALS)], rows)
    points = [
        _row(W["between_people"].in_(lang), at(raters, "points"), POINTS),
        _row(W["grader_settled"].in_(lang), at(figures, "free.all.points"), POINTS),
    ]
    yield table(W["points"].in_(lang), ["", "n", *(W[c].in_(lang) for c in POINTS)], points)


def _robust(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    test, dev, floor = (at(figures, f"attacks.{k}") for k in ("test", "dev", "floor"))
    passed = sum(at(test, kind).get("passed") is True for kind in test)
    most = max((cast("int", at(test, kind).get("n", 1)) for kind in test), default=1)
    counts = {"passed": passed, "all": len(test), "n": most, "below": UPPER / most}
    yield heading(W["robust"], lang)
    yield paragraph(W["robust_note"].in_(lang).format(**counts))
    rows = [
        [
            kind,
            *(number(at(test, kind).get(c)) for c in ("n", "holds", "mean", "worst")),
            number(at(floor, kind).get("holds")),
            number(at(dev, kind).get("holds")),
            gap(at(dev, kind).get("holds"), at(test, kind).get("holds")),
            (W["passes"] if at(test, kind).get("passed") else W["fails"]).in_(lang),
        ]
        for kind in test
    ]
    columns = ("class", "n", "holds", "change", "worst", "floor_lexical", "dev", "gap", "bar")
    yield table(W["robust_table"].in_(lang), [W[c].in_(lang) for c in columns], rows)


def _languages(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["languages"], lang)
    columns = ("n", "macro_f1", "mae", "bias", "qwk")
    rows = [
        [f"{W[name].in_(lang)}, {spoken}", *(number(found.get(c)) for c in columns)]
        for name in SETS
        for spoken, found in cast("Tables", at(figures, f"{name}.groups.lang")).items()
    ]
    yield table(W["languages_table"].in_(lang), ["", *(W[c].in_(lang) for c in columns)], rows)
    told = at(figures, "attacks.test.other_language")
    words = {k: number(told.get(k), 2) for k in ("mean", "holds")}
    yield paragraph(W["twins"].in_(lang).format(**words))


def _modules(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["modules"], lang)
    listed = (
        ("strict", "claims.{half}.strict", "claims.test.floor_strict"),
        ("called_wrong", "claims.{half}.right_called_wrong", ""),
        ("wrong_found", "claims.{half}.wrong_found", ""),
        (
            "belief_precision", "misconceptions.{half}.all.precision",
            "misconceptions.floor.precision",
        ),
        ("belief_recall", "misconceptions.{half}.all.recall", "misconceptions.floor.recall"),
        ("belief_f1", "misconceptions.{half}.all.f1", "misconceptions.floor.f1"),
        ("recall_5", "retrieval.{half}.fused.recall_5", "retrieval.test.floor.recall_5"),
        ("mrr", "retrieval.{half}.fused.mrr", "retrieval.test.floor.mrr"),
        (
            "wrong_confidence", "retrieval.{half}.fused.wrong_confidence",
            "retrieval.test.floor.wrong_confidence",
        ),
    )  # fmt: skip
    rows: list[list[str]] = []
    for name, path, floor in listed:
        test, dev = (value_at(figures, path.format(half=h)) for h in ("test", "dev"))
        rows.append(
            [
                W[name].in_(lang), number(test), number(dev), gap(dev, test),
                number(value_at(figures, floor)) if floor else "–",
            ]
        )  # fmt: skip
    head = ["", *(W[k].in_(lang) for k in ("test", "dev", "gap", "floor"))]
    yield table(W["modules_note"].in_(lang), head, rows)


def _sure(figures: Document, _: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["sure"], lang)
    error = number(value_at(figures, "free.all.calibration_error"), 1)
    yield paragraph(W["sure_note"].in_(lang).format(error=error))
    curve = cast("Sequence[Sequence[float]]", at(figures, "free.all").get("risk_coverage", ()))
    rows = [[f"{share:.0%}", number(mae, 2)] for share, mae in curve]
    yield table(W["risk"].in_(lang), [W["coverage"].in_(lang), W["mae"].in_(lang)], rows)


def _speed(figures: Document, made: Document, lang: Lang) -> Iterator[Block]:
    latency, repeat = at(figures, "latency"), at(figures, "repeat")
    yield heading(W["speed"], lang)
    yield items(
        [
            W["latency"].in_(lang).format(**{**latency, "cores": made["cores"]}),
            W["cost"].in_(lang),
            W["repeat"].in_(lang).format(**repeat),
        ]
    )


def _limits(_: Document, made: Document, lang: Lang) -> Iterator[Block]:
    yield heading(W["limits"], lang)
    yield items([line.in_(lang) for line in LIMITS])
    yield heading(W["again"], lang)
    yield paragraph(W["again_note"].in_(lang))
    yield table(
        W["commands"].in_(lang),
        [W["thing"].in_(lang), W["command"].in_(lang)],
        [[what.in_(lang), f"`{command.format(n=made['cases'])}`"] for what, command in REPRODUCE],
    )
