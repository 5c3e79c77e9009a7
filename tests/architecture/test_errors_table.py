from service import errors
from service.api.errors import STATUS, code_of
from service.errors import ShardwiseError


def leaves(kind: type[ShardwiseError]) -> set[type[ShardwiseError]]:
    below = kind.__subclasses__()
    return set().union(*(leaves(k) for k in below)) if below else {kind}


def test_every_error_has_a_status_and_every_status_an_error():
    found = {k for k in leaves(ShardwiseError) if k.__module__ == "service.errors"}
    assert len(found) > 15
    assert set(STATUS) == found


def test_a_code_is_the_errors_name_in_words():
    assert code_of(errors.TurnOutOfOrder("x")) == "turn_out_of_order"


def test_the_tree_at_the_top_of_the_module_names_every_error():
    drawn = errors.__doc__ or ""
    for kind in leaves(ShardwiseError):
        if kind.__module__ == "service.errors":
            assert kind.__name__ in drawn
