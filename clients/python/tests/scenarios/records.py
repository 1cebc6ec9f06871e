from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from scenarios.stage import Stage

from remote_browser import RemoteBrowserClient, Session


def own(client: RemoteBrowserClient, label: str) -> list[Session]:
    return [each for each in client.list() if each.label == label]


def tags(stage: Stage) -> None:
    client, label, given = stage.client(), stage.label(), ["nightly", "übung"]
    with client.open(headless=True, label=label, tags=given, lifetime=3600) as browser:
        assert re.fullmatch("br_[a-z0-9]{26}", browser.id or "")
        if not stage.has_state:
            return
        [session] = own(client, label)
        assert (session.id, session.tags) == (browser.id, given)
        assert (session.headless, session.clients, session.desktop) == (True, 0, False)


def info(stage: Stage) -> None:
    client, label = stage.client(), stage.label()
    with client.open(headless=True, label=label) as browser:
        opened = browser.info()
    assert (opened.state, opened.reason, opened.ended_on) == ("open", None, None)
    assert opened.units > 0
    if not stage.has_state:
        return
    assert (opened.id, opened.address, opened.label) == (browser.id, browser.address, label)
    ended = client.browser_by_id(opened.id).info()
    assert (ended.state, ended.reason, ended.address) == ("closed", "requested", None)
    assert ended.ended_on is not None
    assert ended.ended_on >= ended.started_on


def closed(stage: Stage) -> None:
    browser = stage.client().open(headless=True, keep_open=1)
    assert browser.wait_closed(timeout=30) == "inactive"


def update(stage: Stage) -> None:
    client, label, given = stage.client(), stage.label(), ["new", "newer"]
    with client.open(headless=True, label=label) as browser:
        changed = browser.update(keep_open=600, lifetime=7200, tags=given)
        assert changed.state == "open"
        if not stage.has_state:
            return
        [session] = own(client, label)
        assert (changed.keep_open, changed.tags, changed.label) == (600, given, label)
        assert (session.keep_open, session.tags) == (600, given)


def history(stage: Stage) -> None:
    client, label = stage.client(), stage.label()
    first = client.open(headless=True, label=label)
    first.close()
    with client.open(headless=True, label=label) as second:
        since = datetime.now(timezone.utc) - timedelta(hours=1)
        found = list(client.history(since=since, label=label))
    assert [each.state for each in found] == ["open", "closed"]
    if stage.has_state:
        assert [each.id for each in found] == [second.id, first.id]


def close_all(stage: Stage) -> None:
    client, label = stage.client(), stage.label()
    client.open(headless=True, label=label, tags=[label])
    client.open(headless=True, label=label)
    counts = (client.close_all(tag=label), client.close_all(label=label))
    if stage.has_state:
        assert counts == (1, 1)
        assert own(client, label) == []


def account(stage: Stage) -> None:
    shown = stage.client().account()
    assert re.fullmatch(r"\d{4}-\d{2}", shown.period)
    assert shown.units_used >= 0
    if stage.has_state:
        assert shown.plan == "self-hosted"


def session_methods(stage: Stage) -> None:
    client, label = stage.client(), stage.label()
    client.open(headless=True, label=label)
    [session] = own(client, label)
    assert session.info().id == session.id
    session.close()
    assert session.wait_closed() == "requested"
    assert own(client, label) == []
