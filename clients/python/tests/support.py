from __future__ import annotations

import os
from typing import Any

from remote_browser import RemoteBrowserClient
from remote_browser._calls import World
from remote_browser._service import Service
from remote_browser._settings import Settings, read_settings

TOKEN = "rbs_test-token"
ADDRESS = "ws://127.0.0.1:8080/devtools/browser/pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e"
OPENED = {"status": 200, "address": ADDRESS}
# What a service of contract version 1.1 responds.
OPENED_WITH_ID = {**OPENED, "id": "br_01kxm2a7c9rt4bn8swzh3df6g1"}
ACCOUNT = {
    "plan": None,
    "parallel": None,
    "open": 0,
    "period": "2026-03",
    "unitsUsed": 0,
    "unitsLeft": None,
    "additionalUnits": False,
    "maxLifetime": None,
}
NONE_OPEN: dict[str, list[object]] = {"sessions": []}


class FakeTime:
    """A clock that only advances when someone sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.sleeps: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.seconds += seconds

    def world(self, random: float = 0.0) -> World:
        return World(now=lambda: self.seconds, sleep=self.sleep, random=lambda: random)


def settings_of(url: str, **others: Any) -> Settings:
    usual: dict[str, Any] = {
        "token": TOKEN,
        "timeout": 90,
        "total_timeout": 300,
        "retries": 2,
        "headers": None,
    }
    return read_settings({}, url=url, **{**usual, **others})


def service_of(url: str, time: FakeTime | None = None, **others: Any) -> Service:
    return Service(settings_of(url, **others), (time or FakeTime()).world())


def client_of(url: str, **others: Any) -> RemoteBrowserClient:
    return RemoteBrowserClient(url, TOKEN, **others)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
