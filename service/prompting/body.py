"""What may stand in a prompt's body: only what the task has, and a stranger's text only fenced."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from jinja2 import nodes
from pydantic import BaseModel

from service.domain.tasks import Task

# A fault's line within the body, and what is wrong there.
BodyFault = tuple[int, str]


def body_faults(tree: nodes.Template, task: type[Task[Any]]) -> list[BodyFault]:
    """Every name that the task does not have, and every untrusted field not printed just once."""
    return sorted(
        [*_unknown_names(tree, task), *_unknown_attributes(tree, task), *_loose(tree, task)]
    )


def _unknown_names(tree: nodes.Template, task: type[Task[Any]]) -> Iterator[BodyFault]:
    bound = {n.name for n in tree.find_all(nodes.Name) if n.ctx == "store"} | {"loop"}
    for name in tree.find_all(nodes.Name):
        if name.ctx == "load" and name.name not in bound and name.name not in task.model_fields:
            yield name.lineno, f"{name.name}: {task.prompt} has no such field"


def _unknown_attributes(tree: nodes.Template, task: type[Task[Any]]) -> Iterator[BodyFault]:
    """`{% for p in points %}{{ p.txt }}`: the items of a field are forms of their own."""
    items = _item_types(task)
    for loop in tree.find_all(nodes.For):
        if not isinstance(loop.target, nodes.Name) or not isinstance(loop.iter, nodes.Name):
            continue
        item = items.get(loop.iter.name)
        for attribute in loop.find_all(nodes.Getattr):
            owner = attribute.node
            if item is None or not isinstance(owner, nodes.Name) or owner.name != loop.target.name:
                continue
            if attribute.attr not in item.model_fields:
                yield attribute.lineno, f"{owner.name}.{attribute.attr}: no such field"


def _item_types(task: type[Task[Any]]) -> Mapping[str, type[BaseModel]]:
    found: dict[str, type[BaseModel]] = {}
    for name, field in task.model_fields.items():
        for part in get_args(field.annotation):
            if isinstance(part, type) and issubclass(part, BaseModel):
                found[name] = part
    return found


def _loose(tree: nodes.Template, task: type[Task[Any]]) -> Iterator[BodyFault]:
    """An untrusted field is printed as it is, once: no filter, no loop, no second copy."""
    printed = Counter(
        child.name
        for output in tree.find_all(nodes.Output)
        for child in output.nodes
        if isinstance(child, nodes.Name)
    )
    looped = {n.name for loop in tree.find_all(nodes.For) for n in loop.find_all(nodes.Name)}
    for field in sorted(task.untrusted):
        uses = [n for n in tree.find_all(nodes.Name) if n.name == field and n.ctx == "load"]
        tests = _tested(tree, field)
        line = uses[0].lineno if uses else 1
        if printed[field] != 1 or field in looped or len(uses) - tests != 1:
            yield line, f"{field}: untrusted, must be printed once as {{{{ {field} }}}}"


def _tested(tree: nodes.Template, field: str) -> int:
    """How often the field stands alone as a condition, which prints nothing."""
    conditions = [c.test for c in tree.find_all(nodes.If)]
    return sum(isinstance(test, nodes.Name) and test.name == field for test in conditions)
