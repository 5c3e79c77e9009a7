"""Which addresses are this machine, and that nothing bottomless is read."""

import pytest

from service.engine.transport import is_loopback, make_client


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:11434/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://model.localhost/v1", True),
        ("https://api.example.com/v1", False),
        ("http://10.0.0.7:8000/v1", False),
        ("http://localhost.example.com/v1", False),
        ("nonsense", False),
    ],
)
def test_this_machine_is_told_from_others(url, here):
    assert is_loopback(url) is here


async def test_redirects_are_not_followed_and_bodies_come_unpacked():
    async with make_client("http://127.0.0.1/v1", 5.0) as client:
        assert client.follow_redirects is False
        assert client.trust_env is False
        assert client.headers["accept-encoding"] == "identity"
        assert client.timeout.read == 5.0


async def test_a_proxy_of_the_environment_is_used_towards_others_only():
    async with make_client("https://api.example.com/v1", 5.0) as client:
        assert client.trust_env is True
