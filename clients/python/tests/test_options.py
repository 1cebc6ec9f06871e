from __future__ import annotations

import inspect
import pydoc
from typing import Any

import pytest
from local_server import LocalServer, answer
from support import OPENED, client_of

from remote_browser import OpenOptions, Proxy, Screen, SupportedBrowser
from remote_browser._generated import core


def sent(**options: Any) -> Any:
    with LocalServer(answer(200, OPENED)) as server:
        client_of(server.url).open(**options)
        return server.requests[0].json


def test_no_options_are_sent_as_an_empty_object() -> None:
    assert sent() == {}


def test_every_option_is_sent_under_its_name_in_the_contract() -> None:
    proxy: Proxy = {"host": "there", "port": "80", "username": "me", "password": "secret"}
    screen: Screen = {"width": 412, "height": 915, "scale": 2.625}
    assert sent(
        args=["--lang=de"],
        ignored_default_args=["--mute-audio"],
        headless=True,
        stealth=False,
        browser=SupportedBrowser.ChromeHeadlessShell,
        keep_open=2.5,
        proxy=proxy,
        label="checkout",
        tags=["nightly"],
        lifetime=3600,
        wait_for_place=30,
        screen=screen,
        language="de-DE",
        time_zone="Europe/Berlin",
    ) == {
        "Args": ["--lang=de"],
        "IgnoredDefaultArgs": ["--mute-audio"],
        "Headless": True,
        "Stealth": False,
        "Browser": 3,
        "KeepOpen": 2.5,
        "Proxy": {"Host": "there", "Port": "80", "Username": "me", "Password": "secret"},
        "Label": "checkout",
        "Tags": ["nightly"],
        "Lifetime": 3600,
        "WaitForPlace": 30,
        "Screen": {"Width": 412, "Height": 915, "Scale": 2.625},
        "Language": "de-DE",
        "TimeZone": "Europe/Berlin",
    }


def test_the_options_match_the_core() -> None:
    for ours, fields in [
        (OpenOptions, core.OpenOptions.model_fields),
        (Proxy, core.Proxy.model_fields),
        (Screen, core.Screen.model_fields),
    ]:
        assert [*ours.__annotations__] == [*fields]


@pytest.mark.parametrize("seconds", [float("nan"), float("inf")])
def test_a_number_that_json_cannot_represent_is_refused(seconds: float) -> None:
    with pytest.raises(TypeError, match=r"keep_open of open\(\) is (nan|inf)"):
        sent(keep_open=seconds)
    with pytest.raises(TypeError, match=r"screen.scale of open\(\) is (nan|inf)"):
        sent(screen={"width": 800, "height": 600, "scale": seconds})


def test_options_of_none_are_left_out() -> None:
    assert sent(label=None) == {"Label": None}


def test_the_service_checks_lengths_and_ranges() -> None:
    assert sent(label="x" * 300, keep_open=-1) == {"Label": "x" * 300, "KeepOpen": -1}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"keepOpen": 1},
            r"no option keepOpen. Did you mean keep_open\? The options are: args, .*\.",
        ),
        ({"colour": 1}, r"no option colour\. The options are"),
        (
            {"proxy": {"host": "a", "port": "1", "user": "b"}},
            "no option proxy.user. Did you mean username",
        ),
        (
            {"proxy": {"host": "a", "port": 1}},
            r'option proxy.port .*must be a string of digits, from "1" to "65535", not int\.',
        ),
        ({"proxy": {"host": "a"}}, "option proxy.port of open.. is missing: a string of digits"),
        ({"proxy": "a:1"}, "option proxy .*must be a dictionary such as .*, not str"),
        (
            {"screen": {"width": 800, "height": 600, "scael": 2}},
            r"no option screen.scael. Did you mean scale\? The options are: width, height, scale",
        ),
        ({"screen": {"width": 800.5, "height": 600}}, "option screen.width .*integer, not float"),
        ({"screen": {"width": 800}}, "option screen.height of open.. is missing"),
        ({"screen": "800x600"}, "option screen .*must be a dictionary such as .*, not str"),
        ({"headless": "yes"}, "option headless .*boolean, not str"),
        (
            {"browser": "Chromium"},
            r"option browser .*must be one of SupportedBrowser\.Chrome, "
            r"SupportedBrowser\.Chromium, SupportedBrowser\.ChromeHeadlessShell, not str\.",
        ),
        ({"browser": 3}, "option browser .*SupportedBrowser.*, not int"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        client_of("http://127.0.0.1:1").open(**options)


def test_the_type_checker_knows_the_options() -> None:
    # mypy must report each of these lines: it complains about unused ignores.
    client = client_of("http://127.0.0.1:1")
    with pytest.raises(TypeError):
        client.open(keepOpen=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        client.open(headless="yes")  # type: ignore[arg-type]


def test_a_refused_option_does_not_show_a_password() -> None:
    proxy: Any = {"host": "a", "port": 1, "password": "secret"}
    with pytest.raises(TypeError) as caught:
        client_of("http://127.0.0.1:1").open(
            proxy=proxy,
        )
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_each_option_is_documented_with_the_contracts_prose() -> None:
    source = inspect.getsource(OpenOptions)
    assert "How many seconds the browser stays open" in source
    assert "x-alias" not in source


def test_help_shows_the_name_unit_and_default_of_each_option() -> None:
    text = pydoc.plain(pydoc.render_doc(OpenOptions))
    summary = " ".join(text.partition("Method resolution order")[0].replace("|", "").split())
    for name in OpenOptions.__annotations__:
        assert f"`{name}` (" in summary
    assert "`keep_open` (float): How many seconds" in summary
    assert "The default is 30." in summary
