from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from remote_browser import _generated as core
from remote_browser._calls import Calls, Plan, World
from remote_browser._core import Core
from remote_browser._settings import Settings

T = TypeVar("T")


class Service:
    """The six operations, each with its retry rule and timeout.

    Requests are built without the core's checks of lengths and ranges. The service checks them, and
    its errors say more than the core's.
    """

    def __init__(self, settings: Settings, world: World) -> None:
        # Errors must not show it.
        self.token = settings.token
        self._core = Core(settings)
        self._browsers = core.BrowserApi(self._core)
        self._desktops = core.RemoteDesktopApi(self._core)
        self._ai = core.AiApi(self._core)
        self._calls = Calls(settings, world)
        self._idempotent = Plan(is_idempotent=True, seconds=settings.timeout)
        self._open = Plan(is_idempotent=False, seconds=settings.timeout)
        # A language model may take minutes, so only the total timeout applies.
        self._query = Plan(is_idempotent=False, seconds=None)

    def open(self, options: core.OpenOptions) -> core.OpenResult:
        return self._calls.call(lambda: self._browsers.open_browser(options), self._open)

    def close(self, address: str) -> None:
        self._do(lambda: self._browsers.close_browser(_reference(address)))

    def list(self) -> core.SessionList:
        return self._do(self._browsers.get_browsers)

    def start_desktop(self, address: str) -> core.StartRemoteDesktopResult:
        return self._do(lambda: self._desktops.start_remote_desktop(_reference(address)))

    def stop_desktop(self, address: str) -> None:
        self._do(lambda: self._desktops.stop_remote_desktop(_reference(address)))

    def query(self, request: core.QueryRequest) -> tuple[core.QueryResult, bool]:
        """The result, and whether it has a value: the core's model can't tell that from null."""
        answer = self._calls.call(lambda: self._ai.query_ai_with_http_info(request), self._query)
        members: Any = json.loads(answer.raw_data)
        return answer.data, "value" in members

    def end(self) -> None:
        self._core.rest_client.pool_manager.clear()

    def _do(self, work: Callable[[], T]) -> T:
        return self._calls.call(work, self._idempotent)


def _reference(address: str) -> core.BrowserReference:
    return core.BrowserReference.model_construct(address=address)
