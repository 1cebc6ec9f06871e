from __future__ import annotations

from collections.abc import Callable

import pytest
from scenarios.stage import ContractError, Stage

import remote_browser
from remote_browser import (
    ApiError,
    BadRequestError,
    BrowserNotFoundError,
    InvalidAnswerError,
    NotFoundError,
    RemoteBrowserClient,
    SupportedBrowser,
)

UNKNOWN_ID = "A" * 32

Operation = Callable[[RemoteBrowserClient], object]


def start_desktop_of_nobody(client: RemoteBrowserClient, url: str = "http://127.0.0.1") -> None:
    socket_url = url.replace("http", "ws", 1)
    client.browser(f"{socket_url}/devtools/browser/{UNKNOWN_ID}").start_desktop()


OPERATIONS: dict[str, Operation] = {
    "open": lambda client: client.open(),
    "list": lambda client: client.list(),
    "query": lambda client: client.query("<p>Kettle</p>", "What is it?"),
    "startDesktop": start_desktop_of_nobody,
}


def by_answer(stage: Stage, error: ContractError) -> None:
    client = stage.client(stage.fault(f"answer-{error.name}"), retries=0)
    OPERATIONS[error.operation](client)


def by_token(key: str) -> Callable[[Stage, ContractError], None]:
    def provoke(stage: Stage, _: ContractError) -> None:
        with stage.client(token=stage.tokens[key]).open(headless=True):
            pass

    return provoke


def by_wrong_token(stage: Stage, _: ContractError) -> None:
    stage.client(token="rbs_wrong").list()


def by_arguments(stage: Stage, _: ContractError) -> None:
    with stage.client().open(headless=True, args=["--remote-debugging-port=1"]):
        pass


def by_unknown_address(stage: Stage, _: ContractError) -> None:
    start_desktop_of_nobody(stage.client(), stage.url)


def by_headless_desktop(stage: Stage, _: ContractError) -> None:
    with stage.client().open(headless=True) as browser:
        browser.start_desktop()


def by_large_label(stage: Stage, _: ContractError) -> None:
    with stage.client().open(headless=True, label="x" * 70_000):
        pass


def by_limit(stage: Stage, _: ContractError) -> None:
    client = stage.client(token=stage.tokens["limited"], retries=0)
    with client.open(headless=True), client.open(headless=True):
        pass


def by_wrong_path(stage: Stage, _: ContractError) -> None:
    stage.client(url=f"{stage.url}/nowhere").list()


def by_hurry(stage: Stage, _: ContractError) -> None:
    client = stage.client(token=stage.tokens["hurried"], retries=0)
    for _attempt in range(10):
        client.list()


def by_prompt(prompt: str) -> Callable[[Stage, ContractError], None]:
    def provoke(stage: Stage, _: ContractError) -> None:
        stage.client(retries=0).query("<p>x</p>", prompt, float)

    return provoke


def by_missing_kind(stage: Stage, _: ContractError) -> None:
    with stage.client(retries=0).open(headless=True, browser=SupportedBrowser.Chrome):
        pass


PROVOCATIONS: dict[str, Callable[[Stage, ContractError], None]] = {
    "answer": by_answer,
    "token:noSubscription": by_token("noSubscription"),
    "token:noUnits": by_token("noUnits"),
    "wrong-token": by_wrong_token,
    "arguments": by_arguments,
    "unknown-address": by_unknown_address,
    "headless-desktop": by_headless_desktop,
    "large-label": by_large_label,
    "limit": by_limit,
    "wrong-path": by_wrong_path,
    "hurried": by_hurry,
    "prompt:decline": by_prompt("decline"),
    "prompt:nonsense": by_prompt("nonsense"),
    "prompt:overloaded": by_prompt("overloaded"),
    "missing-kind": by_missing_kind,
}


def error_of_the_contract(stage: Stage, error: ContractError) -> None:
    with pytest.raises(ApiError) as caught:
        PROVOCATIONS[error.provoke[stage.name]](stage, error)
    refused = caught.value
    assert type(refused) is getattr(remote_browser, error.kind)
    assert (refused.status, refused.name) == (error.status, error.name)
    assert refused.message
    assert refused.request_id
    if isinstance(refused, BadRequestError):
        assert refused.errors
        assert all(each.path.startswith("/") and each.message for each in refused.errors)


def error_new(stage: Stage) -> None:
    with pytest.raises(ApiError) as caught:
        stage.client(stage.fault("new-error")).list()
    assert type(caught.value) is ApiError
    assert (caught.value.status, caught.value.name) == (409, "SomethingNew")


def error_thin(stage: Stage) -> None:
    client = stage.client(stage.fault("thin-error"))
    with pytest.raises(BrowserNotFoundError) as caught:
        start_desktop_of_nobody(client)
    assert (caught.value.request_id, caught.value.message) == ("thin-1", "")
    client.browser(f"ws://127.0.0.1/devtools/browser/{UNKNOWN_ID}").close()


def error_not_ours(stage: Stage) -> None:
    with pytest.raises(ApiError) as caught:
        stage.client(stage.fault("gateway"), retries=0).list()
    assert type(caught.value) is ApiError
    assert (caught.value.status, caught.value.name) == (502, "")


def answer_not_json(stage: Stage) -> None:
    with pytest.raises(InvalidAnswerError):
        stage.client(stage.fault("not-json")).list()


def answer_new_members(stage: Stage) -> None:
    client, label = stage.client(stage.fault("new-members")), stage.label()
    with client.open(headless=True, label=label):
        labels = [each.label for each in client.list()]
        assert next(client.history()).state
        assert client.account().period
    if stage.has_state:
        assert label in labels


def answer_first_version(stage: Stage) -> None:
    client = stage.client(stage.fault("first-version"))
    with client.open(headless=True, tags=["new"]) as browser:
        assert browser.id is None
        for each in client.list():
            assert (each.id, each.tags, each.headless, each.clients) == (None, None, None, None)
        calls: list[Callable[[], object]] = [
            browser.info,
            browser.wait_closed,
            browser.screenshot,
            lambda: browser.update(keep_open=60),
            lambda: next(client.history()),
            lambda: client.close_all(tag="new"),
            client.account,
        ]
        for call in calls:
            with pytest.raises(NotFoundError):
                call()
