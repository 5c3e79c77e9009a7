"""`shardwise learn` and `shardwise drill`: what is due, and short questions in the terminal."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from service.domain.language import Bilingual, Lang, Message
    from service.domain.learning.model import Drill
    from service.flows.learning import Practice
    from service.flows.learning_drill import DrillView
    from service.flows.parts import Parts

USUAL_COUNT: Final = 5
MOST: Final = 50
# What may be typed instead of an answer.
HINT: Final = "/hint"
SKIP: Final = "/skip"
END: Final = "/end"


def learn(
    due: Annotated[bool, typer.Option("--due", help="Only what is due now.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en.")] = "",
) -> None:
    """Every skill point, where it stands and when it is due. 每个知识点站得怎样、何时到期。"""
    import asyncio

    from service.cli.language import reader_language
    from service.observe.logs import configure_logs

    configure_logs("ERROR")
    asyncio.run(_learn(due, as_json, reader_language(lang)))


async def _learn(due: bool, as_json: bool, lang: "Lang") -> None:
    from service.api.learning_present import point_body
    from service.api.present import Presenter
    from service.assembly import Seams, open_parts
    from service.cli.output import print_json
    from service.flows.learning import practice
    from service.settings import read_settings
    from service.wording.catalogue import load_wording

    async with open_parts(read_settings(), Seams()) as parts:
        owner = (await parts.store.local_owner()).id
        seen = await practice(parts, owner)
        points = seen.due if due else seen.points
        if as_json:
            show = Presenter(load_wording(), parts.knowledge, lang)
            bodies = [point_body(show, p, seen.now) for p in points]
            print_json([b.model_dump(mode="json") for b in bodies])
            return
        _show(seen, due, lang)


def _show(seen: "Practice", due: bool, lang: "Lang") -> None:
    from rich.console import Console
    from rich.table import Table

    from service.domain.language import msg
    from service.domain.naming import STANDING, topic_name

    say = _sayer(lang)
    points = seen.due if due else seen.points
    console = Console(highlight=False)
    if due and not points:
        console.print(say(msg("Nothing is due today")), markup=False)
        return
    heads = (msg("Subject"), msg("Standing"), msg("Proved"), msg("Due"))
    table = Table(*map(say, heads), box=None)
    for point in sorted(points, key=lambda p: tuple(STANDING).index(p.standing), reverse=True):
        day = f"{point.schedule.due:%Y-%m-%d}" if point.schedule else "-"
        mark = " !" if point.is_due(seen.now) else ""
        table.add_row(
            say(topic_name(point.topic)),
            say(STANDING[point.standing]),
            f"{len(point.proved)}/{point.points}",
            day + mark,
        )
    console.print(table)


def drill(
    topic: Annotated[str, typer.Option(help="A topic such as zero; else what is due.")] = "",
    count: Annotated[int, typer.Option(min=1, max=MOST, help="How many.")] = USUAL_COUNT,
    lang: Annotated[str, typer.Option(help="zh or en.")] = "",
) -> None:
    """Short questions, what is due first. 短题练习，到期的先来。"""
    import asyncio

    from service.cli.language import reader_language
    from service.observe.logs import configure_logs

    configure_logs("ERROR")
    asyncio.run(_drill(topic, count, reader_language(lang)))


async def _drill(topic: str, count: int, lang: "Lang") -> None:
    from rich.console import Console

    from service.assembly import Seams, open_parts
    from service.domain.language import msg
    from service.flows import learning_drill
    from service.settings import read_settings

    async with open_parts(read_settings(), Seams()) as parts:
        owner = (await parts.store.local_owner()).id
        desk = _Desk(parts, owner, _sayer(lang), Console(highlight=False))
        desk.tell(msg("A blank line sends the answer. /hint, /skip and /end do what they say."))
        for _ in range(count):
            if not await desk.ask(await learning_drill.begin(parts, owner, lang, topic)):
                return


def _sayer(lang: "Lang") -> "Callable[[Message | Bilingual | str], str]":
    from service.wording.catalogue import load_wording

    wording = load_wording()
    return lambda text: str(wording.value(text, lang))


class _Desk:
    """Asks one short question at a time and tells what its answer earned."""

    def __init__(
        self,
        parts: "Parts",
        owner_id: str,
        say: "Callable[[Message | Bilingual | str], str]",
        console: "Console",
        read_line: "Callable[[], str]" = input,
    ) -> None:
        self._parts = parts
        self._owner_id = owner_id
        self._say = say
        self._console = console
        self._read_line = read_line

    def tell(self, text: "Message | Bilingual | str") -> None:
        self._console.print(self._say(text), markup=False)

    async def ask(self, drill: "Drill") -> bool:
        """False when the person ends it; the question then waits for the next time."""
        from service.flows import learning_drill

        self._console.print(f"\n{drill.text}\n", style="bold", markup=False)
        while True:
            said = None if drill.answer is not None else self._listen()
            if said == END:
                return False
            if said == HINT:
                await self._hint(drill.id)
                continue
            if said == SKIP:
                await learning_drill.skip(self._parts, self._owner_id, drill.id)
                return True
            await learning_drill.answer(self._parts, self._owner_id, drill.id, said)
            self._told(await learning_drill.view(self._parts, self._owner_id, drill.id))
            return True

    async def _hint(self, drill_id: str) -> None:
        from service.flows import learning_drill

        await learning_drill.hint(self._parts, self._owner_id, drill_id)
        seen = await learning_drill.view(self._parts, self._owner_id, drill_id)
        self.tell(seen.hints[-1])

    def _listen(self) -> str:
        """Lines up to a blank one; the end of input ends it, as the command does."""
        lines: list[str] = []
        while True:
            try:
                line = self._read_line().strip()
            except EOFError:
                return "\n".join(lines) or END
            if not lines and line in (HINT, SKIP, END):
                return line
            if not line and lines:
                return "\n".join(lines)
            if line:
                lines.append(line)

    def _told(self, seen: "DrillView") -> None:
        self._tell_verdict(seen)
        self._tell_reference(seen)
        self._tell_rating(seen)

    def _tell_verdict(self, seen: "DrillView") -> None:
        from service.domain.naming import CLAIM, VERDICT

        if seen.finding:
            self.tell(VERDICT[seen.finding.verdict])
        if seen.finding and seen.finding.evidence:
            self.tell(f"“{seen.finding.evidence.quote}”")
        for claim in seen.drill.grade.claims if seen.drill.grade else ():
            self.tell(f"{self._say(CLAIM[claim.verdict])}: {claim.text}  {self._say(claim.why)}")

    def _tell_reference(self, seen: "DrillView") -> None:
        from service.domain.language import msg

        for held, _ in seen.misconceptions:
            self.tell(f"{held.id}: {self._say(held.correction)}")
        if seen.point:
            self.tell(msg("A good answer says: {point}", point=seen.point.text))
        for fact in seen.facts:
            self.tell(f"  {fact.id} {self._say(fact.text)} [{fact.source}]")

    def _tell_rating(self, seen: "DrillView") -> None:
        from service.domain.language import msg
        from service.domain.naming import RATING, RULE

        if seen.review is None:
            self.tell(msg("Too little was said to judge; it is no practice."))
            return
        rating = self._say(msg("Rating: {rating}", rating=RATING[seen.review.rating]))
        self.tell(f"{rating}. {self._say(RULE[seen.review.rule])}")
        if seen.skill and seen.skill.schedule:
            day = f"{seen.skill.schedule.due:%Y-%m-%d}"
            self.tell(msg("This subject comes back on {day}.", day=day))
