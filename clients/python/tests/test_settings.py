from __future__ import annotations

from typing import Any

import pytest
from local_server import LocalServer, answer
from support import NONE_OPEN, TOKEN, client_of, settings_of

from remote_browser import RemoteBrowserClient
from remote_browser._settings import read_settings


def read(environment: dict[str, str], url: str | None = None, token: str | None = None) -> Any:
    return read_settings(
        environment, url=url, token=token, timeout=1, total_timeout=1, retries=0, headers=None
    )


def test_arguments_override_the_environment() -> None:
    environment = {"RBS_URL": "http://there:1", "RBS_TOKEN": "theirs"}
    assert read(environment).url == "http://there:1"
    assert read(environment).token == "theirs"
    assert read(environment, "http://here:2", "ours").url == "http://here:2"
    assert read(environment, "http://here:2", "ours").token == "ours"


def test_the_default_url_is_on_this_machine() -> None:
    assert read({"RBS_TOKEN": TOKEN}).url == "http://127.0.0.1:8080"
    assert read({"RBS_TOKEN": TOKEN, "RBS_URL": ""}).url == "http://127.0.0.1:8080"


def test_the_error_for_a_missing_token_says_how_to_pass_one() -> None:
    for environment in [{}, {"RBS_TOKEN": ""}]:
        with pytest.raises(ValueError, match="RBS_TOKEN"):
            read(environment)


def test_settings_are_read_from_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RBS_TOKEN", TOKEN)
    with LocalServer(answer(200, NONE_OPEN)) as server:
        monkeypatch.setenv("RBS_URL", server.url)
        assert RemoteBrowserClient().list() == []
        assert server.requests[0].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ({"url": "ftp://there"}, "ftp://there"),
        ({"url": "there:80"}, "there:80"),
        ({"url": ""}, "http://"),
        ({"url": "http://"}, "http://"),
        ({"url": "http://there:99999"}, "99999"),
        ({"url": "http://there/?a=b"}, "must not contain"),
        ({"url": "http://there/?"}, "must not contain"),
        ({"url": "http://there/#"}, "must not contain"),
        ({"url": " http://there"}, "must not contain"),
        ({"url": "http://there\n"}, "must not contain"),
        ({"url": "http://[::1"}, "url"),
        ({"url": 5}, "url"),
        ({"timeout": -1}, "timeout.*-1"),
        ({"timeout": 0}, "timeout.*0"),
        ({"timeout": float("nan")}, "nan"),
        ({"timeout": "5"}, "'5'"),
        ({"timeout": 3_000_000}, "timeout.*3000000"),
        ({"timeout": 10**400}, "timeout.*1000"),
        ({"total_timeout": float("inf")}, "total_timeout.*inf"),
        ({"total_timeout": -2}, "total_timeout.*-2"),
        ({"retries": -1}, "retries.*-1"),
        ({"retries": 1.5}, "retries.*1.5"),
        ({"headers": {"a b": "c"}}, "a b"),
        ({"headers": {"X-Note": "a\r\nb"}}, "X-Note"),
        ({"headers": {"authorization": "Basic x"}}, "authorization"),
        ({"headers": {"Content-Length": "3"}}, "Content-Length"),
        ({"headers": {"content-Type": "text/plain"}}, "content-Type"),
        ({"headers": {"HOST": "there"}}, "HOST"),
        ({"headers": {"Connection": "keep-alive"}}, "Connection"),
        ({"headers": {"transfer-encoding": "chunked"}}, "transfer-encoding"),
    ],
)
def test_an_invalid_setting_is_named(setting: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        settings_of(**{"url": "http://there", **setting})


@pytest.mark.parametrize("token", ["", "rbs_secret\n", "rbs secret", "rbs_sécret"])
def test_a_bad_token_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(ValueError, match="token") as caught:
        settings_of("http://there", token=token)
    assert "cret" not in str(caught.value)


def test_credentials_in_the_url_are_refused_and_not_shown() -> None:
    with pytest.raises(ValueError, match="credentials") as caught:
        settings_of("http://user:secret@there")
    assert "secret" not in str(caught.value)
    for url in ["user:secret@there", "http://user:sec#ret@there", "http://user:sec?ret@there"]:
        with pytest.raises(ValueError, match="credentials") as caught:
            settings_of(url)
        assert "sec" not in str(caught.value)
    assert settings_of("http://there/@eu").url == "http://there/@eu"


def test_messages_show_ipv6_addresses_in_brackets() -> None:
    assert settings_of("http://[::1]:8080").place == "[::1]:8080"


def test_a_url_may_have_a_path_and_end_with_a_slash() -> None:
    with LocalServer(answer(200, NONE_OPEN)) as server:
        client_of(f"{server.url}/eu/").list()
        assert server.requests[0].line == "GET /eu/api/v1/Browser/Get HTTP/1.1"


def test_every_request_has_a_user_agent() -> None:
    with LocalServer(answer(200, NONE_OPEN)) as server:
        client_of(server.url, headers={"X-Team": "checkout"}).list()
        headers = server.requests[0].headers
        assert headers["user-agent"].startswith("remote-browser-python/")
        assert headers["x-team"] == "checkout"


def test_a_redirect_is_not_followed() -> None:
    from remote_browser import ApiError

    with LocalServer(answer(302, "Elsewhere", {"Location": "http://127.0.0.1:1/"})) as server:
        with pytest.raises(ApiError) as caught:
            client_of(server.url).list()
        assert caught.value.status == 302


def test_a_socks_proxy_from_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    with pytest.raises(ValueError, match=r"SOCKS.*there:80"):
        client_of("http://there")
    monkeypatch.setenv("NO_PROXY", "there")
    client_of("http://there")


def test_a_proxy_without_a_scheme_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "user:secret@127.0.0.1:3128")
    with pytest.raises(ValueError, match=r"without http://.*there:80") as caught:
        client_of("http://there")
    assert "secret" not in str(caught.value)


def test_a_custom_header_replaces_the_clients_header() -> None:
    with LocalServer(answer(200, NONE_OPEN)) as server:
        client_of(server.url, headers={"user-agent": "mine"}).list()
        assert server.requests[0].headers["user-agent"] == "mine"
        assert server.requests[0].names.count("user-agent") == 1


def test_the_longest_timeouts_work() -> None:
    with LocalServer(answer(200, NONE_OPEN)) as server:
        assert client_of(server.url, timeout=2_000_000, total_timeout=2_000_000).list() == []


def test_a_proxy_from_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalServer(answer(200, NONE_OPEN)) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        client_of("http://there").list()
        assert proxy.requests[0].line == "GET http://there/api/v1/Browser/Get HTTP/1.1"
