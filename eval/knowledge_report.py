"""What the knowledge base rests on: facts by tag and topic, and those nobody may be marked by.

`python -m eval.knowledge_report`
"""

from collections import Counter
from collections.abc import Iterable

import typer

from service.corpus.load import load_knowledge
from service.domain.knowledge import Fact, HowVerified
from service.settings import read_settings

MEANING = {
    HowVerified.VP: "paper text read",
    HowVerified.VS: "source code read",
    HowVerified.VD: "official documentation read",
    HowVerified.VR: "run and measured",
    HowVerified.VI: "issue or pull request read",
    HowVerified.S2: "secondary summary only",
    HowVerified.M: "own derivation or memory",
}


def table(facts: Iterable[Fact]) -> list[str]:
    """One line a topic: how many facts of each tag."""
    cells = Counter((fact.topic, fact.verified) for fact in facts)
    topics = sorted({topic for topic, _ in cells})
    head = f"{'topic':28}" + "".join(f"{tag.value:>5}" for tag in HowVerified) + "  all"
    rows = [
        f"{topic:28}"
        + "".join(f"{cells[topic, tag] or '':>5}" for tag in HowVerified)
        + f"{sum(cells[topic, tag] for tag in HowVerified):>5}"
        for topic in topics
    ]
    return [head, *rows]


def main() -> None:
    """Print facts by tag and topic. 按核实方式与主题列出知识。"""
    facts = load_knowledge(read_settings().knowledge_dir).facts.values()
    counts = Counter(fact.verified for fact in facts)
    print(f"{len(facts)} facts")
    for tag, meaning in MEANING.items():
        print(f"{tag.value}  {counts[tag]:4}  {meaning}")
    print("\n" + "\n".join(table(facts)))
    print("\nShown as not verified, and never the only ground for calling an answer wrong:")
    for fact in facts:
        if not fact.verified.is_firm:
            print(f"  {fact.id}  {fact.verified.value:2}  {fact.text.en}")


if __name__ == "__main__":
    typer.run(main)
